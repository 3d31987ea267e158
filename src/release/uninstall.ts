import { type Context, context, type KubeObject, LadingError, type LadingEvent, toLadingError } from '../core/index.ts'
import { deleteSet, type SetObject } from '../kube/index.ts'
import type { ReleaseEngine } from './deploy.ts'
import type { ReleaseName } from './desired.ts'
import { readHistory, type ReleaseHistory } from './history.ts'
import { type Hook, parseHook } from './hooks/parse-hook.ts'
import { runHooks } from './hooks/run-hooks.ts'
import { acquireLock, sweepLock } from './lock.ts'
import { ownershipOf } from './ownership.ts'
import { markFailed } from './perform.ts'
import type { Plan } from './plan.ts'
import { refuseMovedUninstall } from './plan-uninstall.ts'
import type { HookRecord, HookRun, ReleaseRecord } from './record.ts'
import { healedHistory } from './recover.ts'
import { transition } from './state.ts'

/** How a release is uninstalled. */
export interface UninstallOptions {
  /** Keep the revisions, the last one marked as uninstalled. */
  readonly keepHistory?: boolean
  /** Wait until everything is gone; true unless told. */
  readonly wait?: boolean
  readonly noHooks?: boolean
  /** Only say what would be deleted. */
  readonly dryRun?: boolean
  /** Limit of the whole operation; five minutes unless told. */
  readonly timeoutMs?: number
  readonly description?: string
  /** A plan that was approved: nothing is deleted if the release has moved since. */
  readonly plan?: Plan
}

/** What an uninstall came to. */
export interface UninstallResult {
  readonly objects: readonly SetObject[]
  readonly record: ReleaseRecord
}

/** Deletes everything that a release may have on the cluster, in reverse order, and then the release itself. */
export async function* uninstall(
  engine: ReleaseEngine,
  release: ReleaseName,
  options: UninstallOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, UninstallResult> {
  const known = await readHistory(engine.store, release, ctx)
  const { latest, inventory } = known
  if (latest === undefined || (latest.record.state.status === 'uninstalled' && options.keepHistory === true)) {
    await sweepLock(engine.cluster, release, ctx)
    throw new LadingError('release.not-found', `there is no release ${release.namespace}/${release.name}`, {
      ...release,
    })
  }
  if (options.dryRun === true) {
    const { guard } = ownershipOf(release, engine.store)
    const targets = inventory.map(({ ref, uid }) => ({ ...ref, ...(uid === undefined ? {} : { uid }) }))
    const { objects } = yield* deleteSet(engine.cluster, targets, { owner: guard, dryRun: true }, ctx)
    return { objects, record: latest.record }
  }
  const lock = await acquireLock(engine.cluster, { ...engine.lock, ...release, operation: 'uninstall' }, ctx)
  try {
    return yield* uninstallLocked(engine, release, known, options, context({ ...ctx, signal: lock.signal }))
  } finally {
    await lock.release()
  }
}

async function* uninstallLocked(
  engine: ReleaseEngine,
  release: ReleaseName,
  known: ReleaseHistory,
  options: UninstallOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, UninstallResult> {
  const { history } = yield* healedHistory(engine, release, known, ctx)
  if (history.latest === undefined) {
    throw new LadingError('release.not-found', `there is no release ${release.namespace}/${release.name}`, {
      ...release,
    })
  }
  if (history.latest.record.state.status === 'uninstalled') {
    // An uninstall that was interrupted while it removed its history, or one that kept it and is now to drop it.
    await purge(engine, release, ctx)
    return { objects: [], record: history.latest.record }
  }
  if (options.plan !== undefined) {
    await refuseMovedUninstall(engine, options.plan, history.latest.record.version, ctx)
  }
  const timeoutMs = options.timeoutMs ?? 300_000
  const deadline = ctx.clock.now() + timeoutMs
  const { record } = history.latest
  const pending = {
    status: 'pending-uninstall',
    started_at: timeOf(ctx),
    timeout: Math.ceil(timeoutMs / 1000),
  } as const
  // The inventory of every revision since the last good one, so that a crash from here on forgets nothing.
  const begun = transition({ ...record, inventory: history.inventory }, pending, timeOf(ctx))
  let stored = await engine.store.update(history.latest, begun, ctx)
  try {
    const hooks = options.noHooks === true ? [] : hooksOfRecord(record)
    const before = yield* runHooks(engine.cluster, hooks, 'pre-delete', deadline, ctx)
    const targets = history.inventory.map(({ ref, uid }) => ({ ...ref, ...(uid === undefined ? {} : { uid }) }))
    const { objects } = yield* deleteSet(
      engine.cluster,
      targets,
      {
        owner: ownershipOf(release, engine.store).guard,
        wait: options.wait ?? true,
        timeoutMs: Math.max(1, deadline - ctx.clock.now()),
      },
      ctx,
    )
    const after = yield* runHooks(engine.cluster, hooks, 'post-delete', deadline, ctx)
    const runs = new Map([...before.runs, ...after.runs].map(([hook, run]) => [hook.object, run]))
    const description = options.description ?? 'Uninstallation complete'
    const left = { ...stored.record, hooks: withRuns(record.hooks, runs), inventory: [], description }
    const done = transition(left, { status: 'uninstalled' }, timeOf(ctx))
    stored = await engine.store.update(stored, done, ctx)
    if (options.keepHistory !== true) await purge(engine, release, ctx)
    return { objects, record: stored.record }
  } catch (error) {
    const failure = toLadingError(error)
    if (stored.record.state.status === 'pending-uninstall') {
      await markFailed(engine.store, stored, failure, ctx)
    }
    throw failure
  }
}

/** Removes every revision, the oldest first: while one is left, the release is known to be uninstalled. */
async function purge({ store }: ReleaseEngine, { name, namespace }: ReleaseName, ctx: Context): Promise<void> {
  for (const { version, status } of await store.history(name, namespace, ctx)) {
    if (status === 'unknown') continue
    const stored = await store.get({ name, namespace, version }, ctx)
    if (stored !== undefined) await store.delete(stored, ctx)
  }
}

function withRuns(hooks: readonly HookRecord[], runs: ReadonlyMap<KubeObject, HookRun>): HookRecord[] {
  return hooks.map((hook) => {
    const lastRun = runs.get(hook.object)
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
