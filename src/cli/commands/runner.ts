import { Command } from 'commander'
import type { DriftWatch } from '../../pipeline/index.ts'
import { addStorageOptions } from '../connect.ts'
import type { Io } from '../io.ts'
import { collect, parseDuration, wholeNumber } from '../options.ts'
import { addCredentialsOption, addJobsOption, type PipelineFlags, withPipeline } from '../pipeline-session.ts'
import { addArtifactOptions } from '../registry-options.ts'
import { readWithInputs } from './build-component.ts'

interface RunnerFlags extends PipelineFlags {
  readonly concurrency: number
  readonly perGroup: number
  readonly grace: number
  readonly once?: boolean
  readonly watch?: readonly string[]
  readonly correct?: boolean
}

/** `lading runner`: does the jobs that others left. */
export function runnerCommand(io: Io): Command {
  const start = new Command('start')
    .description('do jobs until interrupted; a job whose runner died is taken over')
    .option('--concurrency <number>', 'how many jobs run at once', wholeNumber, 4)
    .option('--per-group <number>', 'how many jobs of one component run at once', wholeNumber, 1)
    .option('--grace <duration>', 'how long jobs may go on after an interrupt', parseDuration, 10_000)
    .option('--once', 'end when nothing is left to do')
    .option('--correct', 'undo drift of watched components as it is found')
    .option('--watch <file>', 'component whose drift_schedule is kept; may be repeated', collect)
  addStorageOptions(addArtifactOptions(addCredentialsOption(addJobsOption(start))))
    .addHelpText('after', '\nExample:\n  lading runner start --watch shop.toml')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<RunnerFlags>()
      const { scheduleDrift, startRunner } = await import('../../pipeline/index.ts')
      const watches = await watchesOf(io, options)
      await withPipeline(io, options, async ({ store, handlers, worker, ctx }) => {
        const { concurrency, perGroup, once = false, grace } = options
        // The interrupt lets jobs go on for a while, so they do not hang on it.
        const own = { ...ctx, signal: new AbortController().signal }
        const runner = startRunner(store, handlers, { worker, concurrency, perGroup, once }, own)
        const scheduled = scheduleDrift(store, watches, ctx)
        io.stderr.write(`runner ${worker} takes jobs\n`)
        await Promise.race([runner.done, aborted(io.signal)])
        await runner.stop(grace)
        if (io.signal.aborted) await scheduled
      })
    })
  return new Command('runner')
    .description('run the jobs of the pipeline')
    .addHelpText('after', '\nExample:\n  lading runner start --watch shop.toml')
    .addCommand(start)
}

async function watchesOf(io: Io, options: RunnerFlags): Promise<DriftWatch[]> {
  const watches: DriftWatch[] = []
  for (const file of options.watch ?? []) {
    const { name, namespace, driftSchedule, deployTimeoutMs } = await readWithInputs(io, file, options)
    if (driftSchedule === undefined) {
      const { LadingError } = await import('../../core/index.ts')
      throw new LadingError('config.invalid', `${file} has no drift_schedule`, { file, field: 'drift_schedule' })
    }
    const correct = options.correct === true ? { correct_drift: true } : {}
    const plan = { component_id: name, component_name: name, kubernetes_manifest: { namespace }, ...correct }
    watches.push({ schedule: driftSchedule, plan, timeoutMs: deployTimeoutMs })
  }
  return watches
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
