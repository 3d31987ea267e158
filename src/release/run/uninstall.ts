import {
  type Context,
  endOf,
  followDuring,
  followWithinDeadline,
  isLadingError,
  type KubeObject,
  LadingError,
  type LadingEvent,
  type Operation,
  operation,
  type OperationOptions,
  overtime,
  timeLeft,
  toLadingError,
} from '../../core/index.ts'
import { phasesOf, type Plan } from '../plan.ts'
import { defaultTimeoutMs } from '../deploy-options.ts'
import type { UninstallOptions } from '../uninstall-options.ts'
import { deleteObject, type DeleteTarget, type SetObject } from '../../kube/index.ts'
import { ownedRecords } from '../ownership/crd-use.ts'
import { deletionWaves } from '../plan/deletion-waves.ts'
import { deleteWaves } from './delete-waves.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import { noSuchRelease, readHistory, type ReleaseHistory } from '../record/history.ts'
import { isHome } from '../plan/home-namespace.ts'
import { type Hook, parseHook } from '../hooks/parse-hook.ts'
import { refuseForeignHooks } from '../plan/dry-run-hooks.ts'
import { runHooks } from '../hooks/run-hooks.ts'
import { sweepLock } from '../lock/lock.ts'
import { isLockLost, markFailed } from './mark-revision.ts'
import { refuseOtherCluster } from '../plan/plan-cluster.ts'
import { refuseOtherUninstall } from '../plan/plan-uninstall.ts'
import { markUsed } from '../plan/plan-use.ts'
import type { HookRecord, HookRun, ReleaseRecord } from '../record/record.ts'
import { healedHistory } from './recover.ts'
import { recordMask } from '../record/secret-mask.ts'
import { deleteRulesOf } from '../ownership/spare-crds.ts'
import { transition } from '../record/state.ts'
import type { StoredRecord } from '../storage/release-store.ts'
import { sortOrphans, plannedOrphans, tellOrphans, withOrphans } from '../ownership/orphans.ts'
import { underLock } from '../lock/under-lock.ts'

/** What an uninstall came to. */
export interface UninstallResult {
  readonly objects: readonly SetObject[]
  readonly record: ReleaseRecord
}

/** An uninstall, and the plan that was approved for it: nothing is deleted if the release has moved since. */
type UninstallRun = UninstallOptions & { readonly plan?: Plan }

/** Deletes everything that a release may have on the cluster, in reverse order, and then the release itself. */
export function uninstall(
  engine: ReleaseEngine,
  release: ReleaseName,
  { onEvent, ...options }: UninstallOptions & OperationOptions,
  ctx: Context,
): Operation<UninstallResult> {
  return operation('uninstall', () => uninstalling(engine, release, options, ctx), { onEvent })
}

/** The work of an uninstall. */
export function uninstalling(
  engine: ReleaseEngine,
  release: ReleaseName,
  options: UninstallRun,
  ctx: Context,
): AsyncGenerator<LadingEvent, UninstallResult> {
  const work = (timed: Context): AsyncGenerator<LadingEvent, UninstallResult> =>
    followDuring('deleting objects', timed, uninstallInTime(engine, release, options, timed))
  return followWithinDeadline(options.timeoutMs ?? defaultTimeoutMs, ctx, work)
}

async function* uninstallInTime(
  engine: ReleaseEngine,
  release: ReleaseName,
  options: UninstallRun,
  ctx: Context,
): AsyncGenerator<LadingEvent, UninstallResult> {
  if (options.plan !== undefined) await refuseOtherCluster(engine.cluster, options.plan, ctx)
  const known = await readHistory(engine.store, release, ctx)
  const { latest } = known
  if (latest === undefined || (latest.record.state.status === 'uninstalled' && options.keepHistory === true)) {
    await sweepLock(engine.cluster, release, ctx)
    throw noSuchRelease(release)
  }
  const work = (locked: Context): ReturnType<typeof uninstallLocked> =>
    uninstallLocked(engine, release, known, options, locked)
  const { leaving, ...result } = yield* underLock(engine, release, 'uninstall', work, ctx)
  // Not under the lock, which goes with the namespace.
  if (leaving !== undefined) await leaveHome(engine, leaving, options, overtime(ctx))
  return result
}

