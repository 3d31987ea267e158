import { type Context, formatRef, LadingError, objectId, type ObjectMeta } from '../core/index.ts'
import type { Cluster } from '../kube/index.ts'
import { fingerprint } from './inventory.ts'
import { liveMetadata } from './live-metadata.ts'
import type { Plan, PlanAction } from './plan.ts'

/** Refuses an approved plan when the source, the release or its objects have moved since. */
export async function refuseMoved(cluster: Cluster, approved: Plan, current: PlanBase, ctx: Context): Promise<void> {
  refuseOutdated(approved, current)
  await refuseStale(cluster, approved, ctx)
}

/** Refuses an approved plan when the source renders something else now, or the release has another revision. */
export function refuseOutdated(approved: Plan, { objectsHash, previous }: PlanBase): void {
  if (approved.objectsHash !== objectsHash) {
    throw new LadingError('plan.stale', 'the plan is stale: the source renders other objects than when it was made')
  }
  if (approved.previous === previous) return
  const message = `the plan is stale: it was made on revision ${approved.previous}, the release is at ${previous}`
  throw new LadingError('plan.stale', message, { planned: approved.previous, current: previous })
}

type PlanBase = Pick<Plan, 'objectsHash' | 'previous'>

/** Refuses a plan whose objects have moved since it was made, naming what moved. */
async function refuseStale(cluster: Cluster, plan: Plan, ctx: Context): Promise<void> {
  const live = await liveMetadata(
    cluster,
    plan.actions.map(({ ref }) => ref),
    ctx,
  )
  const moved = plan.actions.filter((action) => hasMoved(action, live.get(objectId(action.ref))))
  if (moved.length === 0) return
  const names = moved.slice(0, 3).map(({ ref }) => formatRef(ref))
  const more = moved.length > names.length ? ` and ${moved.length - names.length} more` : ''
  const message = `the plan is stale: ${names.join(', ')}${more} changed since it was made`
  throw new LadingError('plan.stale', message, { moved: moved.map(({ ref }) => ref) })
}

function hasMoved({ liveVersion, liveFingerprint }: PlanAction, live: ObjectMeta | undefined): boolean {
  if (live === undefined || liveVersion === null) return (live === undefined) !== (liveVersion === null)
  return live.resourceVersion !== liveVersion && fingerprint(live) !== liveFingerprint
}
