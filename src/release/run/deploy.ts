import { isDeepStrictEqual } from 'node:util'
import { type Context, LadingError, type LadingEvent, parseJson, refOf, stringifyJson } from '../../core/index.ts'
import { defaultTimeoutMs, type DeployOptions } from '../deploy-options.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Intent } from '../intent.ts'
import { refuseDifferent } from '../plan/compare-plans.ts'
import { type Desired, desiredState } from '../plan/desired.ts'
import { dryRunHooks } from '../plan/dry-run-hooks.ts'
import { existsAlready, isInstalled, noSuchRelease, type ReleaseHistory } from '../record/history.ts'
import { sweepLock } from '../lock/lock.ts'
import { planCluster, refuseOtherCluster } from '../plan/plan-cluster.ts'
import { prepareHome } from './prepare-home.ts'
import { perform, type Planned } from './perform.ts'
import type { Plan, PlanAction } from '../plan.ts'
import { plannedHooks } from '../plan/planned-hooks.ts'
import { planActions } from '../plan/plan-actions.ts'
import { newPlanKey, planMask, sealPlan } from '../plan/plan-key.ts'
import { withHookObjects, withObjects } from '../plan/plan-objects.ts'
import { refuseUnmarkable } from '../plan/plan-use.ts'
import type { ReleaseRecord } from '../record/record.ts'
import { healedHistory, needsHealing } from './recover.ts'
import { problemsError, refusalsOf, refusePlan } from '../plan/refuse-plan.ts'
import { checkLabels, givenLabels, nextLabels } from '../storage/release-labels.ts'
import { waitUntilGone } from '../plan/terminating.ts'
import { underLock } from '../lock/under-lock.ts'
import { waitUnchanged } from './wait-unchanged.ts'

/** What an operation came to. */
export interface DeployResult {
  readonly outcome: 'deployed' | 'unchanged' | 'planned'
  readonly plan: Plan
  /** The new revision, or the one that stands when nothing changed. */
  readonly record?: ReleaseRecord
}

/** Brings a release to what is intended: plans, and unless it is a dry run or nothing is to do, applies under the release's lock. */
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
  const desired = yield* desiredState(
    engine,
    release,
    intent.objects,
    { ranBefore: intent.operation === 'rollback' },
    ctx,
  )
  if (desired.problems.length > 0) {
    // Some objects are wrong in themselves: what the server says about the others is told at the same time.
    const { plan } = yield* makePlan(engine, intent, desired, history, [], { ...options, dryRun: true }, ctx)
    throw problemsError(desired.problems, refusalsOf(plan))
  }
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
    if (options.dryRun === true)
      return { outcome: 'planned', plan: yield* shownPlan(engine, first, isIdle, options, ctx) }
    if (isIdle) {
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

/** A plan for people to read: with the objects that it creates, and its hooks tried. Where nothing is to do, no hook runs and no revision is made. */
async function* shownPlan(
  { cluster }: ReleaseEngine,
  { plan, desired }: Planned,
  isIdle: boolean,
  options: DeployOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, Plan> {
  if (isIdle) return { ...plan, revision: plan.previous, hooks: [] }
  const tested = yield* dryRunHooks(cluster, desired.hooks, plan, options, ctx)
  return {
    ...tested,
    actions: withObjects(tested.actions, desired.objects),
    hooks: withHookObjects(tested.hooks, desired.hooks),
  }
}

function unchanged({ plan }: Planned, { latest }: ReleaseHistory): DeployResult {
  return { outcome: 'unchanged', plan, ...(latest === undefined ? {} : { record: latest.record }) }
}

async function* makePlan(
  engine: ReleaseEngine,
  intent: Intent,
  desired: Desired,
  history: ReleaseHistory,
  home: readonly PlanAction[],
  options: DeployOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, Planned> {
  const { release, operation, source, target } = intent
  const { plan: approved } = intent
  // A plan that is shown is the API server's own word about every object; one that is carried out at once need not be.
  const isShown = options.dryRun === true || approved !== undefined
  const key = approved === undefined ? (isShown ? newPlanKey(desired) : undefined) : approved.key
  const how = { ...options, ask: isShown ? 'all' : 'unsure', mask: planMask(key) } as const
  const { actions, unchanged } = yield* planActions(engine, release, desired, history, how, ctx)
  const previous = history.latest?.record.version ?? 0
  const plan: Plan = {
    format: 'lading.dev/plan/v1',
    operation,
    release,
    ...(options.dryRun === true ? await planCluster(engine.cluster, ctx) : {}),
    revision: previous + 1,
    previous,
    ...(target === undefined ? {} : { target }),
    source,
    objectsHash: desired.hash,
    createdAt: new Date(ctx.clock.now()).toISOString(),
    waves: desired.waves.map(({ order, step, objects }) => ({ order, step, objects: objects.map(refOf) })),
    hooks: options.noHooks === true ? [] : plannedHooks(desired, operation),
    actions: [...home, ...actions],
  }
  return { desired, plan: sealPlan(plan, key), unchanged }
}

/**
 * A good release with the same source and the same input of the user, whose objects are all as it left them, needs no new revision. What
 * the user gave counts even where it changes no object: later upgrades go on from it (ADR 9).
 */
function isNothingToDo(
  intent: Intent,
  { plan }: Planned,
  { latest }: ReleaseHistory,
  { labels, description }: DeployOptions,
): boolean {
  if (intent.operation !== 'upgrade' || latest?.record.state.status !== 'deployed') return false
  const { record } = latest
  return (
    isSameJson(record.values, intent.values) &&
    isSameJson(record.userValues ?? {}, intent.userValues ?? {}) &&
    isSameJson(givenLabels(nextLabels(record.labels, labels)), givenLabels(record.labels)) &&
    (description === undefined || description === record.description) &&
    record.pack.digest === intent.source.digest &&
    plan.actions.every(({ action }) => action === 'unchanged' || action === 'keep')
  )
}

/** Whether two values are the same as JSON, whatever the order of their fields. */
function isSameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(parseJson(stringifyJson(a)), parseJson(stringifyJson(b)))
}
