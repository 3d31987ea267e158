/**
 * The test suite that every deployment adapter has to pass.
 *
 * @module
 */
export type { TestRunner } from '../../core/contract/index.ts'
export {
  adapterContract,
  type AdapterCase,
  type AdapterContractCase,
  type AdapterTarget,
  type DeploymentSample,
} from './adapter-contract.ts'
