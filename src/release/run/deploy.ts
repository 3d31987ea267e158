import { isDeepStrictEqual } from 'node:util'
import {
  type Context,
  type KubeObject,
  LadingError,
  type LadingEvent,
  parseJson,
  refOf,
  stringifyJson,
} from '../../core/index.ts'
import type { ApplySetOptions, Cluster, ReadinessRule } from '../../kube/index.ts'
import { refuseDifferent } from '../plan/compare-plans.ts'
import { type Desired, desiredState, type ReleaseName } from '../plan/desired.ts'
import type { ForeignOptions } from '../plan/foreign-policy.ts'
import type { HealthUrls } from '../health/url-access.ts'
import { dryRunHooks } from '../hooks/dry-run-hooks.ts'
import { existsAlready, isInstalled, noSuchRelease, type ReleaseHistory } from '../record/history.ts'
import type { LockOptions } from '../lock/lease.ts'
import { sweepLock } from '../lock/lock.ts'
import { planCluster, refuseOtherCluster } from '../plan/plan-cluster.ts'
import { prepareHome } from './prepare-home.ts'
import { defaultTimeoutMs, perform, type Planned } from './perform.ts'
import { type Plan, type PlanAction, plannedHooks } from '../plan/plan.ts'
import { planActions } from '../plan/plan-actions.ts'
import { newPlanKey, planMask, sealPlan } from '../plan/plan-key.ts'
import { withHookObjects, withObjects } from '../plan/plan-objects.ts'
import { refuseUnmarkable } from '../plan/plan-use.ts'
import type { ReleaseRecord, SourceInfo, ValuesProvenance } from '../record/record.ts'
import { healedHistory, needsHealing } from './recover.ts'
import { problemsError, refusalsOf, refusePlan } from '../plan/refuse-plan.ts'
import type { ChartRelease } from '../storage/helm/helm-release.ts'
import { checkLabels, givenLabels, nextLabels } from '../storage/release-labels.ts'
import type { ReleaseStore } from '../storage/release-store.ts'
import { waitUntilGone } from '../plan/terminating.ts'
import { underLock } from '../lock/under-lock.ts'
import { waitUnchanged } from './wait-unchanged.ts'

/** What operations work with. */
export interface ReleaseEngine {
  readonly cluster: Cluster
  readonly store: ReleaseStore
  /** How the lock is held; as `acquireLock` does it unless told. */
  readonly lock?: Pick<LockOptions, 'durationMs' | 'holder'>
}

/** How an operation is carried out. */
export interface DeployOptions
  extends Pick<ApplySetOptions, 'conflicts' | 'replace' | 'adopt' | 'concurrency'>, ForeignOptions {
  /** Whether fields that others added to objects of the release stay or are removed; `keep` unless told. */
  readonly foreignFields?: 'keep' | 'remove'
  /** Limit of the whole operation, from the first request on: the lock, hooks and waits included. Five minutes unless told. */
  readonly timeoutMs?: number
  /** Wait until everything is ready. */
  readonly wait?: boolean
  /** With `wait`, also wait until the Jobs have completed; otherwise they only have to start, as with Helm. */
  readonly waitForJobs?: boolean
  /** Go back to where the release was when something fails; implies `wait`. */
  readonly atomic?: boolean
  readonly noHooks?: boolean
  /** `continue` applies what can be applied and then fails with what cannot; nothing is removed then. `stop` unless told. */
  readonly onError?: 'stop' | 'continue'
  /** Only plan. */
  readonly dryRun?: boolean
  /** Take objects that exist and belong to nobody, or to another release. */
  readonly takeOwnership?: boolean
  /** Delete CRDs although custom resources that the release does not own go with them. */
  readonly deleteCustomResources?: boolean
  /** Delete what the release no longer wants; true unless told. What stays is still the release's, and a later upgrade prunes it. */
  readonly prune?: boolean
  readonly createNamespace?: boolean
  /** How many revisions are kept; 10 unless told, 0 for all. */
  readonly historyMax?: number
  readonly description?: string
  /** Laid over the labels of the revision before; the value `null` takes one away. */
  readonly labels?: Readonly<Record<string, string>>
  readonly rules?: readonly ReadinessRule[]
  /** Wait until a wave is ready before the next one begins; true unless told. */
  readonly waveWait?: boolean
  /** Limit for each wave to become healthy, and for the window; what is left of the operation's own unless told. */
  readonly healthTimeoutMs?: number
  /** How long everything has to stay healthy before the release counts as good; implies `wait`. */
  readonly stabilizationMs?: number
  /** How long failures that may heal by themselves may last; each has its own time unless told. */
  readonly failGraceMs?: number
  /** How long the first status of a custom resource is waited for; 10 s unless told. */
  readonly statusGraceMs?: number
  /** Which addresses the url checks of objects may ask; none unless told. */
  readonly healthUrls?: HealthUrls
}

/** What to deploy: the rendered objects and where they came from. */
export interface Intent {
  readonly operation: 'install' | 'upgrade' | 'rollback'
  readonly release: ReleaseName
  readonly objects: readonly KubeObject[]
  readonly source: SourceInfo
  readonly values: Readonly<Record<string, unknown>>
  readonly userValues?: Readonly<Record<string, unknown>>
  readonly provenance: ValuesProvenance
  readonly notes?: string
  /** What Helm's own record has to hold, where the release is of a chart. */
  readonly chart?: ChartRelease
  /** The revision that a rollback goes back to. */
  readonly target?: number
  /** The revision that must still be the latest, where this is the way back from it. */
  readonly after?: number
  /** A plan that was approved: nothing else is done. */
  readonly plan?: Plan
  /** What was read of the release to render it: what of it still stands is not read again. */
  readonly history?: ReleaseHistory
}

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
