import { type Context, type LadingEvent, objectId, type ObjectRef } from '../../core/index.ts'
import { type DeleteRules, keepPolicy, ownershipMismatch } from '../../kube/index.ts'
import { isCrd, sharedReason } from './crd-policy.ts'
import { crdInUse, CrdUsers, destroyed, type OwnedRecords } from './crd-use.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import { liveMetadata } from './live-metadata.ts'

/**
 * Refuses to delete a set with CRDs that others use, before anything of it is deleted, or names what goes with them where that is allowed. Gives the rules for the delete itself, which look
 * again at the last moment: only the release's own objects go, and no CRD that is shared or that others have come to use.
 */
export async function* deleteRulesOf(
  engine: ReleaseEngine,
  release: ReleaseName,
  owned: OwnedRecords,
  targets: readonly ObjectRef[],
  { deleteCustomResources = false }: { readonly deleteCustomResources?: boolean | undefined },
  ctx: Context,
): AsyncGenerator<LadingEvent, DeleteRules> {
  const { guard } = engine.store.ownership(release)
  const users = new CrdUsers(engine, release, owned)
  const crds = targets.filter(isCrd)
  const live = await liveMetadata(engine.cluster, crds, ctx)
  const going = crds.filter((ref) => {
    const found = live.get(objectId(ref))
    if (found === undefined) return false
    return (keepPolicy(found) ?? sharedReason(ref, found) ?? ownershipMismatch(found, guard)) === undefined
  })
  const refuse = async (refs: readonly ObjectRef[], inner: Context): Promise<void> => {
    const uses = deleteCustomResources ? [] : await users.find(refs, inner)
    if (uses.length > 0) throw crdInUse(uses)
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
