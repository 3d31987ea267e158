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
  /** Takes only jobs of these types (default: of all). */
  readonly types?: readonly string[]
  /** Takes only jobs for these clusters and jobs that name none (default: for all). */
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
  /** How many at most (default: 100). */
  readonly limit?: number
}

/**
 * Where jobs are kept. Each method is one transaction: it happens as a whole or not at all, also among processes. Every write of a runner
 * names its lease: one that was lost meanwhile, to a runner that took over, is refused with `job.lost` and changes nothing.
 *
 * `enqueue`, `lease`, `end` and `cancel` also move on what time or another job has decided: a job that is due, and whose `after` has
 * finished, is available; one whose `after` ended otherwise is not attempted; one whose lease ran out is available again, or failed with
 * `job.lost` once it has lost three runners; one that was cancelled while nobody had it is cancelled.
 */
export interface JobStore {
  /**
   * Stores a job and gives it as it is stored, with a new id. An `after` that does not exist is refused with `job.not-found`; a `unique` job
   * that is there already is given instead, and two calls at once make one job.
   */
  enqueue(job: NewJob): Promise<Job>
  /** The job as it is stored, its plan and outputs equal to what was given, large integers too; undefined if there is none. */
  get(id: string): Promise<Job | undefined>
  /** The jobs that fit, the newest first. */
  list(query: JobQuery): Promise<Job[]>
  /**
   * Takes the oldest job that is available and whose group has room; undefined if there is none. No two callers get the same job. The job
   * is then in progress, with a larger fence and one attempt more.
   */
  lease(request: LeaseRequest): Promise<Job | undefined>
  /** The oldest available job of each type and cluster that the request leaves to others. Changes nothing. */
  leftByLease(request: Pick<LeaseRequest, 'types' | 'clusters'>): Promise<LeftJob[]>
  /** Lets a lease end this long after now, and says whether somebody wants the job cancelled. */
  heartbeat(lease: Lease, leaseMs: number): Promise<{ readonly cancelRequested: boolean }>
  /** Notes the step that the job is at; the next lease begins without one. */
  setStep(lease: Lease, step: JobStep): Promise<void>
  /** Adds lines to the job's log, all or none, in this order, with the attempt that is under way. */
  log(lease: Lease, lines: readonly Omit<JobLogLine, 'seq' | 'attempt'>[]): Promise<void>
  /** Ends an attempt and the lease with it: the fence grows, so that a second `end` is refused. Jobs that wait for this one move on. */
  end(lease: Lease, ending: JobEnding): Promise<void>
  /**
   * Cancels a job that waits at once, asks one in progress to stop, and leaves one that ended as it is; gives the job as it is then. An
   * unknown id is refused with `job.not-found`.
   */
  cancel(id: string): Promise<Job>
  /** The lines of a job's log whose `seq` is larger than `after`, in order; none for a job that does not exist. */
  logs(id: string, after: number): Promise<JobLogLine[]>
  /** Forgets jobs that ended before this time, with their logs, and gives how many; one that another still waits for stays. */
  prune(endedBefore: number): Promise<number>
  /** When there may be work next: something becomes due, or a lease runs out; undefined if only a change can bring work. */
  nextDue(): Promise<number | undefined>
  /**
   * Resolves at the next change after the call, by this process or another, or when the signal aborts; it may resolve without a change. It
   * never rejects.
   */
  changed(signal: AbortSignal): Promise<void>
  /** Lets go of files and connections; nothing is called afterwards. */
  close(): void
}
