import type { Context, KubeObject, ObjectRef } from '../core/index.ts'
import type { Cluster } from './cluster.ts'
import { writeQuery } from './create.ts'
import { objectBody } from './object-body.ts'
import { objectPath, resolveResource } from './paths.ts'
import { requestKind } from './request-kind.ts'
import type { UpdateOptions } from './update.ts'

/** How an object is patched. */
export interface PatchOptions extends UpdateOptions {
  /** RFC 6902, RFC 7386, or Kubernetes' own merge by list keys, which custom resources do not offer. */
  readonly type: 'json' | 'merge' | 'strategic'
}

const contentTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

/** Patches an object and gives what it became. */
export async function patchObject(
  cluster: Cluster,
  ref: ObjectRef,
  patch: unknown,
  options: PatchOptions,
  ctx: Context,
): Promise<KubeObject> {
  const resource = await resolveResource(cluster, ref, ctx)
  const body = await requestKind(
    cluster,
    ref,
    {
      method: 'PATCH',
      path: objectPath(resource, ref, options.subresource),
      query: writeQuery(options),
      body: patch,
      contentType: contentTypes[options.type],
    },
    ctx,
  )
  return objectBody(body)
}
