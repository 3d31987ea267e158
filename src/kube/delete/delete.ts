import {
  type Context,
  type ErrorCode,
  formatRef,
  LadingError,
  type ObjectMeta,
  type ObjectRef,
} from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { type DeletePreconditions, type DeleteRules, requestDeletion } from './delete-request.ts'
import { type Holdup, tellHoldup, watchTermination } from './watch-termination.ts'

/** How an object is deleted. */
export interface DeleteOptions extends DeleteRules, DeletePreconditions {
  /** Whether to wait until the object is gone; true unless told. */
  readonly wait?: boolean
  /** How long to wait; five minutes unless told. */
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

/** The time that a deletion may take unless told otherwise. */
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
    return { ref, action: 'skipped', reason, ...(code !== undefined && { code }) }
  }
  if (options.wait !== false && options.dryRun !== true && !deletion.finished) {
    const { timeoutMs = defaultDeleteTimeoutMs } = options
    const watching = watchTermination(cluster, [deletion], timeoutMs, ctx)
    let next = await watching.next()
    while (next.done !== true) next = await watching.next()
    if (next.value.length > 0) throw terminationTimeout(next.value, timeoutMs)
  }
  return { ref, action: 'deleted' }
}

/** The error of objects that did not go in time, with what each of them waits for. */
export function terminationTimeout(holdups: readonly Holdup[], timeoutMs: number): LadingError {
  const told = holdups.slice(0, 3).map((holdup) => `${formatRef(holdup.ref)} (${tellHoldup(holdup)})`)
  const more = holdups.length > told.length ? ` and ${holdups.length - told.length} more` : ''
  const message = `still there after ${Math.round(timeoutMs / 100) / 10} s: ${told.join(', ')}${more}`
  return new LadingError('delete.timeout', message, { timeoutMs, waitingFor: holdups })
}
