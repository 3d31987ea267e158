import { type Context, context, isLadingError, type LadingError, toLadingError } from '../../core/index.ts'
import { transition } from '../record/state.ts'
import type { ReleaseStore, RevisionSummary, StoredRecord } from '../storage/release-store.ts'

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

/**
 * Marks a revision as failed, with the reason; its inventory stays, so that the next operation knows what there may be. It is
 * written although the operation may have been cancelled. Where it cannot be, the revision stays pending, which the next
 * operation heals: what counts is the failure, and that must not be hidden by this one.
 */
export async function markFailed(
  store: ReleaseStore,
  stored: StoredRecord,
  failure: LadingError,
  ctx: Context,
): Promise<boolean> {
  const now = new Date(ctx.clock.now()).toISOString()
  const state = { status: 'failed', reason: failure.message, recoverable: failure.retryable, failed_at: now } as const
  const description = `${(stored.record.description ?? 'operation').replace(/ complete$/, '')} failed: ${failure.message}`
  const limit = failure.code === 'cancelled' ? lastWordMs.cancelled : lastWordMs.failed
  const unbound = context({ ...ctx, signal: AbortSignal.timeout(limit) })
  try {
    await store.update(stored, transition({ ...stored.record, description }, state, now), unbound)
    return true
  } catch (error) {
    const { name, version } = stored.record
    ctx.log.warn('the revision could not be marked as failed', { name, version, code: toLadingError(error).code })
    return false
  }
}

/** Whether the work under a lock ended because the lock was lost: then the release is not ours to write to any more. */
export function isLockLost({ signal, deadline }: Context): boolean {
  // Also one that was lost after the deadline.
  return [signal, deadline?.overtime].some((each) => isLadingError(each?.reason, 'release.lock-lost'))
}

/** How long the last write of a failed operation may take; whoever cancelled it is waiting. */
const lastWordMs = { failed: 30_000, cancelled: 10_000 }
