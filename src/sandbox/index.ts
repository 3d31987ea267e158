export { type Registry, type RegistryOptions, startRegistry } from './registry/start-registry.ts'
export { type Sandbox, type SandboxOptions, startSandbox } from './start.ts'
