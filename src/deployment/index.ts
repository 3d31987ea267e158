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
export { type DeploymentFilter, matchesFilter, type Page, pageOf, type PageQuery } from './page.ts'
