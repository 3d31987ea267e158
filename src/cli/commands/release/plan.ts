import { Command } from 'commander'
import { type LadingEvent, stringifyJson } from '../../../core/index.ts'
import type { Plan, PlannedOptions } from '../../../release/index.ts'
import { addStorageOptions, pathFrom, type Session, type StorageOptions, withSession } from '../../connect.ts'
import { follow } from '../../print/follow.ts'
import type { Io } from '../../io.ts'
import { revisionNumber } from '../../options/options.ts'
import { addExpiryOption } from '../../options/plan-options.ts'
import { printPlan } from '../../print/print-plan.ts'
import { readingOptions } from '../../options/reading-options.ts'
import {
  addContentOptions,
  addCrdOption,
  addDecisionOptions,
  addProgressOption,
  addReuseOptions,
  addSourceOptions,
  sourceHelp,
  type ContentFlags,
  contentInputs,
  type DecisionFlags,
  plannedOptions,
  type RunFlags,
  showCreatesOption,
} from '../../options/release-options.ts'
import { readSigningKey } from '../artifact/sign.ts'

interface PlanOptions extends StorageOptions, ContentFlags, DecisionFlags, RunFlags {
  readonly out?: string
  readonly expires?: number
  readonly sign?: string
  readonly install?: boolean
  readonly showCreates?: boolean
}

/** `lading plan`: what an operation would do, as a value that can be saved, read and approved. */
export function planCommand(io: Io): Command {
  return new Command('plan')
    .description('work out what an operation would do, and save it for `lading apply`')
    .addHelpText(
      'after',
      '\nA saved plan names its source and its values, so that they are rendered again; what --set gave is written into it, ' +
        'so give secret values by file. Random values of a chart or pack come again when it is applied: the file holds their seed, ' +
        'which is as secret as they are; so is the key of what it tells of Secrets. What is printed has all of these masked, and cannot be applied then. ' +
        'A plan is applied once, on the cluster that it was made for, before it expires. A plan that cannot be carried out is printed too, and ends with the code of what stands in ' +
        'its way.\n\nExample:\n' +
        '  lading plan upgrade shop ./deploy -f prod.yaml -o plan.json\n  lading apply plan.json',
    )
    .addCommand(planSourceCommand(io, 'install'))
    .addCommand(planSourceCommand(io, 'upgrade'))
    .addCommand(planRollbackCommand(io))
    .addCommand(planUninstallCommand(io))
}

function planSourceCommand(io: Io, operation: 'install' | 'upgrade'): Command {
  const command = new Command(operation)
    .description(`plan what \`lading ${operation}\` would do`)
    .argument('<name>', 'name of the release')
    .argument('<source>', sourceHelp)
  addDecisionOptions(addSourceOptions(addContentOptions(command))).addOption(showCreatesOption())
  if (operation === 'upgrade') addReuseOptions(command).option('-i, --install', 'install the release if there is none')
  return addPlanOptions(command)
    .addHelpText('after', `\nExample:\n  lading plan ${operation} shop ./deploy --out plan.json`)
    .action(async (name: string, source: string, _options, command: Command) => {
      const options = command.optsWithGlobals<PlanOptions>()
      const inputs = contentInputs(io, source, options)
      await planned(io, options, name, async function* ({ engine, namespace, ctx }, decided) {
        const { planInstall, planUpgrade, renderContent } = await import('../../../release/index.ts')
        const reading = await readingOptions(io, source, options, engine.cluster)
        const content = await renderContent(engine.store, { name, namespace }, inputs, reading, ctx)
        return operation === 'install'
          ? yield* planInstall(engine, content, decided, ctx)
          : yield* planUpgrade(engine, content, { ...decided, install: options.install }, ctx)
      })
    })
}

function planRollbackCommand(io: Io): Command {
  const command = new Command('rollback')
    .description('plan what `lading rollback` would do')
    .argument('<name>', 'name of the release')
    .argument('[revision]', 'the revision to go back to (default: the last good one before)', revisionNumber)
  return addPlanOptions(addDecisionOptions(command).addOption(showCreatesOption()))
    .addHelpText('after', '\nExample:\n  lading plan rollback shop 3')
    .action(async (name: string, revision: number | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<PlanOptions>()
      await planned(io, options, name, async function* ({ engine, namespace, ctx }, decided) {
        const { planRollback } = await import('../../../release/index.ts')
        return yield* planRollback(engine, { name, namespace }, revision, decided, ctx)
      })
    })
}

function planUninstallCommand(io: Io): Command {
  const command = new Command('uninstall')
    .description('plan what `lading uninstall` would do')
    .argument('<name>', 'name of the release')
    .option('--no-hooks', 'run no hooks')
    .option('--keep-history', 'keep the revisions, the last one marked as uninstalled')
    .option('--description <text>', 'what the history says about it')
  return addPlanOptions(addCrdOption(command))
    .addHelpText('after', '\nExample:\n  lading plan uninstall shop --out plan.json')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<PlanOptions>()
      await planned(io, options, name, async function* ({ engine, namespace, ctx }, decided) {
        const { planUninstall } = await import('../../../release/index.ts')
        return yield* planUninstall(engine, { name, namespace }, decided, ctx)
      })
    })
}

function addPlanOptions(command: Command): Command {
  return addExpiryOption(addStorageOptions(addProgressOption(command)))
    .option(
      '--out <file>',
      'also save the plan in this file, readable by its owner only; -o with a .json or .yaml file does the same',
    )
    .option('--sign <file>', 'private key to sign the plan with; its password is $COSIGN_PASSWORD')
}

async function planned(
  io: Io,
  options: PlanOptions,
  name: string,
  make: (session: Session, decided: PlannedOptions) => AsyncGenerator<LadingEvent, Plan>,
): Promise<void> {
  // A key that cannot be read is told before the cluster is asked anything.
  const key = options.sign === undefined ? undefined : await readSigningKey(io, options.sign)
  await withSession(io, options, async (session) => {
    const decided = plannedOptions(options)
    const title = `plan ${session.namespace}/${name}`
    const plan = await follow(make(session, decided), { title, progress: options.progress }, io, session.ctx)
    const { savePlan, signPlan } = await import('../../../release/index.ts')
    const unsigned = await savePlan(session.engine, plan, { lifetimeMs: options.expires }, session.ctx)
    const saved = key === undefined ? unsigned : signPlan(unsigned, key)
    if (options.out !== undefined) {
      const { writePrivateFile } = await import('../../files/write-private-file.ts')
      await writePrivateFile(pathFrom(io, options.out), `${stringifyJson(saved, 2)}\n`)
    }
    await printPlan(io, options.output, saved, options)
  })
}
