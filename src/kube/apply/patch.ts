import type { Context, ObjectRef } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { writeQuery } from './create.ts'
import { objectBody } from '../read/object-body.ts'
import type { GroupArgument, ObjectShape, PatchOf, ReferencedObject, SubresourceObject } from '../object-types.ts'
import { objectPath, resolveResource } from '../discovery/paths.ts'
import { requestKind } from '../read/request-kind.ts'
import type { UpdateOptions } from './update.ts'

/** How an object is patched. */
export interface PatchOptions<
  Type extends 'json' | 'merge' | 'strategic' = 'json' | 'merge' | 'strategic',
  Subresource extends string = string,
> extends UpdateOptions {
  /** RFC 6902, RFC 7386, or Kubernetes' own merge by list keys, which custom resources do not offer. */
  readonly type: Type
  /** For example `status`; the object itself when absent. */
  readonly subresource?: Subresource
}

const contentTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

/** Patches an object and gives what it became. */
export async function patchObject<
  const Group extends string | ObjectShape = string,
  const Version extends string = string,
  const Kind extends string = string,
  const Type extends PatchOptions['type'] = PatchOptions['type'],
  const Subresource extends string = 'status',
>(
  cluster: Cluster,
  ref: ObjectRef<GroupArgument<Group>, Version, Kind>,
  patch: PatchOf<SubresourceObject<ReferencedObject<Group, Version, Kind>, Subresource>, Type>,
  options: PatchOptions<Type, Subresource>,
  ctx: Context,
): Promise<SubresourceObject<ReferencedObject<Group, Version, Kind>, Subresource>> {
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
  return objectBody(body) as SubresourceObject<ReferencedObject<Group, Version, Kind>, Subresource>
}
