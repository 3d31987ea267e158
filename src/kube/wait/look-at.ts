import type { KubeObject, LadingEvent } from '../../core/index.ts'
import type { ObjectStatus } from '../../schema/index.ts'
import type { Judgement } from './judge.ts'
import type { TrackedObject } from './tracked-object.ts'
import type { WaitScope } from './wait-scope.ts'

/**
 * Failures that are often over in a moment: a Secret that a controller is still writing, a registry's hiccup, and the deadline
 * that a Deployment passed before it was rolled back, which its controller takes off only after the next look.
 */
const mayHeal = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'ErrImagePull',
  'ImageInspectError',
  'ProgressDeadlineExceeded',
])

/** Judges objects again and tells what is new about them. */
export interface Look {
  readonly at: (tracked: TrackedObject) => AsyncGenerator<LadingEvent, void>
  /** The pods that were found to be the cause of a failure. */
  readonly causes: ReadonlyMap<TrackedObject, readonly KubeObject[]>
}

/** A look that gives failures which may heal by themselves the given time to do so. */
export function createLook(
  judge: (tracked: TrackedObject) => Promise<Judgement>,
  graceMs: number,
  scope: WaitScope,
): Look {
  const { clock } = scope.ctx
  const causes = new Map<TrackedObject, readonly KubeObject[]>()
  const warned = new Set<string>()

  /** A failure that may heal is told as being in progress until it has lasted. */
  const withGrace = (tracked: TrackedObject, status: ObjectStatus): ObjectStatus => {
    if (status.status !== 'Failed' || !mayHeal.has(status.reason ?? '')) {
      tracked.failingSince = undefined
      return status
    }
    if (tracked.failingSince === undefined) {
      tracked.failingSince = clock.now()
      if (graceMs > 0) scope.tellAfter(graceMs, { type: 'look-again' })
    }
    return clock.now() - tracked.failingSince < graceMs ? { ...status, status: 'InProgress' } : status
  }

  return {
    causes,
    async *at(tracked) {
      const judgement = await judge(tracked)
      causes.set(tracked, judgement.pods)
      for (const { ref, message } of judgement.unscheduled) {
        if (warned.has(message)) continue
        warned.add(message)
        yield { type: 'warning', ref, message }
      }
      const before = tracked.status
      const { status, message } = (tracked.status = withGrace(tracked, judgement.status))
      if (before.status !== status || before.message !== message)
        yield { type: 'status', ref: tracked.ref, status, message }
    },
  }
}
