import { Command } from 'commander'
import { addStorageOptions, type StorageOptions, withTimedSession } from '../../connect.ts'
import { follow } from '../../print/follow.ts'
import type { Io } from '../../io.ts'
import { printPlan } from '../../print/print-plan.ts'
import { printDeployed } from '../../print/print-release.ts'
import { readingOptions } from '../../options/reading-options.ts'
import {
  addContentOptions,
  addDecisionOptions,
  addReuseOptions,
  addRunOptions,
  addSourceOptions,
  sourceHelp,
  type ContentFlags,
  contentInputs,
  type DecisionFlags,
  plannedOptions,
  type RunFlags,
  runOptions,
  showCreatesOption,
} from '../../options/release-options.ts'

interface UpgradeOptions extends StorageOptions, ContentFlags, DecisionFlags, RunFlags {
  readonly dryRun?: boolean
  readonly showCreates?: boolean
  readonly install?: boolean
}

/** `lading upgrade`: the next revision of a release. */
export function upgradeCommand(io: Io): Command {
  const command = new Command('upgrade')
    .description('upgrade a release to what a source holds now; where nothing changed, nothing is written')
    .argument('<name>', 'name of the release')
    .argument('<source>', sourceHelp)
    .option('-i, --install', 'install the release if there is none')
  addStorageOptions(addRunOptions(addDecisionOptions(addReuseOptions(addSourceOptions(addContentOptions(command))))))
  return command
    .option('--dry-run', 'only print the plan')
    .addOption(showCreatesOption('; implies --dry-run').implies({ dryRun: true }))
    .addHelpText('after', '\nExample:\n  lading upgrade shop ./deploy --install --atomic --timeout 3m')
    .action(async (name: string, source: string, _options, command: Command) => {
      const options = command.optsWithGlobals<UpgradeOptions>()
      await withTimedSession(io, options, async ({ engine, namespace, ctx }) => {
        const { planUpgrade, renderContent, upgrade } = await import('../../../release/index.ts')
        const release = { name, namespace }
        const reading = await readingOptions(io, source, options, engine.cluster)
        const content = await renderContent(engine.store, release, contentInputs(io, source, options), reading, ctx)
        const shown = { title: `upgrade ${namespace}/${name}`, progress: options.progress }
        const how = { ...plannedOptions(options), ...runOptions(options), install: options.install }
        if (options.dryRun === true) {
          await printPlan(
            io,
            options.output,
            await follow(planUpgrade(engine, content, how, ctx), shown, io, ctx),
            options,
          )
          return
        }
        await printDeployed(io, options.output, await follow(upgrade(engine, content, how, ctx), shown, io, ctx))
      })
    })
}
