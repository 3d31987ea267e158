/**
 * The test suite that every registry has to pass.
 *
 * @module
 */
export type { TestRunner } from '../../core/contract/index.ts'
export type { CaseContext, ContractCase, ContractRegistry } from './harness.ts'
export { registryContract } from './run.ts'
