import type { Context } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { groupForWatching } from '../read/collections.ts'
import type { ObjectChange } from '../set/known-objects.ts'
import { type WatchEvent, watchObjects, type WatchQuery } from '../watch/watch.ts'
import { staysTrue, type TrackedObject } from './tracked-object.ts'

/** What a watch tells about the objects that are waited for. */
export type TargetNews =
  | { readonly type: 'changed'; readonly tracked: TrackedObject; readonly change: ObjectChange }
  /** The first look is over; what was not told does not exist. */
  | { readonly type: 'synced'; readonly members: readonly TrackedObject[] }

/** Objects that one watch covers. */
export interface WatchGroup {
  readonly query: WatchQuery
  readonly members: readonly TrackedObject[]
}

/** Up to this many objects of a kind and namespace get a watch of their own each; more share one of the collection. */
const ownWatchUpTo = 3

/** Divides objects into watches. */
export function watchGroups(objects: readonly TrackedObject[]): WatchGroup[] {
  return groupForWatching(objects, ownWatchUpTo).map((members) => {
    const [first, ...more] = members as [TrackedObject, ...TrackedObject[]]
    return { query: more.length === 0 ? ownQuery(first) : collectionQuery(first), members }
  })
}

/** Follows one watch until the signal aborts. */
export async function followGroup(
  cluster: Cluster,
  group: WatchGroup,
  tell: (news: TargetNews) => void,
  ctx: Context,
): Promise<void> {
  const { query, members } = group
  const byName = new Map(members.map((member) => [member.ref.name, member]))
  for await (const event of watchObjects(cluster, query, ctx)) {
    const news = toNews(event, byName, members)
    if (news !== undefined) tell(news)
  }
}

function toNews(
  event: WatchEvent,
  byName: ReadonlyMap<string, TrackedObject>,
  members: readonly TrackedObject[],
): TargetNews | undefined {
  switch (event.type) {
    case 'synced':
      return { type: 'synced', members }
    case 'bookmark':
    case 'relisted':
      return undefined
    default: {
      const tracked = byName.get(event.object.metadata.name)
      return tracked === undefined ? undefined : { type: 'changed', tracked, change: event }
    }
  }
}

function collectionQuery({ ref: { group, version, kind, namespace } }: TrackedObject): WatchQuery {
  return { gvk: { group, version, kind }, namespace }
}

/** A Job is watched from the moment that the caller saw it, so that its end is seen even if it is removed right after. */
function ownQuery(member: TrackedObject): WatchQuery {
  const { given, ref } = member
  const resourceVersion = given?.metadata.resourceVersion
  const from = given === undefined || resourceVersion === undefined ? undefined : { items: [given], resourceVersion }
  return { ...collectionQuery(member), name: ref.name, ...(from && staysTrue(ref) && { from }) }
}
