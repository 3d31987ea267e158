import { Command } from 'commander'
import { addStorageOptions, pathFrom, type StorageOptions, withSession } from '../connect.ts'
import { follow } from '../follow.ts'
import type { Io } from '../io.ts'
import { printOutcome } from '../print-release.ts'
import { readText } from '../read-text.ts'
import { readingOptions } from '../reading-options.ts'
import { addArtifactOptions } from '../registry-options.ts'
import { addRunOptions, type RunFlags, runOptions } from '../release-options.ts'

/** `lading apply`: carries out a saved plan, and nothing else. */
export function applyCommand(io: Io): Command {
  const command = new Command('apply')
    .description(
      'carry out a saved plan; one that the source, the release or the cluster has moved away from is refused',
    )
    .argument('<plan>', 'the file that `lading plan` saved, - for standard input')
  return addStorageOptions(addArtifactOptions(addRunOptions(command)))
    .addHelpText('after', '\nExample:\n  lading apply plan.json --wait --timeout 3m')
    .action(async (path: string, _options, command: Command) => {
      const options = command.optsWithGlobals<StorageOptions & RunFlags>()
      const { applyPlan, parsePlan } = await import('../../release/index.ts')
      const plan = parsePlan(await readText(io, pathFrom(io, path)), path === '-' ? 'standard input' : path)
      const { name, namespace } = plan.release
      await withSession(io, { ...options, namespace }, async ({ engine, ctx }) => {
        const { stdin, ...reading } = await readingOptions(io, plan.inputs.content?.source ?? '', options)
        // The plan itself came by standard input.
        const readable = path === '-' || stdin === undefined ? reading : { ...reading, stdin }
        const events = applyPlan(engine, plan, runOptions(options), readable, ctx)
        const title = `${plan.operation} ${namespace}/${name}`
        const { outcome, record } = await follow(events, { title, progress: options.progress }, io, ctx)
        await printOutcome(io, options.output, outcome, record)
      })
    })
}
