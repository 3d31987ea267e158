import { Command } from 'commander'
import { addStorageOptions, type StorageOptions, withTimedSession } from '../../connect.ts'
import { follow } from '../../print/follow.ts'
import type { Io } from '../../io.ts'
import { printPlan } from '../../print/print-plan.ts'
import { printDeployed } from '../../print/print-release.ts'
import { readingOptions } from '../../options/reading-options.ts'
import { addNameOptions, nameAndSource, type NameFlags } from '../../options/release-name.ts'
import {
  addContentOptions,
  addDecisionOptions,
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

interface InstallOptions extends StorageOptions, ContentFlags, DecisionFlags, RunFlags, NameFlags {
  readonly dryRun?: boolean
  readonly showCreates?: boolean
}

/** `lading install`: a release from a source. */
export function installCommand(io: Io): Command {
  const command = new Command('install')
    .description('install a release from a source')
    .argument('<name>', 'name of the release; left out with --generate-name and --name-template')
    .argument('[source]', sourceHelp)
  addStorageOptions(addRunOptions(addDecisionOptions(addSourceOptions(addContentOptions(addNameOptions(command))))))
  return command
    .option('--dry-run', 'only print the plan')
    .addOption(showCreatesOption('; implies --dry-run').implies({ dryRun: true }))
    .addHelpText(
      'after',
      '\nExample:\n  lading install shop ./deploy -n web --create-namespace --wait --timeout 3m\n' +
        '  lading install shop oci://registry.example/charts/shop --version ^1.2 --storage helm\n' +
        '  lading install shop ./shop.ts --set replicas=3\n' +
        '  lading install ./deploy --generate-name -o json',
    )
    .action(async (first: string, second: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<InstallOptions>()
      const { name, source } = await nameAndSource(io, second === undefined ? [first] : [first, second], options)
      await withTimedSession(io, options, async ({ engine, namespace, ctx }) => {
        const { install, planInstall, renderContent } = await import('../../../release/index.ts')
        const release = { name, namespace }
        const inputs = contentInputs(io, source, options)
        const reading = await readingOptions(io, source, options, engine.cluster)
        const content = await renderContent(engine.store, release, inputs, reading, ctx)
        const shown = { title: `install ${namespace}/${name}`, progress: options.progress }
        const how = { ...plannedOptions(options), ...runOptions(options) }
        if (options.dryRun === true) {
          await printPlan(
            io,
            options.output,
            await follow(planInstall(engine, content, how, ctx), shown, io, ctx),
            options,
          )
          return
        }
        await printDeployed(io, options.output, await follow(install(engine, content, how, ctx), shown, io, ctx))
      })
    })
}
