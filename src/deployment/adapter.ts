import type { Context } from '../core/index.ts'
import type { FieldChange } from '../release/index.ts'
import type { CallerAccess } from './caller-access.ts'
import type {
  Deployment,
  DeploymentHistory,
  DeploymentPackage,
  DeploymentRequest,
  DeploymentStatusDetail,
  DeploymentUpdate,
  PackageRequest,
} from './deployment.ts'
import type { DeploymentFilter, Page, PageQuery } from './page.ts'

/** What an adapter can do. */
export type Capability =
  | 'package-management'
  | 'deployment-lifecycle'
  | 'rollback'
  | 'scaling'
  | 'gitops'
  | 'health-checks'
  | 'metrics'

/** How a write is done. */
export interface DeploymentWriteOptions {
  /** Only say what would change; the API server checks it, and nothing is stored. */
  readonly dryRun?: boolean
  /** The etag that the deployment must still have (`kube.conflict` otherwise). */
  readonly ifMatch?: string
}

/** What a write came to. */
export interface WrittenDeployment {
  readonly deployment: Deployment
  /** What was changed, or with `dryRun` would be; empty where the deployment was so already. */
  readonly changes: readonly FieldChange[]
}

/** A line of the log of a pod that a deployment owns. */
export interface DeploymentLogLine {
  readonly pod: string
  readonly container: string
  readonly line: string
}

/** Which lines of the logs to read. */
export interface DeploymentLogOptions {
  readonly follow?: boolean
  readonly tailLines?: number
  readonly container?: string
}

/** Whether an adapter can work, and if not, why. */
export interface AdapterHealth {
  readonly healthy: boolean
  readonly message: string
}

/** Deployments of one cluster through one reconciler. All methods throw `deployment.not-found` for an id that names nothing. */
export interface DeploymentAdapter {
  readonly name: string
  readonly version: string
  readonly capabilities: readonly Capability[]
  listPackages(query: PageQuery, ctx: Context): Promise<Page<DeploymentPackage>>
  getPackage(id: string, ctx: Context): Promise<DeploymentPackage>
  createPackage(request: PackageRequest, options: DeploymentWriteOptions, ctx: Context): Promise<DeploymentPackage>
  /** Refused with `package.in-use` while a deployment uses it. */
  deletePackage(id: string, options: DeploymentWriteOptions, ctx: Context): Promise<void>
  list(filter: DeploymentFilter, ctx: Context): Promise<Page<Deployment>>
  get(id: string, ctx: Context): Promise<Deployment>
  create(request: DeploymentRequest, options: DeploymentWriteOptions, ctx: Context): Promise<WrittenDeployment>
  update(
    id: string,
    update: DeploymentUpdate,
    options: DeploymentWriteOptions,
    ctx: Context,
  ): Promise<WrittenDeployment>
  delete(id: string, options: DeploymentWriteOptions, ctx: Context): Promise<void>
  /** Refused with `deployment.not-scalable` where there is nothing to scale. */
  scale(id: string, replicas: number, options: DeploymentWriteOptions, ctx: Context): Promise<WrittenDeployment>
  /** Deploys an earlier revision again, as a new one; 0 is the one before the current. */
  rollback(id: string, revision: number, options: DeploymentWriteOptions, ctx: Context): Promise<WrittenDeployment>
  suspend(id: string, options: DeploymentWriteOptions, ctx: Context): Promise<WrittenDeployment>
  resume(id: string, options: DeploymentWriteOptions, ctx: Context): Promise<WrittenDeployment>
  /** Asks the reconciler to look at the deployment now. */
  reconcile(id: string, ctx: Context): Promise<Deployment>
  status(id: string, ctx: Context): Promise<DeploymentStatusDetail>
  history(id: string, ctx: Context): Promise<DeploymentHistory>
  logs(id: string, options: DeploymentLogOptions, ctx: Context): AsyncIterable<DeploymentLogLine>
  health(ctx: Context): Promise<AdapterHealth>
  /**
   * The same adapter for one caller: writes and live reads go out under the caller's identity, and of what the adapter watches only that is shown
   * which the caller may list or get. What is hidden is `deployment.not-found`. Closing the view closes nothing.
   */
  as(caller: CallerAccess): DeploymentAdapter
  close(): Promise<void>
}
