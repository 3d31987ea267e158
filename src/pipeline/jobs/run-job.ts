import {
  type Context,
  context,
  errorRow,
  LadingError,
  type LadingEvent,
  monotonicNow,
  toLadingError,
} from '../../core/index.ts'
import { describeEvent } from './describe-event.ts'
import { type Job, type JobError, type JobStep, jobSteps } from './job.ts'
import type { JobOutputs, JobType } from './job-operations.ts'
import type { JobEnding, JobStore, Lease } from './job-store.ts'
import { maxLeaseMs } from './expire-jobs.ts'
import { waitedFor } from './waited-for.ts'

/** What a step gives: its result at once, or after telling what happens. */
export type StepResult<Result> = AsyncGenerator<LadingEvent, Result> | Promise<Result>

/** The steps of one job; what is missing is nothing to do. The result of `outputs` is kept with the job. */
export type JobWork = { readonly [Step in Exclude<JobStep, 'outputs'>]?: (ctx: Context) => StepResult<void> } & {
  readonly outputs?: (ctx: Context) => StepResult<JobOutputs | undefined>
}

/** Makes the work of a job of one type. `held` rejects once the lease is lost: to be asked before the first write. */
export type JobHandler = (job: Job, held: () => Promise<void>) => JobWork

/** The handlers that a runner has. */
export type JobHandlers = Partial<Readonly<Record<JobType, JobHandler>>>

/** How jobs are run. */
export interface RunJobOptions {
  readonly leaseMs: number
  /** How long cleaning up may take, also after a cancellation. */
  readonly cleanupMs?: number
  /** The wait before the second try; it doubles with each. */
  readonly backoffMs?: number
}

