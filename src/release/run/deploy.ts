import { type Context, LadingError, type LadingEvent } from '../../core/index.ts'
import { defaultTimeoutMs, type DeployOptions } from '../deploy-options.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Intent } from '../intent.ts'
import { isLateHookThere } from '../hooks/left-hooks.ts'
import { sweepLock } from '../lock/lock.ts'
import { underLock } from '../lock/under-lock.ts'
import type { Plan, PlanAction } from '../plan.ts'
import { refuseDifferent } from '../plan/compare-plans.ts'
import { dryRunHooks } from '../plan/dry-run-hooks.ts'
import { isNothingToDo, makePlan, type Planned, shownPlan, wantedState } from '../plan/make-plan.ts'
import { refuseOtherCluster } from '../plan/plan-cluster.ts'
import { refuseUnmarkable } from '../plan/plan-use.ts'
import { refusePlan } from '../plan/refuse-plan.ts'
import { waitUntilGone } from '../plan/terminating.ts'
import { existsAlready, isInstalled, needsHealing, noSuchRelease, type ReleaseHistory } from '../record/history.ts'
import type { ReleaseRecord } from '../record/record.ts'
import { checkLabels } from '../storage/release-labels.ts'
import { perform } from './perform.ts'
import { prepareHome } from './prepare-home.ts'
import { healedHistory } from './recover.ts'
import { waitUnchanged } from './wait-unchanged.ts'

/** What an operation came to. */
export interface DeployResult {
  readonly outcome: 'deployed' | 'unchanged'
  readonly plan: Plan
  /** The new revision, or the one that stands when nothing changed. */
  readonly record?: ReleaseRecord
}

/** Brings a release to what is intended: plans, and unless nothing is to do, applies under the release's lock. */
export async function* deploy(
  engine: ReleaseEngine,
  intent: Intent,
  options: DeployOptions,
  history: ReleaseHistory,
  ctx: Context,
): AsyncGenerator<LadingEvent, DeployResult> {
  const { release, plan: approved } = intent
  checkLabels(options.labels)
  if (approved !== undefined) await refuseOtherCluster(engine.cluster, approved, ctx)
  // What is wrong with the objects themselves is known before the first write, the namespace included.
  const desired = yield* wantedState(engine, intent, options, history, ctx)
  const withoutHome = async function* (homes: readonly PlanAction[]): AsyncGenerator<LadingEvent, void> {
    const planned = yield* makePlan(engine, intent, desired, history, homes, options, ctx)
    if (approved !== undefined)
      yield* compared(engine, approved, planned, options, { isIdle: false, madeHome: false }, ctx)
  }
  const { home, madeHome } = yield* prepareHome(engine, intent, options, withoutHome, ctx)
  // An approved plan is held against one that is made under the lock.
  const first =
    approved === undefined ? yield* makePlan(engine, intent, desired, history, home, options, ctx) : undefined
  if (first !== undefined) {
    const isIdle = isNothingToDo(intent, first, history, options) && !needsHealing(history.revisions)
    if (isIdle && !(await isLateHookThere(engine.cluster, release, history, ctx))) {
      await sweepLock(engine.cluster, release, ctx)
      yield* waitUnchanged(engine.cluster, first, history, options, ctx)
      return unchanged(first, history)
    }
  }

  const work = async function* (locked: Context): AsyncGenerator<LadingEvent, DeployResult> {
    // What was planned before the lock may have moved; a plan that was approved must not have.
    if (approved !== undefined) await refuseUnmarkable(engine.cluster, approved, locked)
    const { history: now, healed } = yield* healedHistory(engine, release, history, locked)
    const moved = healed || now.latest?.token !== history.latest?.token
    if (moved) refuseOvertaken(intent, now)
    const replan = () => makePlan(engine, intent, desired, now, home, options, locked)
    const found = moved || first === undefined ? yield* replan() : first
    // An approved plan shows no such object, so that it differs and is refused.
    const limit = options.timeoutMs ?? defaultTimeoutMs
    const waited = approved === undefined && (yield* waitUntilGone(engine.cluster, found.plan.actions, limit, locked))
    const planned = waited ? yield* replan() : found
    const isIdle = isNothingToDo(intent, planned, now, options)
    const same =
      approved === undefined
        ? undefined
        : yield* compared(engine, approved, planned, options, { isIdle, madeHome }, locked)
    if (isIdle) {
      yield* waitUnchanged(engine.cluster, planned, now, options, locked)
      return unchanged(planned, now)
    }
    const tested = same ?? (yield* dryRunHooks(engine.cluster, planned.desired.hooks, planned.plan, options, locked))
    if (options.onError !== 'continue') refusePlan(tested)
    const record = yield* perform(engine, intent, planned, now, options, locked)
    return { outcome: 'deployed', plan: planned.plan, record }
  }
  return yield* underLock(engine, release, intent.operation, work, ctx)
}

/** The plan as it is made now, if the approved one says the same. */
async function* compared(
  engine: ReleaseEngine,
  approved: Plan,
  planned: Planned,
  options: DeployOptions,
  { isIdle, madeHome }: { readonly isIdle: boolean; readonly madeHome: boolean },
  ctx: Context,
): AsyncGenerator<LadingEvent, Plan> {
  const now = yield* shownPlan(engine, planned, isIdle, options, ctx)
  refuseDifferent(approved, now, { madeHome })
  return now
}

/** While the lock was waited for, another command may have installed the release, or removed it. */
function refuseOvertaken({ operation, release, after }: Intent, history: ReleaseHistory): void {
  if (after !== undefined && history.latest?.record.version !== after) {
    const { name, namespace } = release
    const message = `another operation has worked on release ${namespace}/${name} since revision ${after}`
    throw new LadingError('release.changed', message, { name, namespace })
  }
  if (operation === 'install' && isInstalled(history)) throw existsAlready(release, history)
  const gone = history.latest === undefined || history.latest.record.state.status === 'uninstalled'
  if (operation === 'upgrade' && gone) throw noSuchRelease(release)
}

function unchanged({ plan }: Planned, { latest }: ReleaseHistory): DeployResult {
  return { outcome: 'unchanged', plan, ...(latest === undefined ? {} : { record: latest.record }) }
}
