import {
  type Context,
  defined,
  type DetailsOf,
  endOf,
  followDuring,
  type KubeObject,
  LadingError,
  type LadingEvent,
  objectId,
  type ObjectRef,
  overtime,
  refOf,
  timeLeft,
  toLadingError,
} from '../../core/index.ts'
import { defaultTimeoutMs, type DeployOptions } from '../deploy-options.ts'
import { applySet, type Cluster, waitForReady } from '../../kube/index.ts'
import { cutHistory } from '../record/cut-history.ts'
import { type OwnedRecords, ownedRecords } from '../ownership/crd-use.ts'
import type { Intent } from '../intent.ts'
import type { ReleaseEngine } from '../engine.ts'
import { prune } from './delete-waves.ts'
import type { Desired } from '../plan/desired.ts'
import type { ReleaseHistory } from '../record/history.ts'
import { checkHealth, type HealthOptions, type WaitLimits } from '../health/check-health.ts'
import { parseCheck } from '../health/parse-check.ts'
import { refuseHealthUrls } from '../health/url-access.ts'
import { type Hook, hooksOf } from '../hooks/parse-hook.ts'
import { runHooks } from '../hooks/run-hooks.ts'
import { appliedEntry, inventoryAfterFailure } from '../record/inventory.ts'
import { isOld, lookAgain } from '../plan/look-again.ts'
import { ownershipProof, writingAs } from '../ownership/ownership.ts'
import { hookRecord, pendingRecord } from './pending-record.ts'
import { phasesOf, type PlanAction, type PlanActionType } from '../plan.ts'
import type { Planned } from '../plan/make-plan.ts'
import { placedSet } from '../record/desired-object.ts'
import { leftOverOf } from '../plan/plan-prune.ts'
import { markUsed } from '../plan/plan-use.ts'
import { failuresOf, notAllApplied, refusalsOf, refusePlan } from '../plan/refuse-plan.ts'
import type { HookRun, InventoryEntry, ReleaseRecord } from '../record/record.ts'
import { objectsOfRecord, secretMask, type TextMask } from '../record/secret-mask.ts'
import { deleteRulesOf } from '../ownership/spare-crds.ts'
import { isLockLost, markFailed, supersede } from './mark-revision.ts'
import { lookForEnds, noteCompleted } from '../record/expired-job.ts'
import { transition } from '../record/state.ts'
import { removeOtherMarks } from '../ownership/take-over.ts'
import { waitForExternal } from './wait-external.ts'
import { isJob, waitAfter, type WaveWait } from './wait-order.ts'
import { isWaitedFor } from '../plan/waves.ts'

/** A plan while it is carried out. */
interface Carried extends Planned {
  /** The entries of objects that are as they should be, by id. */
  readonly applied: Map<string, InventoryEntry>
  /** What the release had before. */
  readonly owned: OwnedRecords
  readonly history: ReleaseHistory
  /** How each hook ended that ran. */
  readonly runs: Map<Hook, HookRun>
}

