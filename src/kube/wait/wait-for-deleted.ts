import { type Context, formatRef, type LadingEvent, LadingError } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { tellHoldup, watchTermination } from '../delete/watch-termination.ts'
import type { TrackedObject } from './tracked-object.ts'

/** Waits until none of the objects exists; throws `delete.timeout` with those that remain and what holds them. */
export async function* waitForDeleted(
  cluster: Cluster,
  objects: readonly (Pick<TrackedObject, 'ref'> & Partial<Pick<TrackedObject, 'given'>>)[],
  timeoutMs: number,
  ctx: Context,
): AsyncGenerator<LadingEvent, void> {
  const targets = objects.map(({ ref, given }) => {
    const uid = given?.metadata.uid
    return uid === undefined ? { ref } : { ref, uid }
  })
  const watch = watchTermination(cluster, targets, timeoutMs, ctx)
  let next = await watch.next()
  for (; next.done !== true; next = await watch.next()) {
    const event = next.value
    if (event.type === 'gone') yield { type: 'status', ref: event.ref, status: 'NotFound', message: 'is gone' }
    else yield { type: 'status', ref: event.holdup.ref, status: 'Terminating', message: event.message }
  }
  const remaining = next.value
  const first = remaining[0]
  if (first === undefined) return
  const more = remaining.length > 1 ? ` (and ${remaining.length - 1} more)` : ''
  throw new LadingError('delete.timeout', `${formatRef(first.ref)} still exists: ${tellHoldup(first)}${more}`, {
    objects: remaining.map((holdup) => ({ ...holdup, status: 'Terminating', message: tellHoldup(holdup) })),
  })
}
