import { type Context, isLadingError, type KubeObject, LadingError, type ObjectRef, refOf } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { asKind, objectBody } from './object-body.ts'
import type { BuiltinApiVersion, GroupArgument, KindArgument, ObjectShape, ReferencedObject } from '../object-types.ts'
import { objectPath, resolveResource } from '../discovery/paths.ts'
import { requestKind } from './request-kind.ts'

/** Reads one object, typed by the kind that the reference names; undefined if it does not exist. */
export async function getObject<
  const Group extends string | ObjectShape = string,
  const Version extends string = string,
  const Kind extends string = string,
>(
  cluster: Cluster,
  ref: ObjectRef<GroupArgument<Group>, Version, Kind>,
  ctx: Context,
): Promise<ReferencedObject<Group, Version, Kind> | undefined> {
  const body = await read(cluster, ref, 'application/json', ctx)
  return body === undefined ? undefined : (objectBody(body) as ReferencedObject<Group, Version, Kind>)
}

/** Reads one object by its path, `namespace/name`, or `name` alone where the kind has no namespaces. */
export async function get<const ApiVersion extends BuiltinApiVersion | (string & {}), const Kind extends string>(
  cluster: Cluster,
  apiVersion: ApiVersion,
  kind: KindArgument<ApiVersion, Kind>,
  path: string,
  ctx: Context,
): Promise<KubeObject<ApiVersion, Kind> | undefined> {
  return (await getObject(cluster, refAt(apiVersion, kind, path), ctx)) as KubeObject<ApiVersion, Kind> | undefined
}

/** The reference to the object of a kind at a path, `namespace/name` or `name`. */
export function refAt(apiVersion: string, kind: string, path: string): ObjectRef {
  const [first = '', second, ...more] = path.split('/')
  if (first === '' || second === '' || more.length > 0) {
    throw new LadingError('usage.invalid', `an object is named NAMESPACE/NAME or NAME, not ${path}`)
  }
  return refOf({
    apiVersion,
    kind,
    metadata: second === undefined ? { name: first } : { namespace: first, name: second },
  })
}

/** Reads only the metadata of an object, under its own kind; undefined if it does not exist. */
export async function getMetadata(cluster: Cluster, ref: ObjectRef, ctx: Context): Promise<KubeObject | undefined> {
  const body = await read(cluster, ref, partialMetadata, ctx)
  return body === undefined ? undefined : asKind(body, ref)
}

/** Asks for the metadata alone, of an object or of the objects that a watch delivers. */
export const partialMetadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'

async function read(cluster: Cluster, ref: ObjectRef, accept: string, ctx: Context): Promise<unknown> {
  const resource = await resolveResource(cluster, ref, ctx)
  try {
    return await requestKind(cluster, ref, { method: 'GET', path: objectPath(resource, ref), accept }, ctx)
  } catch (error) {
    if (isLadingError(error, 'kube.not-found')) return undefined
    throw error
  }
}