/** Runs a leased job through its steps, keeps the lease alive meanwhile, and records how it ended. Yields what happens. */
export async function* runJob(
  store: JobStore,
  job: Job,
  handlers: JobHandlers,
  options: RunJobOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, JobEnding['state'] | 'lost'> {
  const lease = { id: job.id, fence: job.fence }
  const stop = new AbortController()
  const signal = AbortSignal.any([ctx.signal, stop.signal])
  const running = context({ ...ctx, signal })
  const guard = new AbortController()
  const guards = [
    keepAlive(store, lease, options.leaseMs, stop, context({ ...ctx, signal: guard.signal })),
    endAfter(job, stop, context({ ...ctx, signal: guard.signal })),
  ]
  try {
    const ending = yield* runSteps(store, job, lease, handlers, options, stop, running, ctx)
    if (ending === undefined) return 'lost'
    await store.end(lease, ending)
    return ending.state
  } catch (error) {
    if (toLadingError(error).code === 'job.lost') return 'lost'
    throw error
  } finally {
    guard.abort()
    await Promise.all(guards)
  }
}

async function* runSteps(
  store: JobStore,
  job: Job,
  lease: Lease,
  handlers: JobHandlers,
  options: RunJobOptions,
  stop: AbortController,
  running: Context,
  ctx: Context,
): AsyncGenerator<LadingEvent, JobEnding | undefined> {
  const held = async (): Promise<void> => {
    await store.heartbeat(lease, options.leaseMs)
  }
  let outputs: JobOutputs | undefined
  let current: JobStep = 'reset'
  let failure: LadingError | undefined
  const waited = waitedFor()
  const work = workOf(job, handlers, held)
  const follow = async function* (
    step: JobStep,
    stepContext: Context,
  ): AsyncGenerator<LadingEvent, JobOutputs | undefined | void> {
    const generate = work instanceof LadingError ? undefined : work[step]
    if (generate === undefined) return
    await store.setStep(lease, step)
    const events = generate(stepContext)
    if (!(Symbol.asyncIterator in events)) return await events
    for (;;) {
      const next = await events.next()
      if (next.done === true) return next.value
      waited.add(next.value)
      await store.log(lease, [{ time: ctx.clock.now(), step, ...describeEvent(next.value) }])
      yield next.value
    }
  }
  try {
    if (work instanceof LadingError) throw work
    for (current of jobSteps) {
      if (current === 'cleanup') break
      running.signal.throwIfAborted()
      outputs = (yield* follow(current, running)) ?? outputs
    }
  } catch (error) {
    failure = reasonOf(error, stop, running.signal)
    if (failure.code === 'job.timed-out') failure = waited.timedOut(job, current)
  }
  const failedStep = current
  // Cleaning up does not hang on the signal that ended the rest.
  const cleaning = context({ ...ctx, signal: AbortSignal.timeout(options.cleanupMs ?? 30_000) })
  if (failure?.code === 'job.lost') {
    // The job is another's; folders and connections of this try are still one's own.
    await cleanUpQuietly(work, cleaning)
    return undefined
  }
  try {
    yield* follow('cleanup', cleaning)
  } catch (error) {
    const { message } = toLadingError(error)
    await store.log(lease, [
      { time: ctx.clock.now(), step: 'cleanup', level: 'warn', message: `cleanup failed: ${message}` },
    ])
  }
  if (failure === undefined) return { state: 'finished', outputs }
  await store.log(lease, [{ time: ctx.clock.now(), step: failedStep, level: 'error', message: failure.message }])
  return endingOf(job, failure, failedStep, options, stop, ctx)
}

async function cleanUpQuietly(work: JobWork | LadingError, ctx: Context): Promise<void> {
  try {
    const events = work instanceof LadingError ? undefined : work.cleanup?.(ctx)
    if (events === undefined || !(Symbol.asyncIterator in events)) return await events
    while ((await events.next()).done !== true);
  } catch (error) {
    ctx.log.warn('cleanup of a job that was lost failed', { error: toLadingError(error).message })
  }
}

function workOf(job: Job, handlers: JobHandlers, held: () => Promise<void>): JobWork | LadingError {
  if (job.state === 'unknown') {
    const { message = `job ${job.id} cannot be read` } = job.error ?? {}
    return new LadingError('job.unreadable', message, { id: job.id })
  }
  const handler = handlers[job.type]
  if (handler === undefined) {
    return new LadingError('job.unsupported', `this runner has nothing for jobs of type ${job.type}`, {
      type: job.type,
    })
  }
  try {
    return handler(job, held)
  } catch (error) {
    return toLadingError(error)
  }
}

/** What ended the steps: the reason of the stop where there was one, whatever the step made of it. */
function reasonOf(error: unknown, stop: AbortController, signal: AbortSignal): LadingError {
  const reason: unknown = stop.signal.aborted ? stop.signal.reason : undefined
  if (reason instanceof LadingError) return reason
  if (signal.aborted) return new LadingError('cancelled', 'the runner shuts down', {}, { cause: error })
  return toLadingError(error)
}

function endingOf(
  job: Job,
  failure: LadingError,
  step: JobStep,
  { backoffMs = 5000 }: RunJobOptions,
  stop: AbortController,
  ctx: Context,
): JobEnding {
  const { code, message, details } = failure
  const error: JobError = { code, message, step, ...(Object.keys(details).length === 0 ? {} : { details }) }
  if (failure.code === 'job.timed-out') return { state: 'timed-out', error }
  if (failure.code === 'cancelled') return stop.signal.aborted ? { state: 'cancelled', error } : { state: 'available' }
  if (errorRow(failure.code).retryable && job.attempt <= job.maxRetries) {
    return { state: 'queued', error, dueAt: ctx.clock.now() + backoffMs * 2 ** (job.attempt - 1) }
  }
  return { state: 'failed', error }
}

/** Prolongs the lease while the job runs; stops the job when somebody cancels it or another runner has it. */
async function keepAlive(
  store: JobStore,
  lease: Lease,
  leaseMs: number,
  stop: AbortController,
  ctx: Context,
): Promise<void> {
  const renewMs = Math.min(leaseMs, maxLeaseMs) / 3
  let renewedAt = monotonicNow(ctx.clock)
  for (;;) {
    try {
      const asked = new AbortController()
      const either = AbortSignal.any([ctx.signal, asked.signal])
      // Another process' cancellation shows as a change of the store; the lease itself only needs its time.
      const left = Math.max(1, renewedAt + renewMs - monotonicNow(ctx.clock))
      await Promise.race([ctx.clock.sleep(left, either), store.changed(either)]).catch(() => undefined)
      asked.abort()
      if (ctx.signal.aborted) return
      const now = monotonicNow(ctx.clock)
      const isDue = now - renewedAt >= renewMs
      if (isDue) renewedAt = now
      const { cancelRequested } = isDue ? await store.heartbeat(lease, leaseMs) : await looked(store, lease, leaseMs)
      if (cancelRequested) return stop.abort(new LadingError('cancelled', 'the job was cancelled', { id: lease.id }))
    } catch (error) {
      return stop.abort(toLadingError(error))
    }
  }
}

/** Only looks, where the lease need not be renewed yet; one that is not held any more says so when it is renewed. */
async function looked(store: JobStore, lease: Lease, leaseMs: number): Promise<{ cancelRequested: boolean }> {
  const job = await store.get(lease.id)
  const isHeld = job?.fence === lease.fence && job.state === 'in-progress'
  return isHeld ? job : store.heartbeat(lease, leaseMs)
}

async function endAfter(job: Job, stop: AbortController, ctx: Context): Promise<void> {
  try {
    await ctx.clock.sleep(job.timeoutMs, ctx.signal)
    stop.abort(new LadingError('job.timed-out', `the job took longer than ${job.timeoutMs / 1000} s`, { id: job.id }))
  } catch {
    // The job ended first.
  }
}
