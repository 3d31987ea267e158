import {
  formatRef,
  LadingError,
  type LadingEvent,
  objectId,
  type ObjectRef,
  type ObjectStatusName,
} from '../../core/index.ts'
import { describeEvent } from './describe-event.ts'
import type { Job, JobStep } from './job.ts'

interface Unready {
  readonly ref: ObjectRef
  readonly status: ObjectStatusName
  readonly message: string
}

/** Remembers what a job last said, so that running out of time can be explained. */
export interface WaitedFor {
  add(event: LadingEvent): void
  /** The error of a job whose time is over, with the objects that were not ready in its details. */
  timedOut(job: Job, step: JobStep): LadingError
}

/** Follows the events of one try of a job. */
export function waitedFor(): WaitedFor {
  const unready = new Map<string, Unready>()
  let last: string | undefined
  return {
    add: (event) => {
      last = describeEvent(event).message
      if (event.type !== 'status') return
      const { ref, status, message } = event
      // Deleted first, so that what moved last stands last.
      unready.delete(objectId(ref))
      if (status !== 'Current') unready.set(objectId(ref), { ref, status, message })
    },
    timedOut: ({ id, timeoutMs }, step) => {
      const objects = [...unready.values()]
      const what = objects.length > 0 ? `waited for ${namesOf(objects)}` : lastOf(last)
      const problem = `the job took longer than ${timeoutMs / 1000} s: step ${step} ${what}`
      return new LadingError('job.timed-out', problem, { id, ...(objects.length > 0 ? { objects } : {}) })
    },
  }
}

function namesOf(objects: readonly Unready[]): string {
  const [first, ...more] = objects
  const { ref, message } = first!
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`
  return `${formatRef(ref)}${message === '' ? '' : `: ${message}`}${others}`
}

function lastOf(message: string | undefined): string {
  return message === undefined ? 'had reported nothing yet' : `last reported: ${message}`
}
