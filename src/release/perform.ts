import { type Context, context, LadingError, type LadingEvent, objectId, toLadingError } from '../core/index.ts'
import { applySet, type Cluster, deleteSet, waitForReady } from '../kube/index.ts'
import type { DeployOptions, Intent, ReleaseEngine } from './deploy.ts'
import { type Desired, ownedBy, type ReleaseName } from './desired.ts'
import type { ReleaseHistory } from './history.ts'
import { runHooks } from './hooks/run-hooks.ts'
import { appliedEntry, inventoryBefore } from './inventory.ts'
import { phasesOf, type Plan } from './plan.ts'
import type { InventoryEntry, PendingState, ReleaseRecord } from './record.ts'
import { transition } from './state.ts'
import type { ReleaseStore, RevisionSummary, StoredRecord } from './storage/release-store.ts'
import { isWaitedFor } from './waves.ts'

/** A plan with what it was made of. */
export interface Planned {
  readonly desired: Desired
  readonly plan: Plan
  readonly unchanged: ReadonlyMap<string, InventoryEntry>
}

const defaultTimeoutMs = 300_000

/** Carries out a plan under the release's lock: the record first, then the cluster, then the record again. */
export async function* perform(
  engine: ReleaseEngine,
  intent: Intent,
  planned: Planned,
  history: ReleaseHistory,
  options: DeployOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, ReleaseRecord> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  const deadline = ctx.clock.now() + timeoutMs
  // Everything that may be touched is on record before the first write.
  let stored = await engine.store.create(pendingRecord(intent, planned, history, options, timeoutMs, ctx), ctx)
  try {
    const entries = yield* carryOut(engine, intent, planned, options, deadline, ctx)
    const now = new Date(ctx.clock.now()).toISOString()
    const done = transition({ ...stored.record, inventory: entries }, { status: 'deployed' }, now)
    stored = await engine.store.update(stored, done, ctx)
  } catch (error) {
    const failure = toLadingError(error)
    // Written although the operation may have been cancelled: the next command must not have to guess.
    await markFailed(engine.store, stored, failure, context({ ...ctx, signal: new AbortController().signal }))
    throw releaseFailed(intent, stored.record, failure)
  }
  yield* superseded(engine, history, options, ctx)
  return stored.record
}

/** Hooks, waves, prune, readiness: what happens between the pending record and the good one. Gives the final inventory. */
async function* carryOut(
  engine: ReleaseEngine,
  intent: Intent,
  { desired, plan, unchanged }: Planned,
  options: DeployOptions,
  deadline: number,
  ctx: Context,
): AsyncGenerator<LadingEvent, InventoryEntry[]> {
  const { cluster } = engine
  const [before, after] = phasesOf(intent.operation)
  const hooks = options.noHooks === true ? [] : desired.hooks
  yield* runHooks(cluster, hooks, before, deadline, ctx)

  const entries = new Map(unchanged)
  const actions = new Map(plan.actions.map((action) => [objectId(action.ref), action]))
  const wanted = new Map(desired.objects.map((object) => [object.id, object]))
  const waits = options.wait === true || options.atomic === true
  for (const [index, wave] of desired.waves.entries()) {
    const members = desired.objects.filter(({ object }) => wave.objects.includes(object))
    const toWrite = members.filter(({ id }) => actions.get(id)?.action !== 'unchanged')
    if (toWrite.length > 0) {
      const applied = yield* applySet(
        cluster,
        toWrite.map(({ object }) => object),
        { ...options, dryRun: false, preflight: false, namespace: intent.release.namespace },
        ctx,
      )
      for (const { ref, object } of applied.objects) {
        const own = wanted.get(objectId(ref))
        if (own !== undefined && object !== undefined) entries.set(own.id, appliedEntry(own, object))
      }
    }
    const last = index === desired.waves.length - 1
    if (!last || waits) yield* waitForWave(cluster, members, options, deadline, ctx)
  }
  yield* prune(cluster, intent.release, plan, deadline, ctx)
  yield* runHooks(cluster, hooks, after, deadline, ctx)
  return desired.objects.map(({ id, ref, hash }) => entries.get(id) ?? { ref, hash })
}

async function* waitForWave(
  cluster: Cluster,
  members: Desired['objects'],
  { rules }: DeployOptions,
  deadline: number,
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  const targets = members.filter(({ object }) => isWaitedFor(object)).map(({ ref }) => ref)
  if (targets.length === 0) return
  const timeoutMs = Math.max(1, deadline - ctx.clock.now())
  yield* waitForReady(cluster, targets, { timeoutMs, ...(rules === undefined ? {} : { rules }) }, ctx)
}