async function* uninstallLocked(
  engine: ReleaseEngine,
  release: ReleaseName,
  known: ReleaseHistory,
  options: UninstallRun,
  ctx: Context,
): AsyncGenerator<LadingEvent, UninstallResult & { readonly leaving?: Leaving }> {
  const { history: healed } = yield* healedHistory(engine, release, known, ctx)
  if (healed.latest === undefined) throw noSuchRelease(release)
  refuseOther(healed.latest.record, options)
  if (healed.latest.record.state.status === 'uninstalled') {
    // An uninstall that was interrupted while it removed its history, or one that kept it and is now to drop it.
    await purge(engine, await storedRevisions(engine, release, ctx), ctx)
    return { objects: [], record: healed.latest.record }
  }
  if (options.plan !== undefined) {
    yield* refuseOtherUninstall(engine, options.plan, options, ctx)
  }
  const orphans = await sortOrphans(engine, release, healed, ctx)
  const history = withOrphans(healed, plannedOrphans(orphans.going, options.plan))
  yield* tellOrphans(orphans.staying)
  const refs = history.inventory.map(({ ref }) => ref)
  // Before a hook has run: where this refuses, nothing was done.
  const rules = yield* deleteRulesOf(engine, release, ownedRecords(history), refs, options, ctx)
  const { record } = healed.latest
  const hooks = options.noHooks === true ? [] : hooksOfRecord(record)
  await refuseForeignHooks(engine.cluster, hooks, phasesOf('uninstall'), { release }, ctx)
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  const deadline = endOf(timeoutMs, ctx)
  const limited = overtime(ctx)
  const pending = {
    status: 'pending-uninstall',
    started_at: timeOf(ctx),
    timeout: Math.ceil(timeoutMs / 1000),
  } as const
  // The inventory of every revision since the last good one, so that a crash from here on forgets nothing.
  const { description = 'Uninstallation complete' } = options
  const begun = transition({ ...record, description, inventory: history.inventory }, pending, timeOf(ctx))
  let stored = await engine.store.update(healed.latest, begun, ctx)
  const runs = new Map<Hook, HookRun>()
  try {
    if (options.plan !== undefined) await markUsed(engine.cluster, options.plan, ctx)
    const run = { release, deadlineMs: deadline, runs, mask: recordMask(record) }
    yield* runHooks(engine.cluster, hooks, { ...run, phase: 'pre-delete' }, limited)
    const targets = history.inventory.map(({ ref, uid }) => ({ ...ref, ...(uid === undefined ? {} : { uid }) }))
    const home = targets.find((target) => isHome(target, release))
    // By its marks: one that a crashed revision created anew has another uid than the record knows.
    const rest = targets.filter((target) => target !== home).map(({ uid: _, ...ref }) => ref)
    const deleted = yield* deleteWaves(
      engine.cluster,
      deletionWaves(rest, (target) => target, history, release),
      { ...rules, wait: options.wait ?? true, deadline },
      limited,
    )
    yield* runHooks(engine.cluster, hooks, { ...run, phase: 'post-delete' }, limited)
    const left = { ...stored.record, hooks: withRuns(record.hooks, runs), inventory: [] }
    const done = transition(left, { status: 'uninstalled' }, timeOf(ctx))
    const revisions = home === undefined ? [] : await storedRevisions(engine, release, limited)
    const last = home === undefined ? undefined : yield* giveUpHome(engine, release, home, options, limited)
    const objects = last === undefined ? deleted : [...deleted, last]
    if (home !== undefined && last?.action === 'deleted') {
      return { objects, record: done, leaving: { home, deadline, revisions } }
    }
    stored = await engine.store.update(stored, done, limited)
    if (options.keepHistory !== true) await purge(engine, await storedRevisions(engine, release, limited), limited)
    return { objects, record: stored.record }
  } catch (error) {
    const failure = toLadingError(error)
    if (stored.record.state.status === 'pending-uninstall' && !isLockLost(ctx)) {
      const hooks = withRuns(record.hooks, runs)
      await markFailed(engine.store, { ...stored, record: { ...stored.record, hooks } }, failure, ctx)
    }
    throw failure
  }
}

