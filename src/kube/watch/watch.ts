import { type Context, type KubeObject, type LadingError, monotonicNow } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { KnownObjects } from '../set/known-objects.ts'
import { listObjects, type ListQuery, type ObjectList, type ObjectQuery } from '../read/list.ts'
import type { GroupArgument, ObjectShape, QueriedObject } from '../object-types.ts'
import { type ConnectionEvent, type Ending, followConnection, healable, type WatchState } from './watch-connection.ts'
import { cancelled } from '../transport/wire-error.ts'

/** Which objects to follow, and how. */
export interface FollowQuery<
  Group extends string = string,
  Version extends string = string,
  Kind extends string = string,
  MetadataOnly extends boolean = boolean,
> extends ObjectQuery<Group, Version, Kind, MetadataOnly> {
  /** Only the object of this name. */
  readonly name?: string
  /** How long a connection may be silent before another one is made; API servers send a bookmark every minute. */
  readonly silenceMs?: number
  /** When the server is to end a connection, which is then resumed (default: four to eight minutes). */
  readonly timeoutSeconds?: number
}

/** Which objects to watch. */
export interface WatchQuery<
  Group extends string = string,
  Version extends string = string,
  Kind extends string = string,
  MetadataOnly extends boolean = boolean,
> extends FollowQuery<Group, Version, Kind, MetadataOnly> {
  /** A list that was already taken: the watch begins after it, and tells nothing that is in it. */
  readonly from?: ObjectList<ObjectShape>
}

/** What happens to the watched objects. */
export type WatchEvent<Object extends ObjectShape = KubeObject> =
  | ConnectionEvent<Object>
  /** Everything that existed at the start has been told. */
  | { readonly type: 'synced'; readonly resourceVersion: string }
  /** History was lost; what happened meanwhile has been told before this, as changes. */
  | { readonly type: 'relisted'; readonly resourceVersion: string }

const defaultSilenceMs = 90_000
/**
 * How long nothing may come, not even a bookmark, before the objects are listed anew. Connections that open are no proof:
 * a server whose storage was restored waits for a version that is far in the future.
 */
const blindLimitMs = 600_000
const backoff = { firstMs: 500, longestMs: 30_000 }

/**
 * Watches objects: tells those that exist, then `synced`, then every change until the signal aborts, which throws
 * `cancelled`. Lost connections are resumed where they ended, forgotten history is made up for by listing again.
 * Only what cannot heal by itself is thrown: a first list that fails, missing rights, a kind that is gone.
 */
export function watchObjects<
  const Group extends string | ObjectShape = string,
  const Version extends string = string,
  const Kind extends string = string,
  const MetadataOnly extends boolean = false,
>(
  cluster: Cluster,
  query: WatchQuery<GroupArgument<Group>, Version, Kind, MetadataOnly>,
  ctx: Context,
): AsyncGenerator<WatchEvent<QueriedObject<Group, Version, Kind, MetadataOnly>>> {
  return follow(cluster, query, ctx) as AsyncGenerator<WatchEvent<QueriedObject<Group, Version, Kind, MetadataOnly>>>
}

async function* follow(cluster: Cluster, query: WatchQuery, ctx: Context): AsyncGenerator<WatchEvent> {
  const { from, silenceMs = defaultSilenceMs, timeoutSeconds } = query
  const scope = scopeOf(query)
  const state: WatchState = { known: new KnownObjects(query.gvk), resourceVersion: from?.resourceVersion ?? '' }
  if (from === undefined) {
    yield* tellList(state, await listObjects(cluster, scope, ctx), 'synced')
  } else {
    state.known.seed(from.items as readonly KubeObject[])
  }

  let failures = 0
  let lastProgress = monotonicNow(ctx.clock)
  for (;;) {
    const began = monotonicNow(ctx.clock)
    const ending = yield* followConnection(cluster, scope, state, { silenceMs, timeoutSeconds }, ctx)
    if (ending.progress) {
      failures = 0
      lastProgress = monotonicNow(ctx.clock)
    }
    if (!endedInTime(ending, monotonicNow(ctx.clock) - began)) {
      // A first 410 is answered at once; a server that refuses what it has just listed is given time.
      if (ending.how !== 'expired' || failures > 0) await pause(ending.error, failures, ctx)
      failures += 1
    }
    if (ending.how === 'expired' || monotonicNow(ctx.clock) - lastProgress >= blindLimitMs) {
      yield* relist()
      lastProgress = monotonicNow(ctx.clock)
    }
  }

  async function* relist(): AsyncGenerator<WatchEvent> {
    for (;;) {
      let list: ObjectList
      try {
        list = await listObjects(cluster, scope, ctx)
      } catch (error) {
        await pause(healable(error, ctx).error, failures++, ctx)
        continue
      }
      return yield* tellList(state, list, 'relisted')
    }
  }
}

/** One object is watched as a list of one, by name. */
function scopeOf(query: WatchQuery): ListQuery {
  const { name, fieldSelector, from: _from, silenceMs: _silence, timeoutSeconds: _timeout, ...rest } = query
  const fields = [name === undefined ? undefined : `metadata.name=${name}`, fieldSelector].filter((part) => part)
  return fields.length === 0 ? rest : { ...rest, fieldSelector: fields.join(',') }
}

function* tellList(state: WatchState, list: ObjectList, type: 'synced' | 'relisted'): Generator<WatchEvent> {
  yield* state.known.replaceWith(list.items)
  state.resourceVersion = list.resourceVersion
  yield { type, resourceVersion: list.resourceVersion }
}

/** A watch that a server closes at its appointed time is resumed at once; a door that is slammed is not. */
function endedInTime(ending: Ending, lastedMs: number): boolean {
  return ending.how === 'closed' && (ending.progress || lastedMs >= backoff.firstMs)
}

async function pause(error: LadingError | undefined, failures: number, ctx: Context): Promise<void> {
  const ceiling = Math.min(backoff.longestMs, backoff.firstMs * 2 ** failures)
  const asked = error?.details.retryAfterSeconds ?? 0
  const delay = ceiling * (0.5 + Math.random() / 2) + asked * 1000
  ctx.log.debug('watch interrupted, resuming', { code: error?.code, delay })
  try {
    await ctx.clock.sleep(delay, ctx.signal)
  } catch (cause) {
    throw ctx.signal.aborted ? cancelled(ctx.signal.reason) : cause
  }
}
