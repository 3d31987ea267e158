import type { Job, JobError, JobLogLine, JobState, JobStep, NewJob } from './job.ts'
import type { JobOutputs } from './job-operations.ts'

/** A runner's right to work on a job, for a while. */
export interface Lease {
  readonly id: string
  readonly fence: number
}

/** Who asks for work, and how much of it may go on at once. */
export interface LeaseRequest {
  readonly worker: string
  readonly leaseMs: number
  /** How many jobs of one group may be in progress. */
  readonly perGroup: number
  /** Takes only jobs of these types; of all unless given. */
  readonly types?: readonly string[]
  /** Takes only jobs for these clusters and jobs that name none; for all unless given. */
  readonly clusters?: readonly string[]
  /** Takes this job or none. */
  readonly only?: string
}

/** A job that waits for a runner that can do it. */
export type LeftJob = Pick<Job, 'id' | 'type' | 'cluster'>

/** How a job ended, or that it is to be tried again. */
export type JobEnding =
  | { readonly state: 'finished'; readonly outputs?: JobOutputs | undefined }
  | { readonly state: 'failed' | 'timed-out' | 'cancelled'; readonly error: JobError }
  | { readonly state: 'queued'; readonly error: JobError; readonly dueAt: number }
  /** Given back unharmed, for the next runner; this try does not count. */
  | { readonly state: 'available' }

/** Which jobs to list. */
export interface JobQuery {
  readonly group?: string
  readonly states?: readonly JobState[]
  /** The newest so many; 100 unless told. */
  readonly limit?: number
}

/**
 * Where jobs are kept. Every write of a runner names its lease: one that was lost meanwhile, to a runner that took over, is refused
 * with `job.lost`.
 */
export interface JobStore {
  enqueue(job: NewJob): Promise<Job>
  get(id: string): Promise<Job | undefined>
  list(query: JobQuery): Promise<Job[]>
  /** Takes the oldest job that is due and whose group has room; undefined where there is none. */
  lease(request: LeaseRequest): Promise<Job | undefined>
  /** The oldest available job of each type and cluster that the request leaves to others. */
  leftByLease(request: Pick<LeaseRequest, 'types' | 'clusters'>): Promise<LeftJob[]>
  /** Prolongs a lease and says whether somebody wants the job cancelled. */
  heartbeat(lease: Lease, leaseMs: number): Promise<{ readonly cancelRequested: boolean }>
  setStep(lease: Lease, step: JobStep): Promise<void>
  log(lease: Lease, lines: readonly Omit<JobLogLine, 'seq' | 'attempt'>[]): Promise<void>
  end(lease: Lease, ending: JobEnding): Promise<void>
  /** A job that waits is cancelled at once; one in progress is asked to stop. */
  cancel(id: string): Promise<Job>
  logs(id: string, after: number): Promise<JobLogLine[]>
  /** Forgets jobs that ended before this time, with what they said, and gives how many; one that another still waits for stays. */
  prune(endedBefore: number): Promise<number>
  /** When there may be work next: something becomes due, or a lease runs out. */
  nextDue(): Promise<number | undefined>
  /** Resolves at the next change, by this process or another, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void>
  close(): void
}
