import {
  type Context,
  formatRef,
  isLadingError,
  type KubeObject,
  LadingError,
  type LadingEvent,
  monotonicNow,
  objectId,
  type ObjectRef,
  refOf,
  type Operation,
  operation,
  type OperationOptions,
} from '../../core/index.ts'
import { type Cluster, compileRules, waitForReady, type WaitOptions } from '../../kube/index.ts'
import { type HealthState, type HealthStatus, healthOfSet, type ObjectHealth } from './health-status.ts'
import { type HealthCheck, parseCheck } from './parse-check.ts'
import { probe, type ProbeResult } from './probe.ts'
import { type HealthUrls, refuseHealthUrls } from './url-access.ts'
import { firstTrouble, type Trouble } from './watch-trouble.ts'

/** How readiness is waited for. */
export type WaitLimits = Pick<WaitOptions, 'rules' | 'failGraceMs' | 'statusGraceMs' | 'mask'>

/** How health is checked. */
export interface HealthOptions extends WaitLimits {
  /** Which addresses url checks may ask (default: none). */
  readonly healthUrls?: HealthUrls
  /** Limit of the whole check (default: five minutes). */
  readonly timeoutMs?: number
  /** How long everything has to stay healthy (default: no time). */
  readonly stabilizationMs?: number
  /** Pause between two http or command checks, which cannot be watched (default: 2 s). */
  readonly intervalMs?: number
}

/** How healthy objects are at the end. */
export interface HealthResult extends HealthStatus {
  readonly waitedMs: number
  /** Why they are not healthy, as the error to throw where health is needed. */
  readonly failure?: LadingError
}

/**
 * Waits until objects are healthy: ready by the built-in rules or their own, their http and command checks passed, and all of it
 * for the length of the stabilisation window. What is not healthy in time is told in the result, not thrown.
 */
export function checkHealth(
  cluster: Cluster,
  objects: readonly KubeObject[],
  { onEvent, ...options }: HealthOptions & OperationOptions,
  ctx: Context,
): Operation<HealthResult> {
  return operation('checkHealth', () => checking(cluster, objects, options, ctx), { onEvent })
}

