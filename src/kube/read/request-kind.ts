import { type Context, formatApiVersion, type GroupVersionKind, isLadingError, LadingError } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import type { KubeRequest } from '../transport/transport.ts'

/** Sends a request about objects of one kind and gives the body of the answer. */
export async function requestKind(
  cluster: Cluster,
  gvk: GroupVersionKind,
  request: KubeRequest,
  ctx: Context,
): Promise<unknown> {
  try {
    return (await cluster.transport.request(request, ctx)).body
  } catch (error) {
    throw orUnknownKind(cluster, gvk, error)
  }
}

/** A 404 that names no object is about the path: what discovery knew is not served any more. */
export function orUnknownKind(cluster: Cluster, gvk: GroupVersionKind, error: unknown): unknown {
  if (!isLadingError(error, 'kube.not-found') || error.details.name !== undefined) return error
  cluster.discovery.invalidate()
  const { group, version, kind } = gvk
  const message = `the cluster no longer serves ${formatApiVersion(gvk)} ${kind}`
  return new LadingError('kube.unknown-kind', message, { group, version, kind }, { cause: error })
}
