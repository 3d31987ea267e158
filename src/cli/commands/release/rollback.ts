import { Command } from 'commander'
import { addStorageOptions, type StorageOptions, withTimedSession } from '../../connect.ts'
import { follow } from '../../print/follow.ts'
import type { Io } from '../../io.ts'
import { revisionNumber } from '../../options/options.ts'
import { printPlan } from '../../print/print-plan.ts'
import { printDeployed } from '../../print/print-release.ts'
import {
  addDecisionOptions,
  addRunOptions,
  type DecisionFlags,
  plannedOptions,
  type RunFlags,
  runOptions,
  showCreatesOption,
} from '../../options/release-options.ts'

interface RollbackOptions extends StorageOptions, DecisionFlags, RunFlags {
  readonly dryRun?: boolean
  readonly showCreates?: boolean
}

/** `lading rollback`: what a release was before, as a new revision. */
export function rollbackCommand(io: Io): Command {
  const command = new Command('rollback')
    .description('make a release what it was at an earlier revision')
    .argument('<name>', 'name of the release')
    .argument('[revision]', 'the revision to go back to (default: the last good one before)', revisionNumber)
  addStorageOptions(addRunOptions(addDecisionOptions(command)))
  return command
    .option('--dry-run', 'only print the plan')
    .addOption(showCreatesOption('; implies --dry-run').implies({ dryRun: true }))
    .addHelpText('after', '\nExample:\n  lading rollback shop 3 --wait')
    .action(async (name: string, revision: number | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<RollbackOptions>()
      await withTimedSession(io, options, async ({ engine, namespace, ctx }) => {
        const { planRollback, rollback } = await import('../../../release/index.ts')
        const release = { name, namespace }
        const shown = { title: `rollback ${namespace}/${name}`, progress: options.progress }
        const how = { ...plannedOptions(options), ...runOptions(options) }
        if (options.dryRun === true) {
          const plan = await follow(planRollback(engine, release, revision, how, ctx), shown, io, ctx)
          await printPlan(io, options.output, plan, options)
          return
        }
        const result = await follow(rollback(engine, release, revision, how, ctx), shown, io, ctx)
        await printDeployed(io, options.output, result)
      })
    })
}
