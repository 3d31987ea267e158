import type { Context, ErrorCode, ObjectMeta, ObjectRef } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { type DeletePreconditions, type DeleteRules, requestDeletion } from './delete-request.ts'
import { terminationTimeout, watchTermination } from './watch-termination.ts'

/** How an object is deleted. */
export interface DeleteOptions extends DeleteRules, DeletePreconditions {
  /** Whether to wait until the object is gone (default: true). */
  readonly wait?: boolean
  /** How long to wait (default: five minutes). */
  readonly timeoutMs?: number
  /** The metadata of the live object where the caller has just read it: the deletion is bound to its version. */
  readonly live?: ObjectMeta
}

/** What became of the object: `unchanged` when it was gone already, `skipped` when it is left alone for a reason. */
export interface DeleteResult {
  readonly ref: ObjectRef
  readonly action: 'deleted' | 'unchanged' | 'skipped'
  readonly reason?: string
  /** `delete.not-owned` when the ownership guard held it. */
  readonly code?: ErrorCode
}

/** How long a deletion may take by default. */
export const defaultDeleteTimeoutMs = 5 * 60_000

/** Why an object counts as deleted without a request. */
export const alreadyGone = 'it was gone already'

/** Deletes one object and waits until it is gone; what is not there counts as deleted. */
export async function deleteObject(
  cluster: Cluster,
  ref: ObjectRef,
  options: DeleteOptions,
  ctx: Context,
): Promise<DeleteResult> {
  const deletion = await requestDeletion(cluster, ref, options, options.live, ctx)
  if (deletion.outcome === 'absent') return { ref, action: 'unchanged', reason: alreadyGone }
  if (deletion.outcome === 'skipped') {
    const { reason, code } = deletion
    return { ref, action: 'skipped', reason, code }
  }
  if (options.wait !== false && options.dryRun !== true && !deletion.finished) {
    const { timeoutMs = defaultDeleteTimeoutMs } = options
    const holdups = await watchTermination(cluster, [deletion], timeoutMs, ctx)
    if (holdups.length > 0) throw terminationTimeout(holdups, timeoutMs)
  }
  return { ref, action: 'deleted' }
}
