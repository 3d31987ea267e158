import { type DetailsOf, type ErrorCode, LadingError } from '../../core/index.ts'
import type { JobOperation, JobOperations, JobOutputs, JobPlan } from './job-operations.ts'

/** How far a job is. `unknown` is a record that cannot be read. */
export type JobState =
  | 'queued'
  | 'available'
  | 'in-progress'
  | 'finished'
  | 'failed'
  | 'timed-out'
  | 'not-attempted'
  | 'cancelled'
  | 'unknown'

/** The steps of every job, in order; `cleanup` runs whatever became of the others. */
export const jobSteps = ['reset', 'fetch', 'initialize', 'validate', 'execute', 'outputs', 'cleanup'] as const

/** One of the steps. */
export type JobStep = (typeof jobSteps)[number]

/** Why a job did not end well. */
export interface JobError {
  readonly code: ErrorCode
  readonly message: string
  readonly step?: JobStep
  /** What explains it: objects that are not ready, their events and ends of logs, the log of a hook. */
  readonly details?: DetailsOf
}

/** What is to be done: the operation says what the plan is. */
export type NewJob<Operation extends JobOperation = JobOperation> = {
  readonly [Each in Operation]: JobRequest & {
    readonly type: JobOperations[Each]['type']
    readonly operation: Each
    /** Everything that the job needs to know; never a credential. */
    readonly plan: JobPlan<Each>
  }
}[Operation]

/** How and when a job is to be done, whatever it is. */
export interface JobRequest {
  /** Of the jobs of one group only as many run at once as the runner allows. */
  readonly group: string
  readonly timeoutMs: number
  /** How often it is tried again after a failure that may pass. */
  readonly maxRetries?: number
  /** Not before this time. */
  readonly notBefore?: number
  /** The cluster that it is for, by the uid of its namespace `kube-system`; runners of other clusters leave it alone. */
  readonly cluster?: string
  /**
   * Enqueued at most once: where a job of this key and cluster was enqueued before, or one of its group, operation and cluster has not ended,
   * that one is given instead. Decided in one transaction of the store.
   */
  readonly unique?: string
  /** Only after this job has finished; if that does not end well, this one is not attempted. */
  readonly after?: string
}

/** A job as it is stored: the operation says what its plan and its outputs are. */
export type Job<Operation extends JobOperation = JobOperation> = {
  readonly [Each in Operation]: JobProgress & {
    readonly type: JobOperations[Each]['type']
    readonly operation: Each
    readonly plan: JobPlan<Each>
    /** Set once it has finished. */
    readonly outputs?: JobOutputs<Each>
  }
}[Operation]

/** How far a job is, whatever it does. */
export interface JobProgress {
  readonly group: string
  readonly timeoutMs: number
  readonly id: string
  readonly state: JobState
  readonly cluster?: string
  readonly after?: string
  /** How often it was begun. */
  readonly attempt: number
  readonly maxRetries: number
  /** How often a runner went away while it ran. */
  readonly lost: number
  /** Grows with every lease: whoever holds an older one can write nothing more. */
  readonly fence: number
  readonly worker?: string
  readonly leaseUntil?: number
  readonly dueAt: number
  readonly step?: JobStep
  readonly cancelRequested: boolean
  readonly error?: JobError
  readonly createdAt: number
  readonly startedAt?: number
  readonly finishedAt?: number
}

/** A line of a job's log. */
export interface JobLogLine {
  readonly seq: number
  readonly time: number
  readonly attempt: number
  readonly step?: JobStep
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
}

/** The job as one of these operations; any other is refused. */
export function jobOf<Operation extends JobOperation>(job: Job, ...operations: Operation[]): Job<Operation> {
  if (operations.some((operation) => operation === job.operation)) return job as Job<Operation>
  throw new LadingError('job.unsupported', `job ${job.id} is ${job.operation}, not ${operations.join(' or ')}`, {
    type: job.type,
  })
}

const ended: ReadonlySet<JobState> = new Set(['finished', 'failed', 'timed-out', 'not-attempted', 'cancelled'])

/** Whether nothing more happens to a job in this state. */
export function isEnded(state: JobState): boolean {
  return ended.has(state)
}
