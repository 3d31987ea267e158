/**
 * The test suite that every implementation of a cluster has to pass.
 *
 * @module
 */
export type { TestRunner } from '../../core/contract/index.ts'
export { type CaseContext, type ContractCase, contractCase, type ContractTarget } from './harness.ts'
export { allSections, clusterContract } from './run.ts'
export type { ContractCase as SuiteCase, ContractSections, ExpectedFailures } from '../../core/contract/index.ts'
