import {
  type Context,
  endOf,
  isLadingError,
  type KubeObject,
  LadingError,
  type LadingEvent,
  objectId,
  overtime,
  toLadingError,
} from '../../core/index.ts'
import type { Cluster } from '../../kube/index.ts'
import { defaultTimeoutMs, type DeployOptions } from '../deploy-options.ts'
import type { ReleaseHistory } from '../record/history.ts'
import type { Planned } from '../plan/make-plan.ts'
import { isGone, releaseMask, requireHealth, waitForWave } from './perform.ts'

/**
 * Waits for a release that needs no change, as after an apply, where that is asked for: who asks to wait wants to know whether the
 * release is healthy, not only that nothing was written.
 */
export async function* waitUnchanged(
  cluster: Cluster,
  { desired, plan }: Planned,
  history: ReleaseHistory,
  options: DeployOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  const { wait, atomic, stabilizationMs = 0, timeoutMs = defaultTimeoutMs } = options
  if (wait !== true && atomic !== true && stabilizationMs === 0) return
  const deadline = endOf(timeoutMs, ctx)
  const limited = overtime(ctx)
  const actions = new Map(plan.actions.map((action) => [objectId(action.ref), action]))
  const members = desired.objects.filter(({ id }) => !isGone(actions.get(id)))
  const masked = { ...options, mask: releaseMask(desired, history) }
  try {
    const objects = new Set(members.map(({ object }) => object))
    const due = { objects, completing: options.waitForJobs === true ? objects : new Set<KubeObject>() }
    yield* waitForWave(cluster, members, due, masked, deadline, limited)
    if (stabilizationMs > 0) yield* requireHealth(cluster, members, masked, deadline, limited)
  } catch (error) {
    if (isLadingError(error, 'cancelled', 'timeout')) throw error
    throw notHealthy(plan, toLadingError(error), atomic === true)
  }
}

function notHealthy({ release, previous }: Planned['plan'], failure: LadingError, atomic: boolean): LadingError {
  const { name, namespace } = release
  const problem = `release ${namespace}/${name} is unchanged at revision ${previous}, but not healthy: ${failure.message}`
  const message = atomic ? `${problem}; nothing was changed, so nothing is rolled back` : problem
  return new LadingError(failure.code, message, { ...failure.details, ...release }, { cause: failure })
}
