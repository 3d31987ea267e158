import { Command } from 'commander'
import { addStorageOptions, pathFrom, type StorageOptions, withTimedSession } from '../../connect.ts'
import { follow } from '../../print/follow.ts'
import type { Io } from '../../io.ts'
import { addPlanKeyOption, type PlanKeyFlags, readPlanKeys } from '../../options/plan-options.ts'
import { printOutcome } from '../../print/print-release.ts'
import { readText } from '../../files/read-text.ts'
import { readingOptions } from '../../options/reading-options.ts'
import { addProgramOptions, type ProgramFlags } from '../../options/program-options.ts'
import { addArtifactOptions } from '../../options/registry-options.ts'
import { addRunOptions, type RunFlags, runOptions } from '../../options/release-options.ts'

/** `lading apply`: carries out a saved plan, and nothing else. */
export function applyCommand(io: Io): Command {
  const command = new Command('apply')
    .description(
      'carry out a saved plan, once; one that does not say exactly what would be done now is refused, and so is one that expired',
    )
    .argument('<plan>', 'the file that `lading plan` saved, - for standard input')
  return addPlanKeyOption(addStorageOptions(addProgramOptions(addArtifactOptions(addRunOptions(command)))))
    .addHelpText('after', '\nExample:\n  lading apply plan.json --wait --timeout 3m')
    .action(async (path: string, _options, command: Command) => {
      const options = command.optsWithGlobals<StorageOptions & RunFlags & PlanKeyFlags & ProgramFlags>()
      const { apply, parsePlan, verifyPlan } = await import('../../../release/index.ts')
      const plan = parsePlan(await readText(io, pathFrom(io, path)), path === '-' ? 'standard input' : path)
      const { name, namespace } = plan.release
      const verifyKeys = await readPlanKeys(io, options)
      // Before the cluster is reached.
      verifyPlan(plan, verifyKeys)
      await withTimedSession(io, { ...options, namespace }, async ({ engine, ctx }) => {
        const { stdin, ...reading } = await readingOptions(io, plan.inputs.content?.source ?? '', options)
        // The plan itself came by standard input.
        const readable = path === '-' ? reading : { ...reading, stdin }
        const events = apply(engine, plan, { ...runOptions(options), verifyKeys, reading: readable }, ctx)
        const title = `${plan.operation} ${namespace}/${name}`
        const { outcome, record } = await follow(events, { title, progress: options.progress }, io, ctx)
        await printOutcome(io, options.output, outcome, record)
      })
    })
}
