import { type Context, gvkOf, type KubeObject, refOf } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { type WriteOptions, writeQuery } from './create.ts'
import { objectBody } from '../read/object-body.ts'
import type { ObjectShape, ObjectToUpdate, WrittenObject } from '../object-types.ts'
import { objectPath, resolveResource } from '../discovery/paths.ts'
import { requestKind } from '../read/request-kind.ts'

/** How an object is updated. */
export interface UpdateOptions extends WriteOptions {
  /** For example `status`; the object itself when absent. */
  readonly subresource?: string
}

/** Replaces an object; with a resourceVersion in its metadata only if nobody changed it since (`kube.conflict`). */
export async function updateObject<Object extends ObjectShape>(
  cluster: Cluster,
  object: ObjectToUpdate<Object>,
  options: UpdateOptions,
  ctx: Context,
): Promise<WrittenObject<Object>> {
  return (await update(cluster, object as KubeObject, options, ctx)) as WrittenObject<Object>
}

async function update(cluster: Cluster, object: KubeObject, options: UpdateOptions, ctx: Context): Promise<KubeObject> {
  const gvk = gvkOf(object)
  const resource = await resolveResource(cluster, gvk, ctx)
  const path = objectPath(resource, refOf(object), options.subresource)
  const body = await requestKind(cluster, gvk, { method: 'PUT', path, query: writeQuery(options), body: object }, ctx)
  return objectBody(body)
}
