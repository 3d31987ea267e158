export { type CaseContext, type ContractCase, contractCase, type ContractTarget, type TestRunner } from './harness.ts'
export { allSections, clusterContract } from './run.ts'
