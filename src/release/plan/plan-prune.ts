import { type Context, objectId, type ObjectRef, refOf } from '../../core/index.ts'
import { type Cluster, keepPolicy, ownershipMismatch, readLiveIndex } from '../../kube/index.ts'
import { sharedReason } from '../ownership/crd-policy.ts'
import { type CrdUsers, useReason } from '../ownership/crd-use.ts'
import type { Desired } from './desired.ts'
import type { ReleaseName } from '../release-name.ts'
import { isHome } from './home-namespace.ts'
import { fingerprint } from '../record/inventory.ts'
import { liveMetadata } from '../ownership/live-metadata.ts'
import { findNamespaceUses, namespaceReason } from '../ownership/namespace-use.ts'
import type { Ownership } from '../ownership.ts'
import type { Plan, PlanAction } from '../plan.ts'
import type { InventoryEntry } from '../record/record.ts'
import { isOwnOrphan, takesOthersAlong } from '../ownership/orphan-rules.ts'

/** Works out what happens to what the release has and no longer wants: deleted where it carries the release's marks, kept otherwise. */
export async function planPrune(
  cluster: Cluster,
  { guard }: Ownership,
  desired: Desired,
  inventory: readonly InventoryEntry[],
  stays: ReleaseName | undefined,
  ctx: Context,
): Promise<PlanAction[]> {
  const wanted = new Set([...desired.objects.map(({ id }) => id), ...desired.required.map(objectId)])
  const left = inventory.filter(({ ref }) => !wanted.has(objectId(ref)))
  const found = await liveMetadata(
    cluster,
    left.map(({ ref }) => ref),
    ctx,
  )
  return left.flatMap(({ ref }): PlanAction[] => {
    const live = found.get(objectId(ref))
    if (live === undefined) return []
    const liveVersion = live.resourceVersion ?? null
    // With the namespace everything in it would go, the rest of the release and its records too.
    const home = stays !== undefined && isHome(ref, stays) ? 'it is the namespace of the release itself' : undefined
    const reason = keepPolicy(live) ?? sharedReason(ref, live) ?? ownershipMismatch(live, guard) ?? home
    const mark = { liveVersion, liveFingerprint: fingerprint(live) }
    return [reason === undefined ? { ref, action: 'delete', ...mark } : { ref, action: 'keep', ...mark, reason }]
  })
}

/**
 * Works out which of the objects that earlier, failed revisions meant to have are there all the same, with the release's marks: a process
 * that had lost its lock wrote them. Nothing else is ever theirs, and what takes other objects along is left to people.
 */
export async function planAbandoned(
  cluster: Cluster,
  { guard }: Ownership,
  desired: Pick<Desired, 'objects' | 'hooks'>,
  abandoned: readonly InventoryEntry[],
  ctx: Context,
): Promise<PlanAction[]> {
  const hooks = desired.hooks.map(({ object }) => objectId(refOf(object)))
  const wanted = new Set([...desired.objects.map(({ id }) => id), ...hooks])
  const refs = abandoned.map(({ ref }) => ref).filter((ref) => !wanted.has(objectId(ref)) && !takesOthersAlong(ref))
  const index = await readLiveIndex(cluster, refs, 'metadata', ctx)
  return refs.flatMap((ref): PlanAction[] => {
    const live = index.get(objectId(ref))
    if (live === undefined || live === null || !isOwnOrphan(live, guard)) return []
    const { metadata } = live
    const mark = { liveVersion: metadata.resourceVersion ?? null, liveFingerprint: fingerprint(metadata) }
    return [{ ref, action: 'delete', ...mark, reason: 'a revision that was interrupted left it' }]
  })
}

/** Why an object that the release no longer wants stays where nothing is pruned. */
const leftOverReason = 'it is left over from another revision, and nothing is pruned'

/** The actions for what the release no longer wants where nothing is to be deleted. */
export function leaveUnpruned(actions: readonly PlanAction[]): PlanAction[] {
  return actions.map((action) =>
    action.action === 'delete' ? { ...action, action: 'keep', reason: leftOverReason } : action,
  )
}

/** What a plan leaves on the cluster only because nothing is pruned. */
export function leftOverOf({ actions }: Pick<Plan, 'actions'>): ObjectRef[] {
  return actions.flatMap(({ ref, action, reason }) => (action === 'keep' && reason === leftOverReason ? [ref] : []))
}

/** Holds up the deletion of CRDs that others use, or tells what goes with them where that is allowed. */
export async function planCrdDeletes(
  actions: readonly PlanAction[],
  users: CrdUsers,
  allowed: boolean,
  ctx: Context,
): Promise<PlanAction[]> {
  const deleting = actions.filter(({ action }) => action === 'delete' || action === 'replace').map(({ ref }) => ref)
  const uses = new Map((await users.find(deleting, ctx)).map((use) => [objectId(use.crd), use]))
  return actions.map((action) => {
    const use = uses.get(objectId(action.ref))
    if (use === undefined) return action
    const reason = useReason(use)
    return allowed ? { ...action, reason } : { ...action, action: 'conflict', reason, code: 'release.crd-in-use' }
  })
}

/** Holds up the deletion of namespaces that other releases are in. */
export async function planNamespaceDeletes(
  cluster: Cluster,
  release: ReleaseName,
  actions: readonly PlanAction[],
  ctx: Context,
): Promise<PlanAction[]> {
  const deleting = actions.filter(({ action }) => action === 'delete').map(({ ref }) => ref)
  const found = await findNamespaceUses(cluster, release, deleting, ctx)
  const uses = new Map(found.map((use) => [objectId(use.namespace), namespaceReason(use)]))
  return actions.map((action) => {
    const reason = uses.get(objectId(action.ref))
    return reason === undefined ? action : { ...action, action: 'conflict', reason, code: 'release.namespace-in-use' }
  })
}
