export {
  type ContractCase,
  type ContractSections,
  declareCases,
  type ExpectedFailures,
  type TestRunner,
} from './suite.ts'