async function* prune(
  cluster: Cluster,
  release: ReleaseName,
  plan: Plan,
  deadline: number,
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  const targets = plan.actions.filter(({ action }) => action === 'delete').map(({ ref }) => ref)
  if (targets.length === 0) return
  yield* deleteSet(
    cluster,
    targets,
    { owner: ownedBy(release), timeoutMs: Math.max(1, deadline - ctx.clock.now()) },
    ctx,
  )
}

function pendingRecord(
  intent: Intent,
  { desired, plan }: Planned,
  history: ReleaseHistory,
  options: DeployOptions,
  timeoutMs: number,
  ctx: Context,
): ReleaseRecord {
  const now = new Date(ctx.clock.now()).toISOString()
  return {
    ...intent.release,
    version: plan.revision,
    state: pendingState(intent, plan, now, timeoutMs),
    pack: intent.source,
    values: intent.values,
    ...(intent.userValues === undefined ? {} : { userValues: intent.userValues }),
    valuesProvenance: intent.provenance,
    manifest: desired.manifest,
    hooks: desired.hooks.map(({ object, phases, weight }) => ({ object, phases, weight })),
    inventory: inventoryBefore(desired.objects, history.inventory),
    labels: options.labels ?? {},
    createdAt: now,
    updatedAt: now,
    ...(intent.notes === undefined ? {} : { notes: intent.notes }),
    description: options.description ?? describe(intent),
  }
}

function pendingState(intent: Intent, plan: Plan, startedAt: string, timeoutMs: number): PendingState {
  const common = { started_at: startedAt, timeout: Math.ceil(timeoutMs / 1000) }
  switch (intent.operation) {
    case 'install':
      return { status: 'pending-install', ...common }
    case 'upgrade':
      return { status: 'pending-upgrade', ...common, previous_version: plan.previous }
    case 'rollback':
      return { status: 'pending-rollback', ...common, target_version: intent.target ?? 0 }
  }
}

function describe(intent: Intent): string {
  switch (intent.operation) {
    case 'install':
      return 'Install complete'
    case 'upgrade':
      return 'Upgrade complete'
    case 'rollback':
      return `Rollback to ${intent.target}`
  }
}

/** Nothing is superseded before the new revision is good; then history is cut to its limit. */
async function* superseded(
  { store }: ReleaseEngine,
  history: ReleaseHistory,
  { historyMax = 10 }: DeployOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  await supersede(store, history.revisions, ctx)
  if (historyMax === 0) return
  const surplus = history.revisions.slice(0, Math.max(0, history.revisions.length + 1 - historyMax))
  for (const { name, namespace, version, status } of surplus) {
    if (status === 'unknown') {
      yield { type: 'warning', message: `revision ${version} of ${name} cannot be read and is left alone` }
      continue
    }
    const stored = await store.get({ name, namespace, version }, ctx)
    if (stored !== undefined) await store.delete(stored, ctx)
  }
}

/** Marks revisions that are still called deployed as superseded by a newer one. */
export async function supersede(
  store: ReleaseStore,
  revisions: readonly RevisionSummary[],
  ctx: Context,
): Promise<void> {
  for (const { name, namespace, version, status } of revisions) {
    if (status !== 'deployed') continue
    const stored = await store.get({ name, namespace, version }, ctx)
    if (stored?.record.state.status !== 'deployed') continue
    const now = new Date(ctx.clock.now()).toISOString()
    await store.update(stored, transition(stored.record, { status: 'superseded' }, now), ctx)
  }
}

/** Marks a revision as failed, with the reason; its inventory stays, so that the next operation knows what there may be. */
export async function markFailed(
  store: ReleaseStore,
  stored: StoredRecord,
  failure: LadingError,
  ctx: Context,
): Promise<void> {
  const now = new Date(ctx.clock.now()).toISOString()
  const state = { status: 'failed', reason: failure.message, recoverable: failure.retryable, failed_at: now } as const
  const description = `${stored.record.description ?? 'operation'} failed: ${failure.message}`
  await store.update(stored, transition({ ...stored.record, description }, state, now), ctx)
}

function releaseFailed({ release, operation }: Intent, { version }: ReleaseRecord, failure: LadingError): LadingError {
  if (failure.code === 'cancelled') return failure
  const message = `${operation} of release ${release.namespace}/${release.name} failed as revision ${version}: ${failure.message}`
  return new LadingError(
    'release.failed',
    message,
    { ...release, revision: version, code: failure.code, ...failure.details },
    { cause: failure },
  )
}
