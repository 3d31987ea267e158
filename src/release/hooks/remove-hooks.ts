import {
  type Context,
  context,
  formatRef,
  isLadingError,
  type KubeObject,
  type LadingError,
  type LadingEvent,
  monotonicNow,
  type ObjectRef,
  refOf,
  timeLeft,
  toLadingError,
} from '../../core/index.ts'
import { type Cluster, deleteObject, getObject } from '../../kube/index.ts'
import { computeStatus } from '../../schema/index.ts'
import type { ReleaseName } from '../release-name.ts'
import { type Operation, phasesOf } from '../plan.ts'
import type { HookPhase, ReleaseRecord } from '../record/record.ts'
import { runsToAnEnd } from './hook-log.ts'
import { isOwnHook } from './hook-ownership.ts'
import { type Hook, hooksOf, parseHook } from './parse-hook.ts'

/** A hook that has run, and the object that it ran as. */
export interface EndedHook {
  readonly hook: Hook
  readonly outcome: 'succeeded' | 'failed'
  readonly uid: string
}

/** Whether a hook may be deleted at all: a CRD never, for every object of its kind would go with it. */
export function isRemovable({ group, kind }: ObjectRef): boolean {
  return kind !== 'CustomResourceDefinition' || group !== 'apiextensions.k8s.io'
}

/** How long the removal of hooks may take, after a phase that failed or was cancelled. */
const removalMs = { failed: 30_000, cancelled: 10_000 }

/**
 * Removes the hooks of a phase that has ended, the last one first, where their policies say so. As in Helm it is done after the whole phase,
 * since a hook may need what an earlier one brought. After a failure, what cannot be removed is a warning: the failure must not be hidden.
 */
export async function* removeByPolicy(
  cluster: Cluster,
  ended: readonly EndedHook[],
  { phase, deadlineMs, failed }: { readonly phase: HookPhase; readonly deadlineMs: number; readonly failed: boolean },
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  const { aborted } = ctx.signal
  const unbound = aborted ? context({ ...ctx, signal: AbortSignal.timeout(removalMs.cancelled) }) : ctx
  const timeoutMs = Math.max(failed ? removalMs.failed : 1, timeLeft(deadlineMs, ctx))
  let problem: LadingError | undefined
  for (const { hook, outcome, uid } of ended.toReversed()) {
    const ref = refOf(hook.object)
    if (!hook.deletePolicies.includes(`hook-${outcome}`) || !isRemovable(ref)) continue
    try {
      const { action } = await deleteObject(cluster, ref, { keep: 'ignore', uid, wait: !aborted, timeoutMs }, unbound)
      if (action === 'deleted') yield { type: 'hook', ref, phase, status: 'deleted' }
    } catch (error) {
      if (failed) yield notRemoved(ref, error)
      else problem ??= toLadingError(error)
    }
  }
  if (problem !== undefined) throw problem
}

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
      const ref = refOf(hook.object)
      if (!hook.deletePolicies.some((policy) => policy !== 'before-hook-creation')) continue
      try {
        const live = await findHook(cluster, ref, record, ctx)
        if (live?.metadata.uid === undefined) continue
        const ended = [{ hook, outcome: outcomeOf(live), uid: live.metadata.uid }]
        const deadlineMs = monotonicNow(ctx.clock) + removalMs.failed
        yield* removeByPolicy(cluster, ended, { phase, deadlineMs, failed: true }, ctx)
      } catch (error) {
        if (ctx.signal.aborted) throw error
        yield notRemoved(ref, error)
      }
    }
  }
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

function notRemoved(ref: ObjectRef, error: unknown): LadingEvent {
  return {
    type: 'warning',
    ref,
    message: `the hook ${formatRef(ref)} could not be removed: ${toLadingError(error).message}`,
  }
}
