import { type Context, type KubeObject, objectId, type ObjectMeta } from '../core/index.ts'
import { type Cluster, patchObject } from '../kube/index.ts'
import type { DesiredObject, ReleaseName } from './desired.ts'
import { otherMarks, otherRelease, type Ownership } from './ownership.ts'
import type { PlanAction } from './plan.ts'

/** What a plan says about an object that is taken from another release: from which, and which marks of that release go. */
export function takeOver(
  desired: KubeObject,
  live: ObjectMeta,
  release: ReleaseName,
  ownership: Ownership,
): Pick<PlanAction, 'reason' | 'removesMarks'> {
  const other = otherRelease(live, release)
  const { annotations = {} } = desired.metadata
  const removesMarks = otherMarks(live, ownership).filter((name) => annotations[name] === undefined)
  return {
    ...(other === undefined ? {} : { reason: `it is taken from the release ${other}` }),
    ...(removesMarks.length === 0 ? {} : { removesMarks }),
  }
}

/**
 * Removes the marks of the release that an object is taken from. Server-side apply leaves them, for they are another manager's fields,
 * and an object with the marks of two releases belongs to neither.
 */
export async function removeOtherMarks(
  cluster: Cluster,
  objects: readonly DesiredObject[],
  actions: ReadonlyMap<string, PlanAction>,
  { fieldManager }: Ownership,
  ctx: Context,
): Promise<void> {
  for (const { ref } of objects) {
    const { removesMarks = [] } = actions.get(objectId(ref)) ?? {}
    if (removesMarks.length === 0) continue
    const annotations = Object.fromEntries(removesMarks.map((name) => [name, null]))
    await patchObject(cluster, ref, { metadata: { annotations } }, { type: 'merge', fieldManager }, ctx)
  }
}
