/**
 * Deployments and packages behind one interface, whichever tool carries them out.
 *
 * @module
 */
export type {
  AdapterHealth,
  Capability,
  DeploymentAdapter,
  DeploymentLogLine,
  DeploymentLogOptions,
  DeploymentWriteOptions,
  WrittenDeployment,
} from './adapter.ts'
export {
  type AccessedResource,
  type AccessScope,
  type CallerAccess,
  isReadable,
  listableScopes,
} from './caller-access.ts'
export {
  type Deployment,
  type DeploymentCondition,
  type DeploymentHistory,
  type DeploymentPackage,
  type DeploymentRequest,
  type DeploymentRevision,
  type DeploymentStatus,
  type DeploymentStatusDetail,
  deploymentStatuses,
  type DeploymentUpdate,
  type Extensions,
  type PackageRequest,
} from './deployment.ts'
export {
  checkReplicas,
  invalidRequest,
  noEarlierRevision,
  noSuchDeployment,
  noSuchPackage,
  noSuchRevision,
} from './deployment-error.ts'
export { DeploymentIndex, type IndexEntry, refuseInUse } from './deployment-index.ts'
export { ObservedObjects, type ObservedVersion } from './observed-objects.ts'
export { podLogs } from './pod-logs.ts'
export { whileCalled } from './while-called.ts'
export { type DeploymentFilter, matchesFilter, type Page, pageOf, type PageQuery } from './page.ts'
