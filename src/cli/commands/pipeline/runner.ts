import { Command, InvalidArgumentError } from 'commander'
import { defined, LadingError } from '../../../core/index.ts'
import type { DriftWatch } from '../../../pipeline/index.ts'
import { addStorageOptions, pathFrom } from '../../connect.ts'
import { addForeignOptions, correctionPlan, type ForeignFlags, foreignFlags } from '../../options/foreign-options.ts'
import type { Io } from '../../io.ts'
import { collect, parseDuration, wholeNumber } from '../../options/options.ts'
import {
  addCredentialsOption,
  addJobsOption,
  addSignOption,
  collectInput,
  type PipelineFlags,
  withPipeline,
} from '../../pipeline-session.ts'
import { addPlanKeyOption } from '../../options/plan-options.ts'
import { refuseFlags } from '../../options/refuse-flags.ts'
import { addArtifactOptions } from '../../options/registry-options.ts'
import { addHealthUrlOptions } from '../../options/release-options.ts'

interface RunnerFlags extends PipelineFlags, ForeignFlags {
  readonly concurrency: number
  readonly perGroup: number
  readonly grace: number
  readonly once?: boolean
  readonly keepJobs?: number
  readonly watch?: readonly string[]
  readonly correct?: boolean
  readonly input?: Readonly<Record<string, string>>
}

/** `lading runner`: does the jobs that others left. */
export function runnerCommand(io: Io): Command {
  const start = new Command('start')
    .description('do jobs until interrupted; a job whose runner died is taken over')
    .option('--concurrency <number>', 'how many jobs run at once', atLeastOne, 4)
    .option('--per-group <number>', 'how many jobs of one component run at once', atLeastOne, 1)
    .option('--grace <duration>', 'how long jobs may go on after an interrupt', parseDuration, 10_000)
    .option('--once', 'end when nothing is left to do')
    .option('--keep-jobs <duration>', 'forget jobs that ended longer ago, as 720h (default: keep all)', parseDuration)
    .option('--correct', 'undo drift of watched components as it is found')
    .option(
      '--watch <file[=reference]>',
      'component whose drift_schedule is kept, and the artifact whose tag is looked up with it; may be repeated',
      collect,
    )
    .option('--input <name=value>', 'an input of the watched components that declare it; may be repeated', collectInput)
  addPlanKeyOption(
    addStorageOptions(
      addArtifactOptions(
        addCredentialsOption(addSignOption(addJobsOption(addForeignOptions(addHealthUrlOptions(start))))),
      ),
    ),
  )
    .addHelpText(
      'after',
      '\nExample:\n  lading runner start --watch shop.toml=oci://registry.example/shop:v1 --input stage=production',
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<RunnerFlags>()
      refuseFlags(command, ['--namespace'], 'each job names its namespace')
      refuseFlags(command, ['--output'], 'a runner prints no data; `lading jobs` does')
      if (options.watch === undefined)
        refuseFlags(command, ['--correct', ...foreignFlags], 'no component is watched; give --watch')
      const { runPipeline } = await import('../../../pipeline/index.ts')
      const watches = await watchesOf(io, options)
      await withPipeline(io, options, async ({ pipeline, worker, ctx }) => {
        const { concurrency, perGroup, once = false, grace: graceMs, keepJobs: keepMs } = options
        io.stderr.write(`runner ${worker} takes jobs\n`)
        await runPipeline(pipeline, { watches, concurrency, perGroup, once, graceMs, ...defined({ keepMs }) }, ctx)
      })
    })
  return new Command('runner')
    .description('run the jobs of the pipeline')
    .addHelpText('after', '\nExample:\n  lading runner start --watch shop.toml')
    .addCommand(start)
}

async function watchesOf(io: Io, flags: RunnerFlags): Promise<DriftWatch[]> {
  const { watch = [], input = {} } = flags
  const { driftWatch, readComponent, resolveInputs } = await import('../../../pipeline/index.ts')
  const unused = new Set(Object.keys(input))
  const watches: DriftWatch[] = []
  for (const text of watch) {
    const [file = '', reference] = text.split(/=(?=oci:)/)
    const component = await readComponent(pathFrom(io, file))
    const own = Object.entries(input).filter(([name]) => Object.hasOwn(component.inputs, name))
    for (const [name] of own) unused.delete(name)
    const resolved = resolveInputs(component, Object.fromEntries(own))
    watches.push(driftWatch(resolved, { ...correctionPlan(flags), artifact: reference }))
  }
  const [name] = unused
  if (name !== undefined) throw new LadingError('usage.invalid', `no watched component declares an input ${name}`)
  return watches
}

function atLeastOne(text: string): number {
  const number = wholeNumber(text)
  if (number === 0) throw new InvalidArgumentError('expected at least 1.')
  return number
}
