import { type Context, objectId } from '../../core/index.ts'
import { readLiveIndex } from '../../kube/index.ts'
import { decideCrds } from '../ownership/crd-actions.ts'
import { isCrd } from '../ownership/crd-policy.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { DesiredObject } from '../record/desired-object.ts'
import type { Plan, PlanAction } from '../plan.ts'
import { type Claim, ownedAction } from '../ownership/take-over.ts'

/** A plan older than this is checked again before it is carried out. */
const freshMs = 2_000

/** Whether something slow, such as waiting for the lock, has passed since a plan was made. */
export function isOld({ createdAt }: Plan, ctx: Context): boolean {
  // Whether it is from the past or, since the clock was set back, from the future.
  return Math.abs(ctx.clock.now() - Date.parse(createdAt)) > freshMs
}

/**
 * Looks again at objects that are about to be written, and gives the actions that are different now. Server-side apply merges into
 * whatever is there: an object that somebody else created since the plan was made would be taken over, and deleted with the release later.
 */
export async function lookAgain(
  { cluster }: ReleaseEngine,
  objects: readonly DesiredObject[],
  actions: ReadonlyMap<string, PlanAction>,
  claim: Claim,
  ctx: Context,
): Promise<PlanAction[]> {
  const crds = await decideCrds(cluster, claim.release, claim.ownership, objects, claim.takeOwnership, ctx)
  const others = objects.filter(({ ref }) => !isCrd(ref))
  const index = await readLiveIndex(
    cluster,
    others.map(({ ref }) => ref),
    'metadata',
    ctx,
  )
  return objects.flatMap((wanted): PlanAction[] => {
    const { id, ref } = wanted
    const crd = crds.get(id)
    if (crd !== undefined) return [{ ref, ...crd }]
    const planned = actions.get(objectId(ref))
    const live = index.get(id)
    if (planned === undefined || live === undefined || live === null) return []
    return [ownedAction(planned, wanted, live.metadata, claim)]
  })
}