/** The namespace of a release on its way out, and until when that is waited for. */
interface Leaving {
  readonly home: DeleteTarget
  readonly deadline: number
  /** The records as they were under the lock: a release that is installed meanwhile has others. */
  readonly revisions: readonly StoredRecord[]
}

/** Refuses to remove another revision than the one that the caller means. */
function refuseOther({ name, namespace, version }: ReleaseRecord, { revision }: UninstallOptions): void {
  if (revision === undefined || revision === version) return
  const message = `release ${namespace}/${name} has revision ${version} by now: ${revision} was to be removed`
  throw new LadingError('release.changed', message, { name, namespace, version })
}

/**
 * Asks the release's own namespace to go, after everything else has gone and every hook has run in it. The lock goes with it, and mostly
 * the records: until it is asked to, they tell the next command what is left to do, and after that there is nothing left to tell.
 */
async function* giveUpHome(
  { cluster, store }: ReleaseEngine,
  release: ReleaseName,
  { uid, ...ref }: DeleteTarget,
  { keepHistory }: UninstallOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, SetObject> {
  const owner = store.ownership(release).guard
  const rules = { owner, wait: false, ...(uid === undefined ? {} : { uid }) }
  const { action, reason } =
    keepHistory === true
      ? ({ action: 'skipped', reason: 'the history that is to be kept is in it' } as const)
      : await deleteObject(cluster, ref, rules, ctx)
  const outcome = { ref, action, ...(reason === undefined ? {} : { reason }) }
  yield { type: 'object', ...outcome, dryRun: false }
  return outcome
}

/** Removes the records, which may be elsewhere, and waits until the namespace is gone. */
async function leaveHome(
  engine: ReleaseEngine,
  { home: { uid, ...ref }, deadline, revisions }: Leaving,
  { wait = true }: UninstallOptions,
  ctx: Context,
): Promise<void> {
  try {
    await purge(engine, revisions, ctx)
  } catch (error) {
    // The namespace was faster.
    if (!isLadingError(error, 'release.changed', 'kube.not-found', 'kube.conflict')) throw error
  }
  if (!wait) return
  const timeoutMs = timeLeft(deadline, ctx)
  await deleteObject(engine.cluster, ref, { keep: 'ignore', timeoutMs, ...(uid === undefined ? {} : { uid }) }, ctx)
}

/** Every revision that can be read, the oldest first. */
async function storedRevisions(
  { store }: ReleaseEngine,
  { name, namespace }: ReleaseName,
  ctx: Context,
): Promise<StoredRecord[]> {
  const all: StoredRecord[] = []
  for (const { version, status } of await store.history(name, namespace, ctx)) {
    const stored = status === 'unknown' ? undefined : await store.get({ name, namespace, version }, ctx)
    if (stored !== undefined) all.push(stored)
  }
  return all
}

/** Removes revisions, the oldest first: while one is left, the release is known to be uninstalled. */
async function purge({ store }: ReleaseEngine, revisions: readonly StoredRecord[], ctx: Context): Promise<void> {
  for (const stored of revisions) await store.delete(stored, ctx)
}

function withRuns(hooks: readonly HookRecord[], runs: ReadonlyMap<Hook, HookRun>): HookRecord[] {
  const byObject = new Map([...runs].map(([{ object }, run]) => [object, run]))
  return hooks.map((hook) => {
    const lastRun = byObject.get(hook.object)
    return lastRun === undefined ? hook : { ...hook, lastRun }
  })
}

function hooksOfRecord(record: ReleaseRecord): Hook[] {
  return record.hooks.flatMap(({ object }: { object: KubeObject }) => {
    const hook = parseHook(object)
    return hook === undefined ? [] : [hook]
  })
}

function timeOf(ctx: Context): string {
  return new Date(ctx.clock.now()).toISOString()
}
