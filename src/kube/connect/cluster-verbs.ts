import type { Context, KubeObject } from '../../core/index.ts'
import { parseApiVersion } from '../../core/index.ts'
import { applyObject, type ApplyOptions, type ApplyResult } from '../apply/apply.ts'
import { createObject, type WriteOptions } from '../apply/create.ts'
import { patchObject, type PatchOptions } from '../apply/patch.ts'
import { updateObject, type UpdateOptions } from '../apply/update.ts'
import type { Cluster } from '../cluster.ts'
import { deleteObject, type DeleteOptions, type DeleteResult } from '../delete/delete.ts'
import type {
  BuiltinApiVersion,
  KindArgument,
  ObjectShape,
  ObjectToApply,
  ObjectToCreate,
  ObjectToUpdate,
  PatchOf,
  SubresourceObject,
  WrittenObject,
} from '../object-types.ts'
import { get, refAt } from '../read/get.ts'
import { listObjects, type ListQuery, type ObjectList } from '../read/list.ts'
import { type FollowQuery, type WatchEvent, watchObjects } from '../watch/watch.ts'

/** An apiVersion: that of a built-in kind, which editors complete, or any other. */
export type ApiVersionArgument = BuiltinApiVersion | (string & {})

/**
 * The verbs of a connected cluster, typed by apiVersion and kind. An object is named by its path: `namespace/name`, or `name` where the
 * kind has no namespaces. The context is by default the one that the cluster was connected with.
 */
export interface ClusterVerbs {
  /** Reads an object; undefined if it does not exist. */
  get<const ApiVersion extends ApiVersionArgument, const Kind extends string>(
    apiVersion: ApiVersion,
    kind: KindArgument<ApiVersion, Kind>,
    path: string,
    ctx?: Context,
  ): Promise<KubeObject<ApiVersion, Kind> | undefined>
  /** Lists objects, of all namespaces or of one. */
  list<const ApiVersion extends ApiVersionArgument, const Kind extends string>(
    apiVersion: ApiVersion,
    kind: KindArgument<ApiVersion, Kind>,
    query?: Omit<ListQuery, 'gvk' | 'metadataOnly'>,
    ctx?: Context,
  ): Promise<ObjectList<KubeObject<ApiVersion, Kind>>>
  /** Follows objects: first those that exist, then every change. */
  watch<const ApiVersion extends ApiVersionArgument, const Kind extends string>(
    apiVersion: ApiVersion,
    kind: KindArgument<ApiVersion, Kind>,
    query?: Omit<FollowQuery, 'gvk' | 'metadataOnly'>,
    ctx?: Context,
  ): AsyncGenerator<WatchEvent<KubeObject<ApiVersion, Kind>>>
  /** Creates an object that must not exist yet. */
  create<Object extends ObjectShape>(
    object: ObjectToCreate<Object>,
    options?: WriteOptions,
    ctx?: Context,
  ): Promise<WrittenObject<Object>>
  /** Applies an object, or the fields that it is about, by server-side apply. */
  apply<Object extends ObjectShape>(
    object: ObjectToApply<Object>,
    options?: ApplyOptions,
    ctx?: Context,
  ): Promise<ApplyResult<WrittenObject<Object>>>
  /** Replaces an object; with a resourceVersion only if nobody changed it since. */
  update<Object extends ObjectShape>(
    object: ObjectToUpdate<Object>,
    options?: UpdateOptions,
    ctx?: Context,
  ): Promise<WrittenObject<Object>>
  /** Patches an object, with a JSON merge patch by default. */
  patch<
    const ApiVersion extends ApiVersionArgument,
    const Kind extends string,
    const Type extends PatchOptions['type'] = 'merge',
    const Subresource extends string = 'status',
  >(
    apiVersion: ApiVersion,
    kind: KindArgument<ApiVersion, Kind>,
    path: string,
    patch: PatchOf<SubresourceObject<KubeObject<ApiVersion, Kind>, Subresource>, Type>,
    options?: Omit<PatchOptions<Type, Subresource>, 'type'> & { readonly type?: Type },
    ctx?: Context,
  ): Promise<SubresourceObject<KubeObject<ApiVersion, Kind>, Subresource>>
  /** Deletes an object and waits until it is gone. */
  delete<const ApiVersion extends ApiVersionArgument, const Kind extends string>(
    apiVersion: ApiVersion,
    kind: KindArgument<ApiVersion, Kind>,
    path: string,
    options?: DeleteOptions,
    ctx?: Context,
  ): Promise<DeleteResult>
}

/** The verbs over a cluster; `own` is the context of calls without one. */
export function clusterVerbs(cluster: Cluster, own: Context): ClusterVerbs {
  const gvk = (apiVersion: string, kind: string) => ({ ...parseApiVersion(apiVersion), kind })
  const verbs = {
    get: (apiVersion: string, kind: string, path: string, ctx = own) => get(cluster, apiVersion, kind, path, ctx),
    list: (apiVersion: string, kind: string, query: Omit<ListQuery, 'gvk'> = {}, ctx = own) =>
      listObjects(cluster, { ...query, gvk: gvk(apiVersion, kind) }, ctx),
    watch: (apiVersion: string, kind: string, query: Omit<FollowQuery, 'gvk'> = {}, ctx = own) =>
      watchObjects(cluster, { ...query, gvk: gvk(apiVersion, kind) }, ctx),
    create: (object: KubeObject, options: WriteOptions = {}, ctx = own) => createObject(cluster, object, options, ctx),
    apply: (object: KubeObject, options: ApplyOptions = {}, ctx = own) => applyObject(cluster, object, options, ctx),
    update: (object: KubeObject, options: UpdateOptions = {}, ctx = own) => updateObject(cluster, object, options, ctx),
    patch: (
      apiVersion: string,
      kind: string,
      path: string,
      patch: unknown,
      options: Partial<PatchOptions> = {},
      ctx = own,
    ) => patchObject(cluster, refAt(apiVersion, kind, path), patch, { type: 'merge', ...options }, ctx),
    delete: (apiVersion: string, kind: string, path: string, options: DeleteOptions = {}, ctx = own) =>
      deleteObject(cluster, refAt(apiVersion, kind, path), options, ctx),
  }
  // The types of the interface are checked where it is called; inside, everything is an untyped object.
  return verbs as unknown as ClusterVerbs
}
