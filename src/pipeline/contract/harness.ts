import assert from 'node:assert/strict'
import type { ContractCase } from '../../core/contract/index.ts'
import { type ErrorCode, isLadingError, type ManualClock } from '../../core/index.ts'
import type { JobStore, LeaseRequest } from '../jobs/job-store.ts'

/** An empty storage under test. */
export interface JobStoreTarget {
  readonly store: JobStore
  /** Another store over the same storage, as a second process would open it. */
  readonly another: () => JobStore | Promise<JobStore>
  /** Closes every store and removes the storage. */
  close(): Promise<void>
}

/** What one case gets: a storage of its own, and the clock that its stores were opened with. */
export interface JobStoreCase extends JobStoreTarget {
  readonly clock: ManualClock
}

/** One observable behaviour of a job store. */
export type JobStoreContractCase = ContractCase<JobStoreCase>

/** A runner that takes one job of each group for a second. */
export const take: LeaseRequest = { worker: 'a', leaseMs: 1000, perGroup: 1 }

/** Fails unless the work fails with the code. */
export async function assertCode(work: Promise<unknown>, code: ErrorCode): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(isLadingError(error), `${String(error)} is no LadingError`)
    assert.equal(error.code, code, error.message)
    return true
  })
}
