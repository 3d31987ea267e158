export type { CaseContext, ContractCase, ContractRegistry, TestRunner } from './harness.ts'
export { registryContract } from './run.ts'
