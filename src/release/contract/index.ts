export type { TestRunner } from '../../core/contract/index.ts'
export {
  releaseStoreContract,
  type StoreCase,
  type StoreContractCase,
  type StoreTarget,
  type Traffic,
} from '../storage/contract.ts'
