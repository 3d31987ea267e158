import type { Context, KubeObject } from '../../core/index.ts'
import { type Cluster, getObject, ownershipMismatch } from '../../kube/index.ts'
import { crdPolicyOf, isCrd, richerLive, servesAll, sharedReason } from './crd-policy.ts'
import type { DesiredObject } from '../record/desired-object.ts'
import type { ReleaseName } from '../release-name.ts'
import { fingerprint } from '../record/inventory.ts'
import { otherRelease } from './ownership.ts'
import type { Ownership } from '../ownership.ts'
import type { PlanAction } from '../plan.ts'

type Decision = Pick<PlanAction, 'action' | 'reason' | 'code'>

/**
 * Decides about CRDs that are there already and are not simply applied, by id. A CRD changes its owner, or gets one, only when that
 * is asked for: with it, its custom resources are at stake, and these may be anybody's.
 */
export async function decideCrds(
  cluster: Cluster,
  release: ReleaseName,
  ownership: Ownership,
  objects: readonly DesiredObject[],
  takeOwnership: boolean,
  ctx: Context,
): Promise<Map<string, Omit<PlanAction, 'ref'>>> {
  const crds = objects.filter(({ ref }) => isCrd(ref))
  const found = await Promise.all(
    crds.map(async ({ id, ref, object }) => ({ id, object, live: await getObject(cluster, ref, ctx) })),
  )
  return new Map(
    found.flatMap(({ id, object, live }) => {
      if (live === undefined) return []
      const decision = decide(object, live, release, ownership, takeOwnership)
      if (decision === undefined) return []
      const mark = { liveVersion: live.metadata.resourceVersion ?? null, liveFingerprint: fingerprint(live.metadata) }
      return [[id, { ...decision, ...mark }] as const]
    }),
  )
}

function decide(
  desired: KubeObject,
  live: KubeObject,
  release: ReleaseName,
  { guard }: Ownership,
  takeOwnership: boolean,
): Decision | undefined {
  const { metadata } = live
  const other = takeOwnership ? undefined : otherRelease(metadata, release)
  if (crdPolicyOf(desired) === 'shared') {
    if (other !== undefined) {
      const owner = `it belongs to the release ${other}`
      return servesAll(desired, live)
        ? { action: 'keep', reason: `${owner}, and serves what this one does` }
        : conflict(`${owner}, and is different from this one; allow it to be taken over, or bring the same`)
    }
    const richer = richerLive(desired, live)
    return richer === undefined ? undefined : { action: 'keep', reason: richer }
  }
  if (takeOwnership) return undefined
  const owner = other === undefined ? undefined : `it belongs to the release ${other}`
  const reason = owner ?? sharedReason(desiredKind, metadata) ?? ownershipMismatch(metadata, guard)
  if (reason === undefined) return undefined
  return conflict(`it exists and does not belong to the release (${reason}); allow it to be taken over, or remove it`)
}

const desiredKind = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }

function conflict(reason: string): Decision {
  return { action: 'conflict', reason, code: 'release.not-owned' }
}
