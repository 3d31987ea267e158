import {
  type Context,
  type GroupVersionKind,
  isLadingError,
  type KubeObject,
  objectId,
  type ObjectRef,
  runConcurrently,
} from '../../core/index.ts'
import type { ApiResource, Cluster } from '../cluster.ts'
import { groupByCollection } from './collections.ts'
import { getMetadata, getObject } from './get.ts'
import { listPages } from './list.ts'

/** What the cluster holds of a set, by object id: null for what is not there. Ids that may not be read are missing. */
export type LiveIndex = ReadonlyMap<string, KubeObject | null>

/** From this many objects of one kind and namespace on, one LIST is cheaper than a GET for each. */
const listFrom = 10
/** A LIST is given up for single GETs once it has read this many times more objects than are wanted. */
const listPatience = 50
const getsInFlight = 32
/** Few, for each may hold a page of large objects. */
const listsInFlight = 4

/** Reads every object of a set that the cluster holds, whole or its metadata only, with few requests. */
export async function readLiveIndex(
  cluster: Cluster,
  refs: readonly ObjectRef[],
  what: 'object' | 'metadata',
  ctx: Context,
): Promise<LiveIndex> {
  const index = new Map<string, KubeObject | null>()
  const alone: ObjectRef[] = []
  const list = async (group: readonly ObjectRef[], inner: Context): Promise<void> => {
    const resource = await findServed(cluster, group[0] as ObjectRef, inner)
    if (resource === undefined) {
      for (const ref of group) index.set(objectId(ref), null)
      return
    }
    const unlisted = group.length < listFrom ? group : await listInto(index, cluster, group, resource, what, inner)
    for (const ref of unlisted) alone.push({ ...ref, version: resource.version })
  }
  for await (const _ of runConcurrently(
    groupByCollection(refs, (ref) => ref),
    listsInFlight,
    list,
    ctx,
  ));
  const read = (ref: ObjectRef, inner: Context): Promise<LiveEntry> => readAlone(cluster, ref, what, inner)
  for await (const { ref, live } of runConcurrently(alone, getsInFlight, read, ctx)) {
    if (live !== undefined) index.set(objectId(ref), live)
  }
  return index
}

/**
 * The resource that serves a kind; where only the version is gone (`v1beta1`, say), the preferred version, for the
 * object is still there. Undefined when the kind is not served at all, so that no object of it can exist.
 */
export async function findServed(
  cluster: Cluster,
  gvk: GroupVersionKind,
  ctx: Context,
): Promise<ApiResource | undefined> {
  const exact = await cluster.discovery.find(gvk, ctx)
  if (exact !== undefined) return exact
  const resources = await cluster.discovery.all(ctx)
  return resources.find((resource) => resource.group === gvk.group && resource.kind === gvk.kind)
}

interface LiveEntry {
  readonly ref: ObjectRef
  readonly live: KubeObject | null | undefined
}

/** Fills the index by a LIST and gives back what it could not answer for. */
async function listInto(
  index: Map<string, KubeObject | null>,
  cluster: Cluster,
  refs: readonly ObjectRef[],
  { group, version, kind }: ApiResource,
  what: 'object' | 'metadata',
  ctx: Context,
): Promise<readonly ObjectRef[]> {
  const namespace = refs[0]?.namespace
  const wanted = new Map(refs.map((ref) => [ref.name, ref]))
  const query = {
    gvk: { group, version, kind },
    metadataOnly: what === 'metadata',
    namespace,
  }
  let seen = 0
  try {
    for await (const page of listPages(cluster, query, ctx)) {
      for (const item of page.items) {
        const ref = wanted.get(item.metadata.name)
        if (ref === undefined) continue
        index.set(objectId(ref), item)
        wanted.delete(item.metadata.name)
      }
      seen += page.items.length
      if (wanted.size === 0) return []
      if (seen > refs.length * listPatience) return [...wanted.values()]
    }
  } catch (error) {
    // An identity may be allowed to get by name and not to list; a list that expired half-way is not worth another. A kind whose CRD went away
    // since it was looked up has no objects, which single reads tell.
    if (isLadingError(error, 'kube.forbidden', 'kube.expired', 'kube.unknown-kind')) return [...wanted.values()]
    throw error
  }
  for (const ref of wanted.values()) index.set(objectId(ref), null)
  return []
}

async function readAlone(
  cluster: Cluster,
  ref: ObjectRef,
  what: 'object' | 'metadata',
  ctx: Context,
): Promise<LiveEntry> {
  try {
    return { ref, live: (await (what === 'object' ? getObject : getMetadata)(cluster, ref, ctx)) ?? null }
  } catch (error) {
    if (isLadingError(error, 'kube.unknown-kind')) return { ref, live: null }
    // Not known is not the same as not there: who needs it gets the refusal with the object's name.
    if (isLadingError(error, 'kube.forbidden')) return { ref, live: undefined }
    throw error
  }
}
