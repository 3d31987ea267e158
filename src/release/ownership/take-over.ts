import {
  type Context,
  isLadingError,
  type KubeObject,
  objectId,
  type ObjectMeta,
  type ObjectRef,
  refOf,
} from '../../core/index.ts'
import { type Cluster, getMetadata, patchObject } from '../../kube/index.ts'
import { crdPolicyOf, sharedReason } from './crd-policy.ts'
import type { DesiredObject } from '../record/desired-object.ts'
import type { ReleaseName } from '../release-name.ts'
import { foreignReason, markedOwner, otherMarks, otherRelease, type OwnershipProof } from './ownership.ts'
import { managedByLabel, type Ownership } from '../ownership.ts'
import type { PlanAction } from '../plan.ts'

/** By what a release may claim live objects. */
export interface Claim {
  readonly release: ReleaseName
  readonly ownership: Ownership
  readonly isProven: OwnershipProof
  readonly takeOwnership: boolean
}

/** The action for an object that is there: what the server said of it, unless it is another's; told as taken where that is allowed. */
export function ownedAction(
  judgement: PlanAction,
  { id, ref, object }: DesiredObject,
  live: ObjectMeta,
  claim: Claim,
): PlanAction {
  const { release, ownership, isProven, takeOwnership } = claim
  const isShared = crdPolicyOf(object) === 'shared'
  const reason = isShared || takeOwnership ? undefined : foreignReason(id, live, release, ownership, isProven)
  if (reason !== undefined) {
    const { hash } = judgement
    const decision = { action: 'conflict', reason, code: 'release.not-owned' } as const
    return { ref, ...(hash === undefined ? {} : { hash }), ...decision, liveVersion: live.resourceVersion ?? null }
  }
  const taken = takeOver(object, live, claim)
  const isTaken = judgement.action === 'unchanged' && taken.removesMarks !== undefined
  return { ...taken, ...judgement, ...(isTaken ? { action: 'update' } : {}) }
}

/** What a plan says about an object that is taken from another release: from which, and which marks of that release go. */
function takeOver(
  desired: KubeObject,
  live: ObjectMeta,
  { release, ownership, takeOwnership }: Claim,
): Pick<PlanAction, 'reason' | 'removesMarks'> {
  const isOthers = takeOwnership || otherRelease(live, release) !== undefined
  const other = isOthers ? markedOwner(live, release, ownership) : undefined
  const isUnshared = sharedReason(refOf(desired), live) !== undefined && crdPolicyOf(desired) === 'managed'
  const policies = isUnshared ? Object.keys(live.annotations ?? {}).filter((name) => name.endsWith('/crd-policy')) : []
  const { annotations = {}, labels = {} } = desired.metadata
  const marks = [...otherMarks(live, ownership, takeOwnership), ...policies]
  const removesMarks = marks.filter((name) => (name === managedByLabel ? labels : annotations)[name] === undefined)
  const from = other?.text ?? (isUnshared ? 'all that share it' : undefined)
  return {
    ...(from === undefined ? {} : { reason: `it is taken from ${from}` }),
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
    await removeMarks(cluster, ref, removesMarks, fieldManager, ctx)
  }
}

async function removeMarks(
  cluster: Cluster,
  ref: ObjectRef,
  names: readonly string[],
  fieldManager: string,
  ctx: Context,
): Promise<void> {
  const annotations = Object.fromEntries(names.filter((name) => name !== managedByLabel).map((name) => [name, null]))
  const labels = names.includes(managedByLabel) ? { labels: { [managedByLabel]: null } } : {}
  for (let attempt = 1; ; attempt++) {
    const resourceVersion = (await getMetadata(cluster, ref, ctx))?.metadata.resourceVersion
    const metadata = { annotations, ...labels, ...(resourceVersion === undefined ? {} : { resourceVersion }) }
    try {
      await patchObject(cluster, ref, { metadata }, { type: 'merge', fieldManager }, ctx)
      return
    } catch (error) {
      // Controllers write to it too: what counts is that the version which is patched was looked at under the lock.
      if (attempt === maxAttempts || !isLadingError(error, 'kube.conflict')) throw error
    }
  }
}

const maxAttempts = 8
