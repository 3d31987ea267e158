import {
  type Context,
  defined,
  type LadingEvent,
  monotonicNow,
  type ObjectRef,
  type Operation,
  operation,
  type OperationOptions,
  toLadingError,
  type WaitedObject,
} from '../../core/index.ts'
import { defaultStatusGraceMs, isAlwaysReadyKind } from '../../schema/index.ts'
import type { Cluster } from '../cluster.ts'
import { cancelled } from '../transport/wire-error.ts'
import { compileRules, type ReadinessRule } from './rules/custom-rules.ts'
import { createObjectCheck } from './check-object.ts'
import { createStatusReport } from './report-status.ts'
import { notReadyError, waitedObject } from './not-ready-error.ts'
import { createStatusGrace } from './status-grace.ts'
import { type TrackedObject, trackTargets, type WaitTarget } from './tracked-object.ts'
import { waitForDeleted } from './wait-for-deleted.ts'
import { openScope, takeNews } from './wait-scope.ts'
import { followGroup, watchGroups } from './watch-targets.ts'
import { isWorkload, watchWorkloadPods } from './workload-pods.ts'

/** How to wait. */
export interface WaitOptions extends OperationOptions {
  /** How long to wait (default: five minutes). */
  readonly timeoutMs?: number
  /** CEL rules for kinds of the caller's own; an object's own annotations come before them. */
  readonly rules?: readonly ReadinessRule[]
  /** Ends at the first failure (default: true); otherwise when nothing is in progress any more, with all failures. */
  readonly failFast?: boolean
  /** `Completed` also wants Pods and Jobs to have run to their end, as hooks must. */
  readonly until?: 'Current' | 'Completed' | 'Deleted'
  /** Whether a Job has to complete, or only to start, as Helm wants it without `--wait-for-jobs` (default: true, to complete). */
  readonly waitForJobs?: boolean | ((job: ObjectRef) => boolean)
  /** Adds events, failing pods and log tails to the error (default: true). */
  readonly diagnose?: boolean
  /** Lines of log for each failing pod (default: 20; 0 for none). */
  readonly logTailLines?: number
  /**
   * How long a failure that may heal by itself must last before it counts. By default a missing Secret or ConfigMap has 60 s, an image
   * that cannot be pulled 30 s, other container errors and a passed deadline 10 s, a crash loop none.
   */
  readonly failGraceMs?: number
  /** How long the first status of a custom resource is waited for once all else is ready (default: 10 s). */
  readonly statusGraceMs?: number
  /** Restarts that a crash-looping container may have before it counts as failed (default: 0). */
  readonly allowedRestarts?: number
  /** Removes secrets from messages and logs (default: removes nothing). */
  readonly mask?: (text: string) => string
}

type ChosenOptions = Required<Omit<WaitOptions, 'failGraceMs' | 'onEvent'>> & Pick<WaitOptions, 'failGraceMs'>

/** What was waited for. */
export interface WaitResult {
  readonly objects: readonly WaitedObject[]
  readonly waitedMs: number
}

const defaults: ChosenOptions = {
  timeoutMs: 300_000,
  rules: [],
  failFast: true,
  until: 'Current',
  waitForJobs: true,
  diagnose: true,
  logTailLines: 20,
  statusGraceMs: defaultStatusGraceMs,
  allowedRestarts: 0,
  mask: (text) => text,
}

/**
 * Waits until every object is ready, telling each change of status. Throws `wait.failed` as soon as one cannot become
 * ready and `wait.timeout` when time is over; both carry `details.objects` with failing pods, their last events and log
 * tails. A CEL rule that cannot be read throws `cel.invalid` before anything is waited for.
 */
export function waitForReady(
  cluster: Cluster,
  targets: readonly WaitTarget[],
  options: WaitOptions,
  ctx: Context,
): Operation<WaitResult> {
  return operation('waitForReady', () => waitForTargets(cluster, targets, options, ctx), options)
}