/** Carries out a plan under the release's lock: the record first, then the cluster, then the record again. */
export async function* perform(
  engine: ReleaseEngine,
  intent: Intent,
  planned: Planned,
  history: ReleaseHistory,
  options: DeployOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, ReleaseRecord> {
  if (options.wait === true || options.atomic === true || (options.stabilizationMs ?? 0) > 0) {
    refuseHealthUrls(intent.objects, options.healthUrls)
  }
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  const deadline = endOf(timeoutMs, ctx)
  // Everything that may be touched is on record before the first write.
  const pending = pendingRecord(intent, planned, history, options, timeoutMs, ctx)
  const origin = { chart: intent.chart, previous: history.current?.record }
  let stored = await engine.store.create(engine.store.prepare(pending, origin), ctx)
  const applied = new Map(planned.unchanged)
  const owned = ownedRecords(history)
  const runs = new Map<Hook, HookRun>()
  // All objects are as they should be, or it failed: either way it goes on record, also when the time is over.
  const after = overtime(ctx)
  try {
    if (intent.plan !== undefined) await markUsed(engine.cluster, intent.plan, ctx)
    const work = carryOut(engine, intent, { ...planned, applied, owned, runs, history }, options, deadline, ctx)
    const done = yield* followDuring('applying objects', ctx, work)
    const now = new Date(ctx.clock.now()).toISOString()
    stored = await engine.store.update(
      stored,
      transition({ ...stored.record, ...done }, { status: 'deployed' }, now),
      after,
    )
  } catch (error) {
    const failure = toLadingError(error)
    // Whoever has the lock now has healed this revision, or will.
    if (isLockLost(ctx)) throw failure
    const inventory = inventoryAfterFailure(stored.record.inventory, applied)
    const hooks = planned.desired.hooks.map((hook) => hookRecord(hook, runs.get(hook)))
    const known = { ...stored, record: { ...stored.record, inventory, hooks } }
    const marked = await markFailed(engine.store, known, failure, ctx)
    if (marked && !after.signal.aborted) yield* cutAfterFailure(engine, history, options, after)
    throw releaseFailed(intent, stored.record, failure)
  }
  // Nothing is superseded before the new revision is good; then history is cut to its limit.
  await supersede(engine.store, history.revisions, after)
  yield* cutHistory(engine.store, history.revisions, options, after)
  return stored.record
}

/**
 * Upgrades that fail again and again make no endless history either. The good revision stays; what those between may have left on
 * the cluster stands in the inventory of the newest too.
 */
async function* cutAfterFailure(
  { store }: ReleaseEngine,
  { revisions, current }: ReleaseHistory,
  { historyMax }: DeployOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  try {
    yield* cutHistory(store, revisions, { historyMax, stays: current?.record.version }, ctx)
  } catch (error) {
    ctx.log.warn('old revisions could not be removed', { code: toLadingError(error).code })
  }
}

/** Hooks, waves, prune, readiness: what happens between the pending record and the good one, and what the good one adds. */
async function* carryOut(
  engine: ReleaseEngine,
  intent: Intent,
  carried: Carried,
  options: DeployOptions,
  deadline: number,
  ctx: Context,
): AsyncGenerator<LadingEvent, Pick<ReleaseRecord, 'inventory' | 'hooks'>> {
  const { cluster } = engine
  const { desired, plan, applied, runs } = carried
  const ownership = engine.store.ownership(intent.release)
  const [before, after] = phasesOf(intent.operation)
  const hooks = options.noHooks === true ? [] : desired.hooks
  const mask = releaseMask(desired, carried.history)
  const masked = { ...options, mask }
  const { failGraceMs, takeOwnership } = options
  const limits = { deadlineMs: deadline, ...defined({ failGraceMs, takeOwnership }) }
  const run = { release: intent.release, ...limits, runs, mask }
  // These end at the deadline by themselves, and say what was not ready then.
  const limited = overtime(ctx)
  yield* runHooks(cluster, hooks, { ...run, phase: before }, limited)

  const actions = new Map(plan.actions.map((action) => [objectId(action.ref), action]))
  const wanted = new Map(desired.objects.map((object) => [object.id, object]))
  const failures = refusalsOf(plan)
  for (const { ref, message } of failures) yield { type: 'warning', ref, message: `left out: ${message}` }
  for (const { ref, action, hash, reason = '' } of plan.actions) {
    if (action === 'keep' && hash !== undefined) yield { type: 'warning', ref, message: `left as it is: ${reason}` }
  }
  const onWritten = (object: KubeObject): void => {
    const own = wanted.get(objectId(refOf(object)))
    if (own !== undefined) applied.set(own.id, appliedEntry(own, object))
  }
  const isProven = ownershipProof(carried.history)
  const claim = { release: intent.release, ownership, isProven, takeOwnership: options.takeOwnership ?? false }
  const isWritten = ({ id }: { id: string }): boolean => !unwritten.has(actions.get(id)?.action)
  // Others may have created objects of the release in the meantime.
  let waited = hooksOf(hooks, before).length > 0
  for (const [index, wave] of desired.waves.entries()) {
    const inWave = new Set(wave.objects)
    const members = desired.objects.filter(({ object }) => inWave.has(object))
    yield* waitForExternal(cluster, wave.external, limitsOf(masked, deadline, ctx), limited)
    if (waited || wave.external.length > 0 || isOld(plan, ctx)) {
      const again = await lookAgain(engine, members.filter(isWritten), actions, claim, ctx)
      for (const action of again) actions.set(objectId(action.ref), action)
      if (options.onError !== 'continue') refusePlan({ hooks: [], actions: again })
      failures.push(...refusalsOf({ actions: again }))
    }
    const toWrite = members.filter(isWritten)
    if (toWrite.length > 0) {
      await removeOtherMarks(cluster, toWrite, actions, ownership, ctx)
      const written = yield* applySet(
        cluster,
        placedSet(toWrite),
        { ...options, ...writingAs(ownership, options), dryRun: false, preflight: false, onWritten },
        ctx,
      )
      failures.push(...failuresOf(written.objects))
    }
    const refused = new Set(failures.map(({ ref }) => objectId(ref)))
    // Jobs that have run before and were removed since are not waited for.
    const due = waitAfter(desired.waves, index, options)
    const there = desired.objects.filter(({ id }) => !refused.has(id) && !isGone(actions.get(id)))
    if (due === undefined) continue
    yield* waitForWave(cluster, there, due, masked, deadline, limited)
    noteCompleted(
      applied,
      there.filter(({ object }) => due.completing.has(object) && isWaitedFor(object)),
    )
    waited = true
  }
  const { stabilizationMs = 0 } = options
  if (stabilizationMs > 0)
    yield* requireHealth(
      cluster,
      desired.objects
        .filter(({ object }) => options.waitForJobs === true || !isJob(object))
        .filter(({ id }) => !isGone(actions.get(id))),
      { ...masked, stabilizationMs },
      deadline,
      limited,
    )
  if (failures.length > 0) throw notAllApplied(failures)
  const going = plan.actions.filter(({ action }) => action === 'delete').map(({ ref }) => ref)
  const rules = yield* deleteRulesOf(engine, intent.release, carried.owned, going, options, ctx)
  yield* prune(cluster, plan, carried.history, { ...rules, deadline }, limited)
  yield* runHooks(cluster, hooks, { ...run, phase: after }, limited)
  await lookForEnds(cluster, desired.objects, applied, limited)
  const leftOver = new Set(leftOverOf(plan).map(objectId))
  return {
    inventory: [
      ...desired.objects.map(({ id, ref, hash }) => applied.get(id) ?? { ref, hash }),
      ...carried.history.inventory.filter(({ ref }) => leftOver.has(objectId(ref))),
    ],
    hooks: desired.hooks.map((hook) => hookRecord(hook, runs.get(hook))),
  }
}

/** Actions that need no write, or that no write could carry out. */
const unwritten: ReadonlySet<PlanActionType | undefined> = new Set<PlanActionType>([
  'unchanged',
  'keep',
  'invalid',
  'conflict',
])

/** Whether a Job has run before and was removed since: it is not waited for. */
export function isGone(action: PlanAction | undefined): boolean {
  return action?.action === 'unchanged' && action.liveVersion === null
}

/** Options of an operation, with what keeps its Secrets out of all that it tells. */
type MaskedOptions = DeployOptions & Pick<WaitLimits, 'mask'>

/** The mask for the Secrets that a release has and gets. */
export function releaseMask({ objects, hooks }: Desired, { current }: Pick<ReleaseHistory, 'current'>): TextMask {
  return secretMask(() => [
    ...[...objects, ...hooks].map(({ object }) => object),
    ...(current === undefined ? [] : objectsOfRecord(current.record)),
  ])
}

function limitsOf(
  { rules, failGraceMs, statusGraceMs, mask }: MaskedOptions,
  deadline: number,
  ctx: Context,
): WaitLimits & { readonly timeoutMs: number } {
  return { timeoutMs: timeLeft(deadline, ctx), ...defined({ rules, failGraceMs, statusGraceMs, mask }) }
}

/** Waits until the objects of a wave are ready, and then until the checks that they declare pass. */
export async function* waitForWave(
  cluster: Cluster,
  there: Desired['objects'],
  { objects, completing }: WaveWait,
  options: MaskedOptions,
  deadline: number,
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  const members = there.filter(({ object }) => objects.has(object))
  const jobs = new Set(members.filter(({ object }) => completing.has(object)).map(({ id }) => id))
  const waitForJobs = (ref: ObjectRef): boolean => jobs.has(objectId(ref))
  const targets = members.filter(({ object }) => isWaitedFor(object)).map(({ ref }) => ref)
  if (targets.length === 0) return
  const limit = Math.min(deadline, endOf(options.healthTimeoutMs ?? Infinity, ctx))
  yield* waitForReady(cluster, targets, { ...limitsOf(options, limit, ctx), waitForJobs }, ctx)
  const checked = members.filter(({ object }) => isWaitedFor(object) && parseCheck(object) !== undefined)
  const { stabilizationMs: _, ...once } = options
  if (checked.length > 0) yield* requireHealth(cluster, checked, once, limit, ctx)
}

/** Waits until objects are healthy, for the length of the stabilization window; throws what is wrong otherwise. */
export async function* requireHealth(
  cluster: Cluster,
  members: Desired['objects'],
  options: MaskedOptions,
  deadline: number,
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  const { stabilizationMs, healthTimeoutMs = Infinity } = options
  const { timeoutMs, ...rest } = limitsOf(options, deadline, ctx)
  const limits: HealthOptions = {
    ...rest,
    timeoutMs: Math.min(timeoutMs, healthTimeoutMs),
    ...defined({ stabilizationMs, healthUrls: options.healthUrls }),
  }
  const objects = members.filter(({ object }) => isWaitedFor(object)).map(({ object }) => object)
  const { failure } = yield* checkHealth(cluster, objects, limits, ctx)
  if (failure !== undefined) throw failure
}

function releaseFailed({ release, operation }: Intent, { version }: ReleaseRecord, failure: LadingError): LadingError {
  if (failure.code === 'cancelled') {
    const { message, details } = failure
    return new LadingError('cancelled', message, { ...details, ...release, revision: version }, { cause: failure })
  }
  const message = `${operation} of release ${release.namespace}/${release.name} failed as revision ${version}: ${failure.message}`
  // Once a plan is carried out, only waits list objects.
  return new LadingError(
    'release.failed',
    message,
    { ...(failure.details as DetailsOf<'wait.failed'>), ...release, revision: version, code: failure.code },
    { cause: failure },
  )
}
