import {
  type Context,
  type GroupVersionKind,
  isLadingError,
  LadingError,
  monotonicNow,
  objectId,
  type ObjectRef,
  runConcurrently,
} from '../../core/index.ts'
import { computeStatus } from '../../schema/index.ts'
import type { Cluster } from '../cluster.ts'
import { watchObjects, type WatchEvent, type WatchQuery } from '../watch/watch.ts'

const watchesInFlight = 8

/** Waits until CRDs are established; gives an error for each that will not be, by object id. */
export async function waitUntilEstablished(
  cluster: Cluster,
  crds: readonly ObjectRef[],
  timeoutMs: number,
  ctx: Context,
): Promise<Map<string, LadingError>> {
  const failures = new Map<string, LadingError>()
  const work = async (ref: ObjectRef, inner: Context): Promise<void> => {
    let message = 'nothing is known of it'
    const settled = await firstWithin(cluster, { gvk: ref, name: ref.name }, timeoutMs, inner, (event) => {
      if (event.type !== 'added' && event.type !== 'modified') return undefined
      const status = computeStatus(event.object)
      message = status.message
      return status.status === 'Current' || status.status === 'Failed' ? status : undefined
    })
    if (settled?.status === 'Current') return
    const code = settled === undefined ? 'wait.timeout' : 'wait.failed'
    failures.set(objectId(ref), new LadingError(code, `${ref.name} is not established: ${message}`, { ...ref }))
  }
  for await (const _ of runConcurrently(crds, watchesInFlight, work, ctx));
  return failures
}

/** Waits until discovery shows the kinds, which lags behind Established; gives up quietly, for the write will tell. */
export async function waitUntilServed(
  cluster: Cluster,
  kinds: readonly GroupVersionKind[],
  timeoutMs: number,
  ctx: Context,
): Promise<void> {
  const deadline = monotonicNow(ctx.clock) + timeoutMs
  cluster.discovery.invalidate()
  for (const kind of kinds) {
    // There is no event for a change of discovery: each `find` of an unknown kind reads it again.
    for (let delay = 25; (await cluster.discovery.find(kind, ctx)) === undefined; delay = Math.min(delay * 2, 1_000)) {
      if (monotonicNow(ctx.clock) + delay > deadline) return
      await ctx.clock.sleep(delay, ctx.signal)
    }
  }
}

/** Waits until a service account exists, as controllers make the one named `default` of a new namespace; false if not in time. */
export async function waitForServiceAccount(
  cluster: Cluster,
  namespace: string,
  name: string,
  timeoutMs: number,
  ctx: Context,
): Promise<boolean> {
  const gvk = { group: '', version: 'v1', kind: 'ServiceAccount' }
  const query = { gvk, namespace, name, metadataOnly: true }
  const found = await firstWithin(cluster, query, timeoutMs, ctx, (event) => event.type === 'added' || undefined)
  return found === true
}

/** What `pick` makes of the first event that it takes, or undefined when time is over before. */
async function firstWithin<T>(
  cluster: Cluster,
  query: WatchQuery,
  timeoutMs: number,
  ctx: Context,
  pick: (event: WatchEvent) => T | undefined,
): Promise<T | undefined> {
  const stop = new AbortController()
  const inner: Context = { ...ctx, signal: AbortSignal.any([ctx.signal, stop.signal]) }
  const limit = ctx.clock.sleep(timeoutMs, inner.signal).then(
    () => stop.abort(),
    () => undefined,
  )
  try {
    for await (const event of watchObjects(cluster, query, inner)) {
      const picked = pick(event)
      if (picked !== undefined) return picked
    }
    return undefined
  } catch (error) {
    if (stop.signal.aborted && !ctx.signal.aborted && isLadingError(error, 'cancelled')) return undefined
    throw error
  } finally {
    stop.abort()
    await limit
  }
}