async function* waitForTargets(
  cluster: Cluster,
  targets: readonly WaitTarget[],
  options: WaitOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, WaitResult> {
  const began = monotonicNow(ctx.clock)
  const chosen: ChosenOptions = { ...defaults, ...defined(options) }
  const objects = trackTargets(targets)
  if (chosen.until === 'Deleted') {
    yield* waitForDeleted(cluster, targets, { timeoutMs: chosen.timeoutMs }, ctx)
    for (const tracked of objects) tracked.status = { status: 'NotFound', message: 'is gone' }
  } else {
    yield* untilReady(cluster, objects, chosen, chosen.until, ctx)
  }
  return {
    objects: objects.map((tracked) => waitedObject(tracked, chosen.mask)),
    waitedMs: monotonicNow(ctx.clock) - began,
  }
}

async function* untilReady(
  cluster: Cluster,
  objects: readonly TrackedObject[],
  options: ChosenOptions,
  until: 'Current' | 'Completed',
  ctx: Context,
): AsyncGenerator<LadingEvent, void> {
  const began = monotonicNow(ctx.clock)
  const rules = compileRules(options.rules)
  // A broken annotation of an object at hand is reported before anything is waited for.
  for (const { given } of objects) if (given !== undefined) rules(given)
  const scope = openScope(ctx)
  const { allowedRestarts, failGraceMs, statusGraceMs, failFast, waitForJobs, mask } = options
  const workloads = countWorkloads(objects)
  const workloadsIn = (namespace: string): number => workloads.get(namespace) ?? 0
  const pods = watchWorkloadPods(cluster, { allowedRestarts, workloadsIn, tell: scope.tell, run: scope.run }, scope.ctx)
  const how = { rules, pods, until, allowedRestarts, statusGraceMs, waitForJobs }
  const report = createStatusReport(createObjectCheck(cluster, how, scope.ctx), { failGraceMs, mask }, scope)
  const passSilent = createStatusGrace(statusGraceMs, scope)
  const fail = async (code: 'wait.failed' | 'wait.timeout'): Promise<never> => {
    scope.stop()
    const limits = { ...options, waitedMs: monotonicNow(ctx.clock) - began }
    throw await notReadyError(cluster, code, objects, report.causes, limits, ctx)
  }

  try {
    for (const group of watchGroups(objects.filter(needsWatch))) {
      scope.run(followGroup(cluster, group, scope.tell, scope.ctx))
    }
    scope.tellAfter(options.timeoutMs, { type: 'timeout' })
    let stale = new Set(objects.filter((tracked) => tracked.presence === 'present'))
    let timedOut = false
    for (;;) {
      for (const tracked of stale) yield* report.of(tracked)
      for (const tracked of passSilent(objects)) yield* report.of(tracked)
      // What still had time to heal has none left.
      if (timedOut) for (const tracked of objects) tracked.status = tracked.failing?.status ?? tracked.status
      const outcome = outcomeOf(objects)
      if (outcome === 'ready') return
      if (outcome === 'settled' || (outcome === 'failing' && (failFast || timedOut))) await fail('wait.failed')
      if (timedOut) await fail('wait.timeout')

      const news = await scope.news()
      stale = new Set(news.flatMap((one) => takeNews(one, objects)))
      const ended = news.find((one) => one.type === 'ended')
      if (ended !== undefined) throw ctx.signal.aborted ? cancelled(ctx.signal.reason) : toLadingError(ended.error)
      timedOut = news.some((one) => one.type === 'timeout')
    }
  } finally {
    await scope.close()
  }
}

/** `failing` while some fail and others go on, `settled` when some failed and nothing goes on any more. */
function outcomeOf(objects: readonly TrackedObject[]): 'ready' | 'waiting' | 'failing' | 'settled' {
  const open = objects.some(({ status }) => status.status !== 'Current' && status.status !== 'Failed')
  if (objects.some(({ status }) => status.status === 'Failed')) return open ? 'failing' : 'settled'
  return open ? 'waiting' : 'ready'
}

/** Nobody works on settled kinds: one that the caller has from the API server is as ready as it will be. */
function needsWatch(tracked: TrackedObject): boolean {
  return tracked.given === undefined || !isAlwaysReadyKind(tracked.ref)
}

function countWorkloads(objects: readonly TrackedObject[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { ref } of objects) {
    if (!isWorkload(ref)) continue
    const namespace = ref.namespace ?? ''
    counts.set(namespace, (counts.get(namespace) ?? 0) + 1)
  }
  return counts
}
