import {
  type Context,
  formatRef,
  type Holdup,
  isLadingError,
  isRecord,
  type KubeObject,
  LadingError,
  type ObjectRef,
  type Operation,
  operation,
} from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { groupForWatching } from '../read/collections.ts'
import { watchObjects, type WatchQuery } from '../watch/watch.ts'
import { cancelled } from '../transport/wire-error.ts'

/** An object whose end is waited for; one of the same name with another uid does not count as it. */
export interface Terminating {
  readonly ref: ObjectRef
  readonly uid?: string
}

/** News of objects that are on their way out. */
export type TerminationEvent =
  | { readonly type: 'gone'; readonly ref: ObjectRef }
  | { readonly type: 'waiting'; readonly holdup: Holdup; readonly message: string }

/** Up to this many objects of a kind and namespace get a watch of their own each; more share one of the collection. */
const ownWatchUpTo = 4

/**
 * Watches until every object is gone or the time is over. The result is what still exists, with what holds it. Everything that waits for
 * deletions waits here.
 */
export function watchTermination(
  cluster: Cluster,
  objects: readonly Terminating[],
  timeoutMs: number,
  ctx: Context,
): Operation<readonly Holdup[], TerminationEvent> {
  return operation('watchTermination', () => watchUntilGone(cluster, objects, timeoutMs, ctx))
}

async function* watchUntilGone(
  cluster: Cluster,
  objects: readonly Terminating[],
  timeoutMs: number,
  ctx: Context,
): AsyncGenerator<TerminationEvent, readonly Holdup[]> {
  const stop = new AbortController()
  const inner: Context = { ...ctx, signal: AbortSignal.any([ctx.signal, stop.signal]) }
  const news: TerminationEvent[] = []
  const failures: unknown[] = []
  const holdups = new Map<ObjectRef, Holdup>(objects.map(({ ref }) => [ref, unseen(ref)]))
  let timedOut = false
  let wake = (): void => undefined

  const tell = (event: TerminationEvent): void => {
    if (event.type === 'gone') holdups.delete(event.ref)
    else holdups.set(event.holdup.ref, event.holdup)
    news.push(event)
    wake()
  }
  const watches = groupForWatching(objects, ownWatchUpTo)
    .map(watchGroupOf)
    .map(({ query, members }) =>
      watchGroup(cluster, query, members, tell, inner).catch((error: unknown) => {
        if (!stop.signal.aborted) failures.push(error)
        wake()
      }),
    )
  const limit = ctx.clock.sleep(timeoutMs, inner.signal).then(
    () => {
      timedOut = true
      wake()
    },
    () => undefined,
  )
  try {
    for (;;) {
      yield* news.splice(0)
      if (news.length > 0) continue
      if (ctx.signal.aborted) throw cancelled(ctx.signal.reason)
      if (failures.length > 0) throw failures[0]
      if (holdups.size === 0 || timedOut) return [...holdups.values()]
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    stop.abort()
    await Promise.all([...watches, limit])
  }
}

/** The error for objects that still exist when the time is over, with what each of them waits for. */
export function terminationTimeout(holdups: readonly Holdup[], timeoutMs: number): LadingError {
  const told = holdups.slice(0, 3).map((holdup) => `${formatRef(holdup.ref)} (${tellHoldup(holdup)})`)
  const more = holdups.length > told.length ? ` and ${holdups.length - told.length} more` : ''
  const message = `still there after ${Math.round(timeoutMs / 100) / 10} s: ${told.join(', ')}${more}`
  return new LadingError('delete.timeout', message, { timeoutMs, waitingFor: holdups })
}

/** What an object waits for, in a sentence. */
export function tellHoldup(holdup: Holdup): string {
  const parts = [
    ...(holdup.finalizers.length > 0 ? [`waiting for finalizers ${holdup.finalizers.join(', ')}`] : []),
    ...holdup.conditions.map((condition) => `${condition.type}: ${condition.message}`),
  ]
  return parts.length > 0 ? parts.join('; ') : 'terminating'
}

interface WatchGroup {
  readonly query: WatchQuery
  readonly members: Map<string, Terminating>
}

function watchGroupOf(members: readonly Terminating[]): WatchGroup {
  const { group, version, kind, namespace, name } = (members[0] as Terminating).ref
  const query: WatchQuery = {
    gvk: { group, version, kind },
    // Only a namespace tells in its status why it lingers.
    metadataOnly: !(group === '' && kind === 'Namespace'),
    namespace,
    fieldSelector: members.length === 1 ? `metadata.name=${name}` : undefined,
  }
  return { query, members: new Map(members.map((member) => [member.ref.name, member])) }
}

async function watchGroup(
  cluster: Cluster,
  query: WatchQuery,
  members: Map<string, Terminating>,
  tell: (event: TerminationEvent) => void,
  ctx: Context,
): Promise<void> {
  const told = new Map<string, string>()
  const seen = new Set<string>()
  const gone = (member: Terminating): void => {
    members.delete(member.ref.name)
    tell({ type: 'gone', ref: member.ref })
  }
  try {
    for await (const event of watchObjects(cluster, query, ctx)) {
      if (event.type === 'synced') {
        for (const member of members.values()) if (!seen.has(member.ref.name)) gone(member)
      } else if (event.type === 'added' || event.type === 'modified' || event.type === 'deleted') {
        const { metadata } = event.object
        const member = members.get(metadata.name)
        if (member === undefined) continue
        seen.add(metadata.name)
        const replaced = member.uid !== undefined && metadata.uid !== member.uid
        if (event.type === 'deleted' || replaced) {
          gone(member)
        } else {
          const holdup = holdupOf(member.ref, event.object)
          const message = tellHoldup(holdup)
          if (told.get(metadata.name) !== message) tell({ type: 'waiting', holdup, message })
          told.set(metadata.name, message)
        }
      }
      if (members.size === 0) return
    }
  } catch (error) {
    // With its CRD every object of a kind goes.
    if (!isLadingError(error, 'kube.unknown-kind')) throw error
    for (const member of members.values()) gone(member)
  }
}

function unseen(ref: ObjectRef): Holdup {
  return { ref, finalizers: [], conditions: [] }
}

function holdupOf(ref: ObjectRef, object: KubeObject): Holdup {
  const { finalizers = [], deletionTimestamp } = object.metadata
  const ofNamespace = ref.kind === 'Namespace' && ref.group === ''
  const spec = ofNamespace && isRecord(object['spec']) ? object['spec'] : {}
  const status = ofNamespace && isRecord(object['status']) ? object['status'] : {}
  const conditions = listAt(status['conditions']).filter(isRecord)
  return {
    ref,
    finalizers: [...finalizers, ...listAt(spec['finalizers']).filter((finalizer) => typeof finalizer === 'string')],
    conditions: conditions.flatMap(({ type, status: holds, message }) =>
      holds === 'True' && typeof type === 'string'
        ? [{ type, message: typeof message === 'string' ? message : '' }]
        : [],
    ),
    deletionTimestamp,
  }
}

function listAt(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
