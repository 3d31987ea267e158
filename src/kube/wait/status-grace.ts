import { monotonicNow } from '../../core/index.ts'
import type { TrackedObject } from './tracked-object.ts'
import type { WaitScope } from './wait-scope.ts'

/** Gives the objects whose first status need not be waited for any longer. */
export type StatusGrace = (objects: readonly TrackedObject[]) => TrackedObject[]

/**
 * Counts the time in which nothing but first statuses is missing. It begins only when everything else is ready, as the controller that
 * would write them may be among that.
 */
export function createStatusGrace(graceMs: number, scope: WaitScope): StatusGrace {
  const { clock } = scope.ctx
  let since: number | undefined
  let wakes = false
  // A timer may end a little before the clock says so: then it is set again for what is left.
  const wakeAfter = (ms: number): void => {
    if (wakes) return
    wakes = true
    const rang = clock.sleep(ms, scope.ctx.signal).then(() => {
      wakes = false
      scope.tell({ type: 'look-again' })
    })
    scope.run(rang)
  }
  return (objects) => {
    const silent = objects.filter(isSilent)
    const busy = objects.some((tracked) => isOpen(tracked) && !isSilent(tracked))
    if (silent.length === 0 || busy) {
      since = undefined
      return []
    }
    since ??= monotonicNow(clock)
    const silentMs = monotonicNow(clock) - since
    if (silentMs < graceMs) {
      wakeAfter(graceMs - silentMs)
      return []
    }
    for (const tracked of silent) tracked.silentMs = silentMs
    return silent
  }
}

function isSilent({ status }: TrackedObject): boolean {
  return status.status === 'InProgress' && status.reason === 'NoStatus'
}

function isOpen({ status }: TrackedObject): boolean {
  return status.status !== 'Current' && status.status !== 'Failed'
}
