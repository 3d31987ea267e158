import type { DetailsOf, ErrorCode } from '../../core/index.ts'

/** What a job does. */
export type JobType = 'kubernetes-manifest-build' | 'oci-sync' | 'kubernetes-manifest-deploy'

/** Which part of it. */
export type JobOperation =
  | 'build'
  | 'sync'
  | 'create-apply-plan'
  | 'create-teardown-plan'
  | 'apply-plan'
  | 'check-health'
  | 'detect-drift'

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

/** What a job is given and what it left, as plain data. */
export type JobData = Readonly<Record<string, unknown>>

/** What is to be done. */
export interface NewJob {
  readonly type: JobType
  readonly operation: JobOperation
  /** Of the jobs of one group only as many run at once as the runner allows. */
  readonly group: string
  /** Everything that the job needs to know; never a credential. */
  readonly plan: JobData
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

/** A job as it is stored. */
export interface Job extends Required<Pick<NewJob, 'type' | 'operation' | 'group' | 'plan' | 'timeoutMs'>> {
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
  readonly outputs?: JobData
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

const ended: ReadonlySet<JobState> = new Set(['finished', 'failed', 'timed-out', 'not-attempted', 'cancelled'])

/** Whether nothing more happens to a job in this state. */
export function isEnded(state: JobState): boolean {
  return ended.has(state)
}
