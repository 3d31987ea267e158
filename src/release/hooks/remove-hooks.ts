import {
  type Context,
  context,
  formatRef,
  type LadingError,
  type LadingEvent,
  type ObjectRef,
  refOf,
  timeLeft,
  toLadingError,
} from '../../core/index.ts'
import { type Cluster, deleteObject } from '../../kube/index.ts'
import type { HookPhase } from '../record/record.ts'
import type { Hook } from './parse-hook.ts'

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

/** The warning for a hook that stays because it could not be removed. */
export function notRemoved(ref: ObjectRef, error: unknown): LadingEvent {
  return {
    type: 'warning',
    ref,
    message: `the hook ${formatRef(ref)} could not be removed: ${toLadingError(error).message}`,
  }
}
