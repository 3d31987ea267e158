import { type Context, type LadingEvent, type Operation, operation, type OperationOptions } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { defaultDeleteTimeoutMs } from '../delete/delete.ts'
import { terminationTimeout, watchTermination } from '../delete/watch-termination.ts'
import { trackTargets, type WaitTarget } from './tracked-object.ts'

/** How to wait for deletions. */
export interface WaitForDeletedOptions extends OperationOptions {
  /** How long to wait (default: five minutes). */
  readonly timeoutMs?: number
}

/**
 * Waits until none of the objects exists. Of an object with a uid, another one of its name does not count. Throws `delete.timeout` with
 * the objects that remain and what holds them.
 */
export function waitForDeleted(
  cluster: Cluster,
  targets: readonly WaitTarget[],
  options: WaitForDeletedOptions,
  ctx: Context,
): Operation<void> {
  return operation('waitForDeleted', () => untilDeleted(cluster, targets, options, ctx), options)
}

async function* untilDeleted(
  cluster: Cluster,
  targets: readonly WaitTarget[],
  { timeoutMs = defaultDeleteTimeoutMs }: WaitForDeletedOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, void> {
  const objects = trackTargets(targets).map(({ ref, given }) => ({ ref, uid: given?.metadata.uid }))
  const watching = watchTermination(cluster, objects, timeoutMs, ctx)
  for await (const event of watching) {
    if (event.type === 'gone') yield { type: 'status', ref: event.ref, status: 'NotFound', message: 'is gone' }
    else yield { type: 'status', ref: event.holdup.ref, status: 'Terminating', message: event.message }
  }
  const holdups = await watching
  if (holdups.length > 0) throw terminationTimeout(holdups, timeoutMs)
}
