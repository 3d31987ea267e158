import { type Context, context, toLadingError } from '../../core/index.ts'
import { describeEvent } from './describe-event.ts'
import { type ClusterOf, leaveToOthers } from './leave-to-others.ts'
import type { JobStore } from './job-store.ts'
import { type JobHandlers, runJob, type RunJobOptions } from './run-job.ts'

/** How a runner works. */
export interface RunnerOptions extends Partial<RunJobOptions> {
  /** Names the runner in the jobs that it holds. */
  readonly worker: string
  /** How many jobs run at once; 4 unless told. */
  readonly concurrency?: number
  /** How many jobs of one group run at once; 1 unless told. */
  readonly perGroup?: number
  /** Which cluster this runner has, asked when a job is for one; without it, jobs for a cluster are left to others. */
  readonly cluster?: ClusterOf
  /** Ends once nothing is left to do, now or later. */
  readonly once?: boolean
  /** For how long jobs are remembered after their end; for ever unless told. */
  readonly keepMs?: number
}

/** When a cluster that could not be asked who it is is asked again. */
const retryClusterMs = 30_000

/** A runner at work. */
export interface Runner {
  /** Takes no more jobs, lets those that run go on for `graceMs`, then stops and gives them back. */
  stop(graceMs: number): Promise<void>
  /** Resolves when the runner has ended. */
  readonly done: Promise<void>
}

/** Runs the jobs of a store until it is stopped. */
export function startRunner(store: JobStore, handlers: JobHandlers, options: RunnerOptions, ctx: Context): Runner {
  const closing = new AbortController()
  const ending = new AbortController()
  const jobs = context({ ...ctx, signal: AbortSignal.any([ctx.signal, ending.signal]) })
  const waiting = context({ ...ctx, signal: AbortSignal.any([ctx.signal, closing.signal]) })
  const running = new Set<Promise<void>>()
  const done = loop(store, handlers, options, running, jobs, waiting).then(async () => {
    await Promise.all(running)
  })
  return {
    done,
    stop: async (graceMs) => {
      closing.abort()
      const over = new AbortController()
      const grace = ctx.clock.sleep(graceMs, over.signal).then(
        () => ending.abort(),
        () => undefined,
      )
      await Promise.allSettled(running)
      over.abort()
      await grace
      await done
    },
  }
}

async function loop(
  store: JobStore,
  handlers: JobHandlers,
  options: RunnerOptions,
  running: Set<Promise<void>>,
  jobs: Context,
  waiting: Context,
): Promise<void> {
  const { worker, concurrency = 4, perGroup = 1, leaseMs = 30_000 } = options
  const others = leaveToOthers(store, handlers, options.cluster, waiting)
  while (!waiting.signal.aborted) {
    // The wait begins before the question, so that what changes in between is not missed.
    const looked = new AbortController()
    const wake = AbortSignal.any([waiting.signal, looked.signal])
    const changed = store.changed(wake)
    const isFull = running.size >= concurrency
    const job = isFull ? undefined : await store.lease({ worker, leaseMs, perGroup, ...others.able() })
    if (job !== undefined) {
      looked.abort()
      const work = drain(runJob(store, job, handlers, { ...options, leaseMs }, jobs), jobs)
        .then(() => forgetOld(store, options, jobs))
        .finally(() => running.delete(work))
      running.add(work)
      continue
    }
    const left = isFull ? 'told' : await others.look()
    if (left === 'able') {
      looked.abort()
      continue
    }
    // Who can take nothing waits for one of his own jobs to end: what is due meanwhile would only keep him awake.
    const due = isFull ? undefined : await store.nextDue()
    if (options.once === true && due === undefined && running.size === 0) {
      looked.abort()
      return
    }
    const until = [due, left === 'unknown' ? waiting.clock.now() + retryClusterMs : undefined].filter(
      (time) => time !== undefined,
    )
    const pause = until.map((time) => quietly(waiting.clock.sleep(Math.max(1, time - waiting.clock.now()), wake)))
    await Promise.race([changed, ...pause, ...running])
    looked.abort()
  }
}

async function drain(events: ReturnType<typeof runJob>, ctx: Context): Promise<void> {
  try {
    for (;;) {
      const next = await events.next()
      if (next.done === true) return
      ctx.log.debug(describeEvent(next.value).message)
    }
  } catch (error) {
    // The store itself failed: the job's lease runs out and another runner takes it.
    ctx.log.error('a job could not be recorded', { error: toLadingError(error).message })
  }
}

async function forgetOld(store: JobStore, { keepMs }: RunnerOptions, ctx: Context): Promise<void> {
  if (keepMs === undefined) return
  try {
    await store.prune(ctx.clock.now() - keepMs)
  } catch (error) {
    ctx.log.error('old jobs could not be forgotten', { error: toLadingError(error).message })
  }
}

async function quietly(promise: Promise<void>): Promise<void> {
  await promise.catch(() => undefined)
}
