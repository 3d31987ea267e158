import type { Command } from 'commander'
import { defined } from '../../core/index.ts'
import type { DeployPlan } from '../../pipeline/index.ts'
import type { DeployOptions, ForeignOptions } from '../../release/index.ts'
import { collect } from './options.ts'

/** Flags of what counts as a field that others added. */
export interface IgnoreFlags {
  readonly ignoreManager?: readonly string[]
  readonly defaultIgnores?: boolean
}

/** Flags of what becomes of fields that others added. */
export interface ForeignFlags extends IgnoreFlags {
  readonly removeForeignFields?: boolean
}

/** Declares which fields of others are left alone. */
export function addIgnoreOptions(command: Command): Command {
  return command
    .option(
      '--ignore-manager <name>',
      'field manager whose added fields are left alone, * for any run of characters; may be repeated',
      collect,
    )
    .option('--no-default-ignores', 'do not leave alone what the usual controllers add')
}

/** Declares what becomes of fields that others added. */
export function addForeignOptions(command: Command): Command {
  return addIgnoreOptions(
    command.option('--remove-foreign-fields', 'remove fields that others added to the objects of the release'),
  )
}

/** The flags about fields that others added. */
export const foreignFlags = ['--remove-foreign-fields', '--ignore-manager', '--no-default-ignores'] as const

/** Which fields of others flags leave alone. */
export function ignoreOptions({ ignoreManager: ignoreManagers, defaultIgnores }: IgnoreFlags): ForeignOptions {
  return defined({ ignoreManagers, defaultIgnores: defaultIgnores === false ? false : undefined })
}

/** What flags make of fields that others added. */
export function foreignOptions(flags: ForeignFlags): Pick<DeployOptions, 'foreignFields'> & ForeignOptions {
  const foreignFields = flags.removeForeignFields === true ? ('remove' as const) : undefined
  return { ...ignoreOptions(flags), ...defined({ foreignFields }) }
}

/** What flags make of drift, as a job is told. */
export function correctionPlan(
  flags: ForeignFlags & { readonly correct?: boolean },
): Pick<DeployPlan, 'correct_drift' | 'remove_foreign_fields' | 'ignore_managers' | 'default_ignores'> {
  return defined({
    correct_drift: flags.correct === true ? true : undefined,
    remove_foreign_fields: flags.removeForeignFields === true ? true : undefined,
    ignore_managers: flags.ignoreManager,
    default_ignores: flags.defaultIgnores === false ? false : undefined,
  })
}
