import { type Context, type LadingEvent, objectId, type ObjectRef } from '../../core/index.ts'
import { type DeleteRules, keepPolicy, ownershipMismatch } from '../../kube/index.ts'
import { sharedReason } from './crd-policy.ts'
import { crdInUse, CrdUsers, destroyed, type OwnedRecords } from './crd-use.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import { liveMetadata } from './live-metadata.ts'
import { findNamespaceUses, isNamespace, namespaceInUse } from './namespace-use.ts'
import { takesOthersAlong } from './orphan-rules.ts'

/** What a delete may take along, and what stays. */
interface DeleteLimits {
  readonly deleteCustomResources?: boolean | undefined
  readonly keepHistory?: boolean | undefined
}

/**
 * Refuses to delete a set with CRDs that others use or namespaces that other releases are in, before anything of it is deleted, or names what goes with them where that is allowed. Gives the rules for the delete itself, which look
 * again at the last moment: only the release's own objects go, and no CRD that is shared, and none of these that others have come to use.
 */
export async function* deleteRulesOf(
  engine: ReleaseEngine,
  release: ReleaseName,
  owned: OwnedRecords,
  targets: readonly ObjectRef[],
  { deleteCustomResources = false, keepHistory = false }: DeleteLimits,
  ctx: Context,
): AsyncGenerator<LadingEvent, DeleteRules> {
  const { guard } = engine.store.ownership(release)
  const users = new CrdUsers(engine, release, owned)
  // With its history the release keeps its own namespace.
  const risky = targets.filter(
    (ref) => takesOthersAlong(ref) && !(keepHistory && isNamespace(ref) && ref.name === release.namespace),
  )
  const live = await liveMetadata(engine.cluster, risky, ctx)
  const going = risky.filter((ref) => {
    const found = live.get(objectId(ref))
    if (found === undefined) return false
    return (keepPolicy(found) ?? sharedReason(ref, found) ?? ownershipMismatch(found, guard)) === undefined
  })
  const refuse = async (refs: readonly ObjectRef[], inner: Context): Promise<void> => {
    const uses = deleteCustomResources ? [] : await users.find(refs, inner)
    if (uses.length > 0) throw crdInUse(uses)
    const inUse = await findNamespaceUses(engine.cluster, release, refs, inner)
    if (inUse.length > 0) throw namespaceInUse(inUse)
  }
  await refuse(going, ctx)
  if (deleteCustomResources) for (const use of await users.find(going, ctx)) yield* destroyed(use)
  return {
    owner: guard,
    async spare(ref, found, inner) {
      const shared = sharedReason(ref, found)
      if (shared === undefined) await refuse([ref], inner)
      return shared
    },
  }
}
