/**
 * A Kubernetes API server and an OCI registry inside the process, for tests and demos.
 *
 * @module
 */
export type { SandboxConnectOptions } from './connect.ts'
export type { ActiveFault, FaultKind, FaultSpec } from './faults/fault.ts'
export type { FaultControl } from './faults/faults.ts'
export { type Registry, type RegistryOptions, startRegistry } from './registry/start-registry.ts'
export { type Sandbox, type SandboxOptions, startSandbox } from './start.ts'
export type { ExecAnswer, ExecCall, ExecScript, PortCall, PortScript } from './streams/scripts.ts'
export type { Credentials as RegistryCredentials } from './registry/access.ts'
export type { TokenOptions } from './registry/token-access.ts'
export type { SimulatorName } from './simulators/index.ts'
