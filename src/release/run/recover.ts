import {
  type Context,
  endOf,
  followDuring,
  followWithinDeadline,
  LadingError,
  type LadingEvent,
  objectId,
  type ObjectRef,
  overtime,
  type Operation,
  operation,
} from '../../core/index.ts'
import { deletionWaves } from '../plan/deletion-waves.ts'
import { deleteWaves } from './delete-waves.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import { findOrphans } from '../diff/find-orphans.ts'
import { noSuchRelease, readHistory, readHistoryAgain, type ReleaseHistory } from '../record/history.ts'
import { removeInterrupted, removeLate } from '../hooks/left-hooks.ts'
import { supersede } from './mark-revision.ts'
import type { Operation as PlannedOperation } from '../plan.ts'
import { planAbandoned } from '../plan/plan-prune.ts'
import type { PendingStatus } from '../record/record.ts'
import { isPending, isStale, transition } from '../record/state.ts'
import type { HelmRecord } from '../storage/helm/helm-release.ts'
import type { RevisionSummary } from '../storage/release-store.ts'
import { underLock } from '../lock/under-lock.ts'

/** The history of a release as it is under its lock, with what a crashed operation left behind healed. */
export async function* healedHistory(
  engine: ReleaseEngine,
  release: ReleaseName,
  known: ReleaseHistory | undefined,
  ctx: Context,
): AsyncGenerator<LadingEvent, { readonly history: ReleaseHistory; readonly healed: boolean }> {
  const history = await readHistoryAgain(engine.store, release, known, ctx)
  const healed = yield* recoverInterrupted(engine, release, history.revisions, ctx)
  const now = healed ? await readHistoryAgain(engine.store, release, history, ctx) : history
  const late = yield* removeLate(engine.cluster, release, now, ctx)
  return { healed: healed || late.length > 0, history: now }
}

/**
 * Heals what a crashed operation left behind: its revision becomes failed, its inventory stays. The caller holds the lock, so
 * nobody can still be working on it, and has read the revisions under it. Says whether there was anything to heal.
 */
async function* recoverInterrupted(
  { cluster, store }: ReleaseEngine,
  { name, namespace }: ReleaseName,
  revisions: readonly RevisionSummary[],
  ctx: Context,
): AsyncGenerator<LadingEvent, boolean> {
  let healed = false
  for (const { version, status } of revisions) {
    if (!status.startsWith('pending-') && status !== 'recovering') continue
    const stored = await store.get({ name, namespace, version }, ctx)
    if (stored === undefined) continue
    const { record } = stored
    refuseForeign(record, ctx)
    const from: PendingStatus = isPending(record.state) ? record.state.status : 'pending-upgrade'
    const now = new Date(ctx.clock.now()).toISOString()
    const interrupted = from.replace('pending-', '') as PlannedOperation
    // Before the revision counts as failed: a crash in between must not forget them.
    yield* removeInterrupted(cluster, record, interrupted, ctx)
    const reason = `${interrupted} was interrupted`
    const state = { status: 'failed', reason, recoverable: true, failed_at: now } as const
    await store.update(stored, transition({ ...record, description: reason }, state, now), ctx)
    yield { type: 'warning', message: `revision ${version} of ${namespace}/${name}: ${reason}; it is marked as failed` }
    healed = true
  }
  // A crash between making the new revision good and calling the old one superseded leaves two that are called deployed.
  const outdated = revisions.filter(({ status }) => status === 'deployed').slice(0, -1)
  if (outdated.length > 0) {
    await supersede(store, outdated, ctx)
    healed = true
  }
  return healed
}

/** Helm takes no lock of ours: a revision that it began is left to it until its time is over. */
function refuseForeign(record: HelmRecord, ctx: Context): void {
  const { name, namespace, version, state } = record
  if (record.helm?.foreign !== true || !isPending(state) || isStale(state, ctx.clock.now())) return
  const message = `release ${namespace}/${name} is locked: helm began revision ${version} at ${state.started_at}`
  throw new LadingError('release.locked', message, { name, namespace, holder: 'helm', operation: state.status })
}

/** What was done to heal a release. */
export interface Recovery {
  readonly recovered: boolean
  /** Objects that a process that had lost its lock wrote, and that were deleted. */
  readonly removed: readonly ObjectRef[]
  /** Other objects that carry the release's marks and stand in no revision. */
  readonly orphans: readonly ObjectRef[]
}

/** Heals one release on request. */
export function recover(engine: ReleaseEngine, release: ReleaseName, ctx: Context): Operation<Recovery> {
  const what = `recovering release ${release.namespace}/${release.name}`
  const work = () =>
    followWithinDeadline(removalMs, ctx, (timed) => followDuring(what, timed, recoverInTime(engine, release, timed)))
  return operation('recover', work)
}

async function* recoverInTime(
  engine: ReleaseEngine,
  release: ReleaseName,
  ctx: Context,
): AsyncGenerator<LadingEvent, Recovery> {
  const revisions = await engine.store.history(release.name, release.namespace, ctx)
  if (revisions.length === 0) throw noSuchRelease(release)
  const work = async function* (locked: Context): AsyncGenerator<LadingEvent, Recovery> {
    const found = await engine.store.history(release.name, release.namespace, locked)
    const healed = yield* recoverInterrupted(engine, release, found, locked)
    const history = await readHistory(engine.store, release, locked)
    const hooks = yield* removeLate(engine.cluster, release, history, locked)
    const removed = [...hooks, ...(yield* removeAbandoned(engine, release, history, locked))]
    const gone = new Set(removed.map(objectId))
    const { orphans } = await findOrphans(engine, release, history, locked)
    const left = orphans.filter((ref) => !gone.has(objectId(ref)))
    for (const ref of left) yield { type: 'warning', ref, message: isOrphan }
    return { recovered: healed || removed.length > 0, removed, orphans: left }
  }
  return yield* underLock(engine, release, 'recover', work, ctx)
}

const isOrphan =
  'orphan: it carries the marks of the release and stands in no revision; `lading uninstall` deletes it with the release'

/** Deletes what a process that had lost its lock wrote for a revision that failed before the one that stands. */
async function* removeAbandoned(
  { cluster, store }: ReleaseEngine,
  release: ReleaseName,
  history: ReleaseHistory,
  ctx: Context,
): AsyncGenerator<LadingEvent, ObjectRef[]> {
  const ownership = store.ownership(release)
  const nothing = { objects: [], hooks: [] }
  const orphans = (await planAbandoned(cluster, ownership, nothing, history.abandoned, ctx)).map(({ ref }) => ref)
  const waves = deletionWaves(orphans, (ref) => ref, history, release)
  const deadline = endOf(removalMs, ctx)
  const outcomes = yield* deleteWaves(cluster, waves, { owner: ownership.guard, deadline }, overtime(ctx))
  return outcomes.flatMap(({ ref, action }) => (action === 'deleted' ? [ref] : []))
}

/** How long recovering may take, the removal of what was left over included. */
const removalMs = 300_000

/** The revisions whose operation has been under way for longer than its own timeout. */
export async function findStaleReleases(
  { store }: ReleaseEngine,
  namespace: string | undefined,
  ctx: Context,
): Promise<RevisionSummary[]> {
  const pending = (await store.list(namespace, ctx)).filter(({ status }) => status.startsWith('pending-'))
  const stale: RevisionSummary[] = []
  for (const summary of pending) {
    const stored = await store.get(summary, ctx)
    if (stored !== undefined && isStale(stored.record.state, ctx.clock.now())) stale.push(summary)
  }
  return stale
}
