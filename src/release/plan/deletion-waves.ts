import { isLadingError, type KubeObject, objectId, type ObjectRef, refOf } from '../../core/index.ts'
import { readObjects } from '../../core/yaml/index.ts'
import { deletionStagesOf } from '../../kube/index.ts'
import type { ReleaseName } from '../release-name.ts'
import type { ReleaseHistory } from '../record/history.ts'
import { isHome } from './home-namespace.ts'
import { waveOrder, wavesOf } from './waves.ts'

/** What is deleted together, after everything that was applied later is gone. */
export interface DeletionWave<T> {
  readonly order: number
  readonly step: number
  /** In the reverse of the order of kinds. */
  readonly items: readonly T[]
}

/**
 * Groups what is to be deleted into waves, the exact reverse of how the recorded manifests were applied. What stands in none of them is of
 * wave 0; the release's own namespace is the last of all.
 */
export function deletionWaves<T>(
  items: readonly T[],
  refOfItem: (item: T) => ObjectRef,
  history: ReleaseHistory,
  release: ReleaseName,
): DeletionWave<T>[] {
  const places = items.length < 2 ? new Map<string, Place>() : placesOf(recordedObjects(history), release.namespace)
  const placeOf = (ref: ObjectRef): Place => {
    const { namespace: _, ...unplaced } = ref
    if (isHome(ref, release)) return { order: -Infinity, step: 0 }
    // A manifest of Helm's may name no namespace.
    return places.get(objectId(ref)) ?? places.get(objectId(unplaced)) ?? { order: 0, step: 0 }
  }
  const placed = items.map((item) => ({ item, ...placeOf(refOfItem(item)) }))
  return [...Map.groupBy(placed, ({ order, step }) => `${order}/${step}`).values()]
    .map((members) => ({
      order: members[0]?.order ?? 0,
      step: members[0]?.step ?? 0,
      items: deletionStagesOf(members, ({ item }) => refOfItem(item)).flatMap(({ objects }) =>
        objects.map(({ item }) => item),
      ),
    }))
    .sort((a, b) => b.order - a.order || b.step - a.step)
}

interface Place {
  readonly order: number
  readonly step: number
}

/** The objects of the revision that stands, and of the latest, which knows better. */
function recordedObjects({ current, latest }: ReleaseHistory): KubeObject[] {
  const manifests = new Set([current?.record.manifest ?? '', latest?.record.manifest ?? ''])
  const objects = [...manifests].flatMap((manifest) => readObjects(manifest))
  return [...new Map(objects.map((object) => [objectId(refOf(object)), object])).values()]
}

function placesOf(objects: readonly KubeObject[], namespace: string): Map<string, Place> {
  const places = new Map<string, Place>()
  try {
    for (const { order, step, objects: members } of wavesOf(objects, namespace)) {
      for (const object of members) places.set(objectId(refOf(object)), { order, step })
    }
  } catch (error) {
    if (!isLadingError(error)) throw error
    // What was deployed once, by Helm or of two revisions together, must be possible to delete: `wait-for` is left out then.
    for (const object of objects) places.set(objectId(refOf(object)), { order: orderOf(object), step: 0 })
  }
  return places
}

function orderOf(object: KubeObject): number {
  try {
    return waveOrder(object)
  } catch (error) {
    if (!isLadingError(error)) throw error
    return 0
  }
}