async function* checking(
  cluster: Cluster,
  objects: readonly KubeObject[],
  options: HealthOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, HealthResult> {
  const { timeoutMs = 300_000, stabilizationMs = 0, intervalMs = 2_000, healthUrls, ...limits } = options
  refuseHealthUrls(objects, healthUrls)
  const look = (check: HealthCheck): Promise<ProbeResult> => maskedProbe(cluster, check, { ...limits, healthUrls }, ctx)
  const checks = objects.flatMap((object) => parseCheck(object) ?? [])
  const checked = new Set(checks.map(({ ref }) => objectId(ref)))
  const refs = objects.map(refOf)
  const began = monotonicNow(ctx.clock)
  const deadline = began + timeoutMs
  const told = new Map<string, string>()
  const end = (failure?: LadingError, bad: readonly ObjectHealth[] = []): HealthResult =>
    resultOf(refs, bad, failure, monotonicNow(ctx.clock) - began)

  let failing: readonly { check: HealthCheck; result: ProbeResult }[] = []
  const endFailing = (): HealthResult => {
    const bad = failing.map(({ check, result }) => degraded(check.ref, result.message))
    return end(unhealthy(bad, monotonicNow(ctx.clock) - began), bad)
  }

  // After the first look only what is checked is looked at again, so that a crash between two checks ends the wait at once.
  for (let targets = refs; ; targets = refs.filter((ref) => checked.has(objectId(ref)))) {
    const left = Math.max(1, deadline - monotonicNow(ctx.clock))
    const unready = yield* untilReady(cluster, targets, { ...limits, timeoutMs: left }, told, ctx)
    // Once all was ready and a check failed, running out of time says nothing about readiness: the check is what is wrong.
    if (unready?.code === 'wait.timeout' && failing.length > 0) return endFailing()
    if (unready !== undefined) return end(unready, healthOfWaited(unready))
    const results = await Promise.all(checks.map(async (check) => ({ check, result: await look(check) })))
    for (const { check, result } of results) yield* tellOnce(check, result, told)
    failing = results.filter(({ result }) => !result.passed)
    if (failing.length > 0) {
      if (monotonicNow(ctx.clock) + intervalMs >= deadline) return endFailing()
      await ctx.clock.sleep(intervalMs, ctx.signal)
      continue
    }
    if (stabilizationMs === 0) return end()
    if (monotonicNow(ctx.clock) + stabilizationMs > deadline) {
      const failure = new LadingError('wait.timeout', unstable(stabilizationMs, monotonicNow(ctx.clock) - began), {
        objects: [],
      })
      return { ...end(failure), state: 'progressing' }
    }
    yield { type: 'progress', message: `everything is healthy, and has to stay so for ${stabilizationMs / 1000} s` }
    const trouble = await holdOut(cluster, refs, checks, look, { ...limits, stabilizationMs, intervalMs }, ctx)
    if (trouble === undefined) return end()
    told.delete(objectId(trouble.ref))
    yield { type: 'warning', ref: trouble.ref, message: `did not stay healthy: ${trouble.message}` }
    checked.add(objectId(trouble.ref))
  }
}

/** Waits for readiness; what prevents it comes back as data. Tells each status once. */
async function* untilReady(
  cluster: Cluster,
  refs: readonly ObjectRef[],
  options: WaitOptions,
  told: Map<string, string>,
  ctx: Context,
): AsyncGenerator<LadingEvent, LadingError<'wait.failed' | 'wait.timeout'> | undefined> {
  if (refs.length === 0) return undefined
  try {
    for await (const event of waitForReady(cluster, refs, options, ctx)) {
      if (event.type === 'status') {
        const id = `ready ${objectId(event.ref)}`
        if (told.get(id) === event.message) continue
        told.set(id, event.message)
      }
      yield event
    }
    return undefined
  } catch (error) {
    if (isLadingError(error, 'wait.failed', 'wait.timeout')) return error
    throw error
  }
}

function* tellOnce(
  { ref }: HealthCheck,
  { passed, message }: ProbeResult,
  told: Map<string, string>,
): Generator<LadingEvent> {
  if (told.get(objectId(ref)) === message) return
  told.set(objectId(ref), message)
  yield { type: 'status', ref, status: passed ? 'Current' : 'InProgress', message }
}

/** Watches the objects and repeats their checks for the length of the window; gives what went wrong first. */
async function holdOut(
  cluster: Cluster,
  refs: readonly ObjectRef[],
  checks: readonly HealthCheck[],
  look: (check: HealthCheck) => Promise<ProbeResult>,
  options: WaitLimits & Required<Pick<HealthOptions, 'stabilizationMs' | 'intervalMs'>>,
  ctx: Context,
): Promise<Trouble | undefined> {
  const stop = new AbortController()
  const inner: Context = { ...ctx, signal: AbortSignal.any([ctx.signal, stop.signal]) }
  const until = monotonicNow(ctx.clock) + options.stabilizationMs
  const trouble = firstTrouble(cluster, refs, compileRules(options.rules ?? []), inner)
  try {
    while (monotonicNow(ctx.clock) < until) {
      const left = until - monotonicNow(ctx.clock)
      const pause = ctx.clock.sleep(checks.length === 0 ? left : Math.min(left, options.intervalMs), inner.signal)
      const seen = await Promise.race([trouble, pause.then(() => undefined)])
      if (seen !== undefined) return { ...seen, message: options.mask?.(seen.message) ?? seen.message }
      for (const check of checks) {
        const { passed, message } = await look(check)
        if (!passed) return { ref: check.ref, message }
      }
    }
    return undefined
  } finally {
    stop.abort()
    await trouble.catch(() => undefined)
  }
}

async function maskedProbe(
  cluster: Cluster,
  check: HealthCheck,
  { mask = (text) => text, healthUrls }: WaitLimits & { readonly healthUrls: HealthUrls | undefined },
  ctx: Context,
): Promise<ProbeResult> {
  const result = await probe(cluster, check, healthUrls, ctx)
  return { ...result, message: mask(result.message) }
}

function resultOf(
  refs: readonly ObjectRef[],
  bad: readonly ObjectHealth[],
  failure: LadingError | undefined,
  waitedMs: number,
): HealthResult {
  const known = new Map(bad.map((object) => [objectId(object.ref), object]))
  const objects = refs.map(
    (ref) => known.get(objectId(ref)) ?? { ref, state: 'healthy' as const, message: 'is healthy' },
  )
  return { ...healthOfSet(objects), waitedMs, ...(failure === undefined ? {} : { failure }) }
}

function healthOfWaited(failure: LadingError<'wait.failed' | 'wait.timeout'>): ObjectHealth[] {
  return (failure.details.objects ?? []).map(({ ref, status, message }) => {
    const state: HealthState = status === 'Failed' ? 'failed' : status === 'Current' ? 'healthy' : 'progressing'
    return { ref, state, message }
  })
}

function degraded(ref: ObjectRef, message: string): ObjectHealth {
  return { ref, state: 'degraded', message }
}

function unhealthy(bad: readonly ObjectHealth[], waitedMs: number): LadingError {
  const objects = bad.map(({ ref, message }) => ({
    ref,
    status: 'InProgress' as const,
    reason: 'HealthCheckFailed',
    message,
  }))
  const texts = bad.map(({ ref, message }) => `${formatRef(ref)}: ${message}`)
  const message = `not healthy after ${Math.round(waitedMs / 1000)} s: ${texts.join('; ')}`
  return new LadingError('wait.timeout', message, { objects, waitedMs })
}

function unstable(windowMs: number, waitedMs: number): string {
  const [window, waited] = [windowMs, waitedMs].map((ms) => Math.round(ms / 1000))
  return `healthy after ${waited} s, but the time allowed does not leave ${window} s to see that it stays so`
}
