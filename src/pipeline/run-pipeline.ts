import { hostname } from 'node:os'
import type { Context } from '../core/index.ts'
import { type DriftWatch, scheduleDrift } from './deploy/schedule-drift.ts'
import { pipelineHandlers } from './handlers.ts'
import type { JobStore } from './jobs/job-store.ts'
import { type RunnerOptions, startRunner } from './jobs/runner.ts'
import type { Pipeline } from './pipeline.ts'

/** How a pipeline's runner works. */
export interface RunPipelineOptions extends Omit<RunnerOptions, 'worker' | 'cluster'> {
  /** Components whose drift is looked for on schedule. */
  readonly watches?: readonly DriftWatch[]
  /** How long jobs may go on after the signal aborts (default: 10 s). */
  readonly graceMs?: number
}

/** Does the jobs of a store until the signal of the context aborts, or, with `once`, until none is left. */
export async function runPipeline(pipeline: Pipeline, options: RunPipelineOptions, ctx: Context): Promise<void> {
  const { store, services, demands, cluster, worker = `${hostname()}/${process.pid}` } = pipeline
  const { watches = [], graceMs = 10_000, ...runner } = options
  // The signal lets jobs go on for a while, so they do not hang on it.
  const own = { ...ctx, signal: new AbortController().signal }
  const running = startRunner(
    store,
    pipelineHandlers(services),
    { ...runner, worker, ...(cluster && { cluster }) },
    own,
  )
  const schedule = new AbortController()
  const enqueue = async (job: Parameters<JobStore['enqueue']>[0]) => {
    const here = cluster === undefined ? {} : { cluster: await cluster(own) }
    return job.operation === 'detect-drift'
      ? store.enqueue({ ...job, plan: { ...demands?.deploy, ...job.plan }, ...here })
      : store.enqueue(job)
  }
  const scheduled = scheduleDrift({ enqueue }, watches, { ...ctx, signal: schedule.signal })
  try {
    await Promise.race([running.done, aborted(ctx.signal)])
  } finally {
    schedule.abort()
    await Promise.all([running.stop(graceMs), scheduled])
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
