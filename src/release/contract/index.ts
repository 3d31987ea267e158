/**
 * The test suite that every release store has to pass.
 *
 * @module
 */
export type { TestRunner } from '../../core/contract/index.ts'
export {
  releaseStoreContract,
  type StoreCase,
  type StoreContractCase,
  type StoreTarget,
  type Traffic,
} from '../storage/contract.ts'
