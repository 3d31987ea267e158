import {
  type Context,
  isLadingError,
  type KubeObject,
  type LadingEvent,
  monotonicNow,
  type ObjectRef,
  refOf,
} from '../../core/index.ts'
import { type Cluster, getObject } from '../../kube/index.ts'
import { computeStatus } from '../../schema/index.ts'
import type { ReleaseName } from '../release-name.ts'
import { type Operation, phasesOf } from '../plan.ts'
import type { ReleaseHistory } from '../record/history.ts'
import type { HookPhase, ReleaseRecord } from '../record/record.ts'
import { runsToAnEnd } from './hook-log.ts'
import { isOwnHook } from './hook-ownership.ts'
import { type Hook, hooksOf, parseHook } from './parse-hook.ts'
import { type EndedHook, isRemovable, notRemoved, removeByPolicy } from './remove-hooks.ts'

/**
 * Removes what the hooks of an operation that was interrupted left, where their policies say so and the release's own marks prove that they
 * are its hooks: one that had not run yet may have the name of another's. A Job or Pod that has not ended counts as failed, like the
 * operation that waited for it.
 */
export async function* removeInterrupted(
  cluster: Cluster,
  record: ReleaseRecord,
  operation: Operation,
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  const hooks = record.hooks.flatMap(({ object }) => parseHook(object) ?? [])
  for (const phase of phasesOf(operation).toReversed()) {
    for (const hook of hooksOf(hooks, phase).toReversed()) {
      yield* removeLeft(cluster, hook, phase, record, ctx)
    }
  }
}

/**
 * Removes what is there of the hooks of revisions that failed, where their policies say so: a process that had lost its lock wrote it. The
 * caller holds the lock. Returns what was removed.
 */
export async function* removeLate(
  cluster: Cluster,
  release: ReleaseName,
  { failedHooks }: Pick<ReleaseHistory, 'failedHooks'>,
  ctx: Context,
): AsyncGenerator<LadingEvent, ObjectRef[]> {
  const removed: ObjectRef[] = []
  for (const hook of failedHooks.flatMap((object) => parseHook(object) ?? []).toReversed()) {
    const [phase] = hook.phases
    if (phase === undefined) continue
    for await (const event of removeLeft(cluster, hook, phase, release, ctx)) {
      if (event.type === 'hook') removed.push(event.ref)
      yield event
    }
  }
  return removed
}

/** Whether there is anything that `removeLate` would remove. */
export async function isLateHookThere(
  cluster: Cluster,
  release: ReleaseName,
  { failedHooks }: Pick<ReleaseHistory, 'failedHooks'>,
  ctx: Context,
): Promise<boolean> {
  for (const object of failedHooks) {
    const hook = parseHook(object)
    if (hook !== undefined && (await leftOf(cluster, hook, release, ctx)) !== undefined) return true
  }
  return false
}

async function* removeLeft(
  cluster: Cluster,
  hook: Hook,
  phase: HookPhase,
  release: ReleaseName,
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  try {
    const left = await leftOf(cluster, hook, release, ctx)
    if (left === undefined) return
    const end = { phase, deadlineMs: monotonicNow(ctx.clock), failed: true }
    yield* removeByPolicy(cluster, [left], end, ctx)
  } catch (error) {
    if (ctx.signal.aborted) throw error
    yield notRemoved(refOf(hook.object), error)
  }
}

/** What is there of a hook that nobody runs any more and whose policies say that it goes. */
async function leftOf(
  cluster: Cluster,
  hook: Hook,
  release: ReleaseName,
  ctx: Context,
): Promise<EndedHook | undefined> {
  const ref = refOf(hook.object)
  const { deletePolicies } = hook
  if (!isRemovable(ref) || !deletePolicies.some((policy) => policy !== 'before-hook-creation')) return undefined
  const live = await findHook(cluster, ref, release, ctx)
  if (live?.metadata.uid === undefined) return undefined
  const outcome = outcomeOf(live)
  return deletePolicies.includes(`hook-${outcome}`) ? { hook, outcome, uid: live.metadata.uid } : undefined
}

/** The live object of a hook of this release. */
async function findHook(
  cluster: Cluster,
  ref: ObjectRef,
  { name, namespace }: ReleaseName,
  ctx: Context,
): Promise<KubeObject | undefined> {
  try {
    const live = await getObject(cluster, ref, ctx)
    return live !== undefined && isOwnHook(live, { name, namespace }) ? live : undefined
  } catch (error) {
    if (isLadingError(error, 'kube.unknown-kind')) return undefined
    throw error
  }
}

function outcomeOf(live: KubeObject): EndedHook['outcome'] {
  if (!runsToAnEnd(refOf(live))) return 'succeeded'
  const phase = (live['status'] as { phase?: unknown } | undefined)?.phase
  const succeeded = live.kind === 'Pod' ? phase === 'Succeeded' : computeStatus(live).status === 'Current'
  return succeeded ? 'succeeded' : 'failed'
}
