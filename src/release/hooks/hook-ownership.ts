import {
  type Context,
  isLadingError,
  type KubeObject,
  LadingError,
  type ObjectMeta,
  type ObjectRef,
} from '../../core/index.ts'
import { type Cluster, getMetadata, keepPolicy, patchObject } from '../../kube/index.ts'
import { annotation } from '../annotations/annotations.ts'
import { crdPolicyOf } from '../ownership/crd-policy.ts'
import type { ReleaseName } from '../release-name.ts'
import { otherHelmMarks, otherRelease, ownRelease } from '../ownership/ownership.ts'
import { marksOf } from '../ownership.ts'

/** Whose hook it is, and whether it may replace what belongs to others. */
export interface HookClaim {
  readonly release: ReleaseName
  readonly takeOwnership?: boolean
}

/** The object of a hook as it is written: it says which release ran it, so that nobody else removes it. */
export function markHook(object: KubeObject, release: ReleaseName): KubeObject {
  // A shared CRD is no single release's.
  if (crdPolicyOf(object) === 'shared') return object
  const annotations = { ...object.metadata.annotations, ...marksOf('lading.dev', release) }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

/** Whether a live object was created by a hook of this release, and nobody else claims it. */
export function isOwnHook(live: KubeObject, release: ReleaseName): boolean {
  const { metadata } = live
  const isMarked = Object.entries(marksOf('lading.dev', release)).every(
    ([key, value]) => metadata.annotations?.[key] === value,
  )
  return isMarked && annotation(live, 'hook') !== undefined && otherRelease(metadata, release) === undefined
}

/**
 * What a hook would replace: words for a plan. Throws `release.not-owned` unless it is this release's, or a hook that no release has marked, as
 * Helm leaves them, and no policy keeps.
 */
export function replacedBy(hook: KubeObject, live: ObjectMeta, { release, takeOwnership = false }: HookClaim): string {
  if (crdPolicyOf(hook) === 'shared') return 'a shared CRD'
  const other = otherRelease(live, release)
  if (other === undefined && ownRelease(live, release)) return 'what this release left'
  const isHook = annotation({ ...hook, metadata: live }, 'hook') !== undefined
  const keep = keepPolicy(live)
  if (other === undefined && isHook && keep === undefined) return 'a hook that carries no marks of a release'
  const found = other === undefined ? unmarked(isHook, keep) : `what belongs to the release ${other}`
  if (takeOwnership) return found
  const message = `it would replace ${found}; allow it to be taken over, remove it, or rename the hook`
  throw new LadingError('release.not-owned', message)
}

function unmarked(isHook: boolean, keep: string | undefined): string {
  const what = isHook ? 'a hook' : 'an object'
  return keep === undefined ? `${what} that does not belong to the release` : `${what} with the annotation ${keep}`
}

/** What has a hook's name. Of a kind that is not served nothing can be there; what may not be looked at is left to the server. */
export async function findReplaced(cluster: Cluster, ref: ObjectRef, ctx: Context): Promise<KubeObject | undefined> {
  try {
    return await getMetadata(cluster, ref, ctx)
  } catch (error) {
    if (isLadingError(error, 'kube.unknown-kind', 'kube.forbidden')) return undefined
    throw error
  }
}

/** Removes Helm's marks of the release that an object is taken from; Lading's are overwritten. */
export async function dropOtherMarks(
  cluster: Cluster,
  ref: ObjectRef,
  live: ObjectMeta,
  release: ReleaseName,
  ctx: Context,
): Promise<void> {
  const marks = otherHelmMarks(live, release)
  if (marks.length === 0) return
  const annotations = Object.fromEntries(marks.map((name) => [name, null]))
  await patchObject(cluster, ref, { metadata: { annotations } }, { type: 'merge', fieldManager: 'lading' }, ctx)
}
