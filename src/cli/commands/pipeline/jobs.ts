import { Command, InvalidArgumentError, Option } from 'commander'
import { defined, stringifyJson } from '../../../core/index.ts'
import type { Job, JobLogLine, JobState, JobStore } from '../../../pipeline/index.ts'
import type { Io } from '../../io.ts'
import { collect, type OutputFormat, parseDuration, wholeNumber } from '../../options/options.ts'
import { addJobsOption, type PipelineFlags, withJobs } from '../../pipeline-session.ts'
import { printable } from '../../print/colour.ts'
import { printData, printDocument } from '../../print/print-data.ts'
import { paragraph } from '../../print/print-line.ts'
import { refuseFlags } from '../../options/refuse-flags.ts'

const states: readonly JobState[] = [
  'queued',
  'available',
  'in-progress',
  'finished',
  'failed',
  'timed-out',
  'not-attempted',
  'cancelled',
]

/** `lading jobs`: what runners did, do and are to do. */
export function jobsCommand(io: Io): Command {
  return new Command('jobs')
    .description('look at the jobs of the pipeline, cancel and forget them')
    .addHelpText('after', '\nExample:\n  lading jobs list --state failed\n  lading jobs logs --follow ID')
    .hook('preAction', (_jobs, command) => {
      refuseFlags(
        command,
        ['--namespace'],
        'jobs are not in namespaces; `jobs list --group` chooses those of a component',
      )
    })
    .addCommand(listCommand(io))
    .addCommand(getCommand(io))
    .addCommand(logsCommand(io))
    .addCommand(cancelCommand(io))
    .addCommand(pruneCommand(io))
}

function listCommand(io: Io): Command {
  const command = new Command('list')
    .description('list jobs, the newest first')
    .option('--group <name>', 'only the jobs of this group')
    .addOption(new Option('--state <state>', 'only jobs in this state; may be repeated').argParser(stateOf))
    .option('--limit <number>', 'how many at most', wholeNumber, 100)
  return addJobsOption(command)
    .addHelpText('after', '\nExample:\n  lading jobs list --state in-progress -o json')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<PipelineFlags & { group?: string; state?: JobState[]; limit: number }>()
      await withJobs(io, options, async (store) => {
        const { group, state, limit } = options
        const jobs = await store.list({
          limit,
          ...defined({ group, states: state }),
        })
        const rows = jobs.map(rowOf)
        const columns = ['id', 'type', 'operation', 'group', 'cluster', 'state', 'step', 'attempt', 'created'] as const
        await printData(io, options.output, rows, { rows, columns })
      })
    })
}

function getCommand(io: Io): Command {
  return addJobsOption(
    new Command('get')
      .description('show a job with its plan, outputs and error; values of Secrets are masked')
      .argument('<id>', 'id of the job'),
  )
    .addHelpText('after', '\nExample:\n  lading jobs get ID -o json')
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<PipelineFlags>()
      await withJobs(io, options, async (store) => {
        const { shownJob } = await import('../../../pipeline/index.ts')
        const { writeYaml } = await import('../../../core/yaml/index.ts')
        const job = shownJob(await found(store, id))
        await printDocument(io, options.output, job, () => writeYaml(job))
      })
    })
}

function logsCommand(io: Io): Command {
  const command = new Command('logs')
    .description('print what a job said')
    .argument('<id>', 'id of the job')
    .option('-f, --follow', 'go on until the job has ended')
  return addJobsOption(command)
    .addHelpText('after', '\nExample:\n  lading jobs logs --follow ID')
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<PipelineFlags & { follow?: boolean }>()
      const { isEnded } = await import('../../../pipeline/index.ts')
      await withJobs(io, options, async (store) => {
        let after = 0
        for (;;) {
          const stop = new AbortController()
          const changed = store.changed(AbortSignal.any([stop.signal, io.signal]))
          // Asked before the lines are read: what is written in between belongs to the next round.
          const ended = isEnded((await found(store, id)).state)
          for (const line of await store.logs(id, after)) {
            after = line.seq
            io.stdout.write(await written(line, options.output))
          }
          if (ended || options.follow !== true || io.signal.aborted) return stop.abort()
          await changed
        }
      })
    })
}

function cancelCommand(io: Io): Command {
  return addJobsOption(
    new Command('cancel')
      .description('cancel a job; one in progress stops and cleans up')
      .argument('<id>', 'id of the job'),
  )
    .addHelpText('after', '\nExample:\n  lading jobs cancel ID')
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<PipelineFlags>()
      await withJobs(io, options, async (store) => {
        const row = rowOf(await store.cancel(id))
        await printData(io, options.output, row, { rows: [row], columns: ['id', 'state', 'cancelRequested'] })
      })
    })
}

function pruneCommand(io: Io): Command {
  return addJobsOption(
    new Command('prune')
      .description('forget jobs that ended some time ago, with their logs')
      .requiredOption('--older-than <duration>', 'how long ago they ended at least, as 720h', parseDuration),
  )
    .addHelpText('after', '\nExample:\n  lading jobs prune --older-than 720h')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<PipelineFlags & { olderThan: number }>()
      await withJobs(io, options, async (store) => {
        const pruned = await store.prune(Date.now() - options.olderThan)
        await printDocument(io, options.output, { pruned }, () => `${pruned} jobs forgotten\n`)
      })
    })
}

async function found(store: JobStore, id: string): Promise<Job> {
  const job = await store.get(id)
  if (job !== undefined) return job
  const { LadingError } = await import('../../../core/index.ts')
  throw new LadingError('job.not-found', `there is no job ${id}`, { id })
}

function rowOf({ id, type, operation, group, cluster, state, step, attempt, createdAt, error, cancelRequested }: Job) {
  const created = new Date(createdAt).toISOString()
  return { id, type, operation, group, cluster, state, step, attempt, created, cancelRequested, error: error?.message }
}

/** One document or one line for each entry, so that a log can be followed in every format. */
async function written(line: JobLogLine, output: OutputFormat): Promise<string> {
  if (output === 'json') return `${stringifyJson(line)}\n`
  if (output === 'table') return `${paragraph(textOf(line)).join('\n')}\n`
  const { writeYaml } = await import('../../../core/yaml/index.ts')
  return `---\n${writeYaml(line)}`
}

function textOf({ time, step, level, message }: JobLogLine): string {
  return `${new Date(time).toISOString()} ${level.padEnd(5)} ${step === undefined ? '' : `${step}: `}${printable(message)}`
}

function stateOf(text: string, previous?: JobState[]): JobState[] {
  const known = states.find((state) => state === text)
  if (known === undefined) throw new InvalidArgumentError(`the states are ${states.join(', ')}.`)
  return collect(known, previous) as JobState[]
}
