import { type KubeObject, type LadingEvent, monotonicNow } from '../../core/index.ts'
import { graceOf, heldStatus } from './fail-grace.ts'
import type { ObjectStatus } from '../../schema/index.ts'
import type { ObjectCheck } from './check-object.ts'
import type { TrackedObject } from './tracked-object.ts'
import type { WaitScope } from './wait-scope.ts'

/** How often it is told how long a failure still has to heal. */
const reminderMs = 15_000

/** Checks objects and reports each change of their status. */
export interface StatusReport {
  readonly of: (tracked: TrackedObject) => AsyncGenerator<LadingEvent, void>
  /** The pods that were found to be the cause of a failure. */
  readonly causes: ReadonlyMap<TrackedObject, readonly KubeObject[]>
}

/** Failures that may heal by themselves get time to do so: `failGraceMs`, or the default of each. */
export function createStatusReport(
  check: (tracked: TrackedObject) => Promise<ObjectCheck>,
  { failGraceMs, mask }: { readonly failGraceMs: number | undefined; readonly mask: (text: string) => string },
  scope: WaitScope,
): StatusReport {
  const { clock } = scope.ctx
  const causes = new Map<TrackedObject, readonly KubeObject[]>()
  const warned = new Set<string>()

  /** A failure that may heal is told as being in progress until it has lasted. */
  const withGrace = (tracked: TrackedObject, status: ObjectStatus): ObjectStatus => {
    const grace = graceOf(status, failGraceMs)
    if (grace === undefined) {
      // Between two crashes a container runs for a moment, which heals nothing.
      if (status.status === 'InProgress' && tracked.failing?.status.reason === 'CrashLoopBackOff') return status
      tracked.failing = undefined
      return status
    }
    const now = monotonicNow(clock)
    const since = tracked.failing?.since ?? now
    const until = since + grace
    const isNew = tracked.failing?.until !== until
    tracked.failing = { status, since, until }
    if (until <= now) return status
    if (isNew) remind(tracked, until)
    return heldStatus(status, until - now)
  }

  /** Tells of the object again, at the latest when its grace is over. */
  const remind = (tracked: TrackedObject, until: number): void => {
    const pause = Math.min(reminderMs, until - monotonicNow(clock))
    scope.run(
      clock.sleep(pause, scope.ctx.signal).then(() => {
        scope.tell({ type: 'look-again' })
        if (tracked.failing?.until === until && monotonicNow(clock) < until) remind(tracked, until)
      }),
    )
  }

  return {
    causes,
    async *of(tracked) {
      const found = await check(tracked)
      causes.set(tracked, found.pods)
      for (const { ref, message } of found.unscheduled) {
        if (warned.has(message)) continue
        warned.add(message)
        yield { type: 'warning', ref, message: mask(message) }
      }
      const before = tracked.status
      const { status, message } = (tracked.status = withGrace(tracked, found.status))
      if (before.status !== status || before.message !== message)
        yield { type: 'status', ref: tracked.ref, status, message: mask(message) }
    },
  }
}
