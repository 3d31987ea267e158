export type { ActiveFault, FaultKind, FaultSpec } from './faults/fault.ts'
export type { FaultControl } from './faults/faults.ts'
export { type Registry, type RegistryOptions, startRegistry } from './registry/start-registry.ts'
export { type Sandbox, type SandboxOptions, startSandbox } from './start.ts'
