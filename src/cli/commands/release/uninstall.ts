import { Command } from 'commander'
import { addStorageOptions, type StorageOptions, withTimedSession } from '../../connect.ts'
import { follow } from '../../print/follow.ts'
import type { Io } from '../../io.ts'
import { parseDuration } from '../../options/options.ts'
import { printPlan } from '../../print/print-plan.ts'
import { printOutcome } from '../../print/print-release.ts'
import {
  addCrdOption,
  addProgressOption,
  type DecisionFlags,
  type RunFlags,
  uninstallOptions,
} from '../../options/release-options.ts'

interface UninstallFlags extends StorageOptions, DecisionFlags, RunFlags {
  readonly dryRun?: boolean
  readonly ignoreNotFound?: boolean
}

/** `lading uninstall`: deletes what a release has on the cluster, and the release. */
export function uninstallCommand(io: Io): Command {
  const command = new Command('uninstall')
    .description('delete everything that a release has on the cluster, and the release itself')
    .argument('<name>', 'name of the release')
    .option('--keep-history', 'keep the revisions, the last one marked as uninstalled')
    .option('--wait', 'wait until everything is gone', true)
    .option('--no-wait', 'do not wait until everything is gone')
    .option('--no-hooks', 'run no hooks')
    .option(
      '--timeout <duration>',
      'limit of the whole command: the lock, hooks and waits (default: 5m)',
      parseDuration,
    )
    .option('--description <text>', 'what the history says about it')
    .option('--dry-run', 'only print the plan')
    .option('--ignore-not-found', 'end well where there is no such release')
  return addStorageOptions(addProgressOption(addCrdOption(command)))
    .addHelpText('after', '\nExample:\n  lading uninstall shop --keep-history')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<UninstallFlags>()
      await withTimedSession(io, options, async ({ engine, namespace, ctx }) => {
        const { planUninstall, uninstall } = await import('../../../release/index.ts')
        const release = { name, namespace }
        const shown = { title: `uninstall ${namespace}/${name}`, progress: options.progress }
        const how = uninstallOptions(options)
        if (options.ignoreNotFound === true && (await engine.store.history(name, namespace, ctx)).length === 0) {
          await printOutcome(io, options.output, 'not-found', undefined, release)
          return
        }
        if (options.dryRun === true) {
          const plan = await follow(planUninstall(engine, release, how, ctx), shown, io, ctx)
          await printPlan(io, options.output, plan)
          return
        }
        const { record } = await follow(uninstall(engine, release, how, ctx), shown, io, ctx)
        await printOutcome(io, options.output, 'uninstalled', record)
      })
    })
}
