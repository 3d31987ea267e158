import {
  type Context,
  isLadingError,
  type KubeObject,
  objectId,
  type ObjectRef,
  refOf,
  runConcurrently,
} from '../../core/index.ts'
import { type ApiResource, type Cluster, keepPolicy, listObjects, ownershipMismatch } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import type { ReleaseHistory } from '../record/history.ts'
import type { Ownership } from '../ownership.ts'
import { isMadeByOthers } from '../ownership/orphan-rules.ts'
import { usualKinds } from '../ownership/usual-kinds.ts'

/** Objects that carry the marks of a release although none of its revisions knows them. */
export interface Orphans {
  readonly orphans: readonly ObjectRef[]
  /** Those that a `keep` policy left behind on purpose. */
  readonly kept: readonly ObjectRef[]
  /** What could not be looked through because it may not be listed. */
  readonly unlisted: readonly Place[]
}

/** The objects of one kind, in one namespace or of the cluster. */
export interface Place {
  readonly group: string
  readonly kind: string
  readonly namespace?: string
}

const listsInFlight = 8

/**
 * Looks for orphans by one LIST of metadata for each kind and namespace. Hooks are no orphans: they are no part of a release and
 * may outlive it; nor is what a controller made, which copies the annotations of its owner.
 */
export async function findOrphans(
  { cluster, store }: ReleaseEngine,
  release: ReleaseName,
  { inventory, abandoned, current, latest }: ReleaseHistory,
  ctx: Context,
): Promise<Orphans> {
  const ownership = store.ownership(release)
  const hooks = [current, latest].flatMap((stored) => stored?.record.hooks ?? [])
  const ofHooks = hooks.map(({ object }) => ({ namespace: release.namespace, ...refOf(object) }))
  const known = new Set([...inventory.map(({ ref }) => ref), ...ofHooks].map(objectId))
  const served = await cluster.discovery.all(ctx)
  const orphans: ObjectRef[] = []
  const kept: ObjectRef[] = []
  const unlisted: Place[] = []
  const look = async (place: Place, inner: Context): Promise<void> => {
    const resource = served.find(({ group, kind }) => group === place.group && kind === place.kind)
    if (resource === undefined || !resource.verbs.includes('list')) return
    const found = await markedIn(cluster, resource, place.namespace, ownership, inner)
    if (found === undefined) unlisted.push(place)
    for (const object of found ?? []) {
      const ref = refOf(object)
      if (known.has(objectId(ref)) || isMadeByOthers(object)) continue
      if (keepPolicy(object.metadata) === undefined) orphans.push(ref)
      else kept.push(ref)
    }
  }
  const places = placesOf([...inventory, ...abandoned], release)
  for await (const _ of runConcurrently(places, listsInFlight, look, ctx));
  return { orphans: sorted(orphans), kept: sorted(kept), unlisted }
}

function placesOf(inventory: ReleaseHistory['inventory'], { namespace }: ReleaseName): Place[] {
  const own = inventory.map(({ ref }): Place => {
    const { group, kind } = ref
    return ref.namespace === undefined ? { group, kind } : { group, kind, namespace: ref.namespace }
  })
  const usual = usualKinds.map((kind) => ({ ...kind, namespace }))
  const places = new Map(
    [...own, ...usual].map((place) => [`${place.group}/${place.kind}/${place.namespace ?? ''}`, place]),
  )
  return [...places.values()]
}

/** The objects that carry the marks; undefined when they may not be listed. */
async function markedIn(
  cluster: Cluster,
  { group, version, kind }: ApiResource,
  namespace: string | undefined,
  { guard }: Ownership,
  ctx: Context,
): Promise<KubeObject[] | undefined> {
  const labels = Object.entries(guard.labels ?? {}).map(([name, value]) => `${name}=${value}`)
  const query = {
    gvk: { group, version, kind },
    metadataOnly: true,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels.length === 0 ? {} : { labelSelector: labels.join(',') }),
  }
  try {
    const { items } = await listObjects(cluster, query, ctx)
    return items.filter(({ metadata }) => ownershipMismatch(metadata, guard) === undefined)
  } catch (error) {
    if (isLadingError(error, 'kube.forbidden')) return undefined
    // Its CRD went away meanwhile, and every object with it.
    if (isLadingError(error, 'kube.unknown-kind')) return []
    throw error
  }
}

function sorted(refs: readonly ObjectRef[]): ObjectRef[] {
  return refs.toSorted((a, b) => objectId(a).localeCompare(objectId(b)))
}
