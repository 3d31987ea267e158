import { type Context, isLadingError, type KubeObject, LadingError } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { partialMetadata } from '../read/get.ts'
import type { KnownObjects, ObjectChange } from '../set/known-objects.ts'
import { type ListQuery, selectors } from '../read/list.ts'
import { asKind } from '../read/object-body.ts'
import type { ObjectShape } from '../object-types.ts'
import { collectionPath, resolveResource } from '../discovery/paths.ts'
import { orUnknownKind } from '../read/request-kind.ts'
import { statusError } from '../transport/status-error.ts'
import type { KubeRequest } from '../transport/transport.ts'
import { decodeWatch, type RawWatchEvent, untilSilent } from './watch-stream.ts'
import { cancelled } from '../transport/wire-error.ts'

/** How far a watch has come; survives its connections. */
export interface WatchState {
  readonly known: KnownObjects
  resourceVersion: string
}

/** How long a connection may last, and be silent. */
export interface ConnectionLimits {
  readonly silenceMs: number
  readonly timeoutSeconds: number | undefined
}

/** What a connection brings. */
export type ConnectionEvent<Object extends ObjectShape = KubeObject> =
  | ObjectChange<Object>
  | { readonly type: 'bookmark'; readonly resourceVersion: string }

/** How a connection ended when another one is worth making. */
export interface Ending {
  readonly how: 'closed' | 'lost' | 'expired'
  /** Whether it brought anything, be it a bookmark. */
  readonly progress: boolean
  readonly error?: LadingError
}

/** Follows one connection from the state's version to its end; throws what another connection cannot heal. */
export async function* followConnection(
  cluster: Cluster,
  scope: ListQuery,
  state: WatchState,
  limits: ConnectionLimits,
  ctx: Context,
): AsyncGenerator<ConnectionEvent, Ending> {
  let progress = false
  try {
    const request = await watchRequest(cluster, scope, state.resourceVersion, limits, ctx)
    const stream = await cluster.transport.stream(request, ctx)
    try {
      for await (const raw of decodeWatch(untilSilent(stream, limits.silenceMs, ctx))) {
        const event = readEvent(raw, request, scope, state)
        progress = true
        if (event !== undefined) yield event
      }
    } finally {
      stream.close()
    }
  } catch (error) {
    return { ...healable(orUnknownKind(cluster, scope.gvk, error), ctx), progress }
  }
  return { how: 'closed', progress }
}

/** Tells a failure that another attempt may heal; throws every other one. */
export function healable(error: unknown, ctx: Context): Pick<Ending, 'how' | 'error'> {
  if (ctx.signal.aborted) throw cancelled(ctx.signal.reason)
  if (isLadingError(error, 'kube.expired')) return { how: 'expired', error }
  if (isLadingError(error, 'kube.unreachable', 'kube.timeout', 'kube.throttled', 'kube.server-error')) {
    return { how: 'lost', error }
  }
  throw error
}

async function watchRequest(
  cluster: Cluster,
  scope: ListQuery,
  version: string,
  limits: ConnectionLimits,
  ctx: Context,
): Promise<KubeRequest> {
  const resource = await resolveResource(cluster, scope.gvk, ctx)
  return {
    method: 'GET',
    path: collectionPath(resource, scope.namespace),
    query: {
      ...selectors(scope),
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: version,
      // Watches that began together must not all come back together.
      timeoutSeconds: limits.timeoutSeconds ?? 240 + Math.floor(Math.random() * 240),
    },
    accept: scope.metadataOnly === true ? partialMetadata : 'application/json',
  }
}

function readEvent(
  raw: RawWatchEvent,
  request: KubeRequest,
  scope: ListQuery,
  state: WatchState,
): ConnectionEvent | undefined {
  if (raw.type === 'ERROR') throw statusError(Number(raw.object['code'] ?? 500), raw.object, request, {})
  const object = asKind(raw.object, scope.gvk)
  const { resourceVersion } = object.metadata
  if (resourceVersion === undefined) {
    throw new LadingError('kube.server-error', 'the API server sent a watch event without resourceVersion')
  }
  state.resourceVersion = resourceVersion
  switch (raw.type) {
    case 'BOOKMARK':
      return { type: 'bookmark', resourceVersion }
    case 'DELETED':
      return state.known.remove(object)
    default:
      return state.known.put(object)
  }
}
