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
  return (objects) => {
    const silent = objects.filter(isSilent)
    const busy = objects.some((tracked) => isOpen(tracked) && !isSilent(tracked))
    if (silent.length === 0 || busy) {
      since = undefined
      return []
    }
    if (since === undefined) {
      since = clock.now()
      if (graceMs > 0) scope.tellAfter(graceMs, { type: 'look-again' })
    }
    const silentMs = clock.now() - since
    if (silentMs < graceMs) return []
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
