/**
 * The test suite that every job store has to pass.
 *
 * @module
 */
export type { TestRunner } from '../../core/contract/index.ts'
export type { JobStoreCase, JobStoreContractCase, JobStoreTarget } from './harness.ts'
export { jobStoreContract } from './run.ts'
