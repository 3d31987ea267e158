import { type Context, context, LadingError, type LadingEvent } from '../../core/index.ts'
import { isEnded, type Job, jobOf, type NewJob } from './job.ts'
import type { JobOperation } from './job-operations.ts'
import type { JobStore } from './job-store.ts'
import { type JobHandlers, runJob, type RunJobOptions } from './run-job.ts'

/** How a job is run by whoever enqueued it. */
export interface RunNowOptions extends Partial<RunJobOptions> {
  readonly worker: string
  readonly perGroup?: number
}

/**
 * Enqueues a job and runs it in this process, after those of its group that are under way. Interrupting it cancels the job. Gives the job as
 * it ended; one that did not end well is an error.
 */
export async function* runNow<Operation extends JobOperation>(
  store: JobStore,
  handlers: JobHandlers,
  newJob: NewJob<Operation>,
  options: RunNowOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, Job<Operation>> {
  const { worker, perGroup = 1, leaseMs = 30_000 } = options
  const { id } = await store.enqueue(newJob as NewJob)
  const cancel = (): void => void store.cancel(id).catch(() => undefined)
  ctx.signal.addEventListener('abort', cancel, { once: true })
  // The job itself hears of it through the store, as from anybody else, and so cleans up.
  const own = context({ ...ctx, signal: new AbortController().signal })
  let told = ''
  try {
    if (ctx.signal.aborted) await store.cancel(id)
    for (;;) {
      const stop = new AbortController()
      const changed = store.changed(stop.signal)
      const leased = await store.lease({ worker, leaseMs, perGroup, only: id })
      if (leased !== undefined) yield* runJob(store, leased, handlers, { ...options, leaseMs }, own)
      const job = await store.get(id)
      if (job === undefined || isEnded(job.state)) {
        stop.abort()
        return jobOf(finished(job, id), newJob.operation)
      }
      const ahead = leased === undefined ? await waitingFor(store, job) : ''
      // Once for each job that is in the way: whoever waits wants to know for whom.
      if (ahead !== '' && ahead !== told) yield { type: 'progress', message: (told = ahead) }
      const due = await store.nextDue()
      const pause = due === undefined ? [] : [quietly(own.clock.sleep(Math.max(1, due - own.clock.now()), stop.signal))]
      if (leased === undefined) await Promise.race([changed, ...pause])
      stop.abort()
    }
  } finally {
    ctx.signal.removeEventListener('abort', cancel)
  }
}

async function waitingFor(store: JobStore, { group }: Job): Promise<string> {
  const [ahead] = await store.list({ group, states: ['in-progress'], limit: 1 })
  if (ahead === undefined) return ''
  return `waiting for job ${ahead.id} (${ahead.operation}), which ${ahead.worker ?? 'a runner'} has`
}

function finished(job: Job | undefined, id: string): Job {
  if (job === undefined) throw new LadingError('job.not-found', `there is no job ${id}`, { id })
  if (job.state === 'finished') return job
  const { code = 'internal', message = `the job is ${job.state}`, step, details } = job.error ?? {}
  const where = { job: id, state: job.state, ...(step === undefined ? {} : { step }) }
  throw new LadingError(code, message, { ...details, ...where })
}

async function quietly(promise: Promise<void>): Promise<void> {
  await promise.catch(() => undefined)
}
