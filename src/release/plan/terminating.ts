import {
  type Context,
  defined,
  endOf,
  isLadingError,
  type LadingEvent,
  type ObjectMeta,
  overtime,
  timeLeft,
} from '../../core/index.ts'
import { type Cluster, waitForDeleted } from '../../kube/index.ts'
import type { PlanAction } from '../plan.ts'
import { refusalsOf, refuseAll } from './refuse-plan.ts'

/** The action for an object that is being deleted: whatever is written to it goes with it. */
export function terminatingAction(judgement: PlanAction, live: ObjectMeta): PlanAction {
  const { ref, hash } = judgement
  const held = live.finalizers ?? []
  const by = held.length === 0 ? '' : `, and the finalizers ${held.join(', ')} hold it`
  const reason = `it is being deleted${by}: it has to be gone before it can be created`
  const liveVersion = live.resourceVersion ?? null
  return { ref, ...defined({ hash }), action: 'invalid', liveVersion, reason, code: 'kube.terminating' }
}

/** Waits until the objects are gone that a plan found being deleted, and says whether there were any; other refusals need no waiting. */
export async function* waitUntilGone(
  cluster: Cluster,
  actions: readonly PlanAction[],
  timeoutMs: number,
  ctx: Context,
): AsyncGenerator<LadingEvent, boolean> {
  const refused = actions.filter(({ action }) => action === 'invalid' || action === 'conflict')
  if (refused.length === 0 || refused.some(({ code }) => code !== 'kube.terminating')) return false
  const refs = refused.map(({ ref }) => ref)
  try {
    yield* waitForDeleted(cluster, refs, { timeoutMs: timeLeft(endOf(timeoutMs, ctx), ctx) }, overtime(ctx))
  } catch (error) {
    // The time is up: the plan is refused with its own words, which name the finalizers.
    if (!isLadingError(error, 'delete.timeout')) throw error
    refuseAll(refusalsOf({ actions: refused }))
  }
  return true
}
