/** The states of a deployment, whoever reconciles it. */
export type DeploymentStatus = 'pending' | 'deploying' | 'deployed' | 'failed' | 'rolling-back' | 'deleting'

/** Every state of a deployment. */
export const deploymentStatuses: readonly DeploymentStatus[] = [
  'pending',
  'deploying',
  'deployed',
  'failed',
  'rolling-back',
  'deleting',
]

/** Fields that only one adapter knows, such as `flux.chart`. */
export type Extensions = Readonly<Record<string, unknown>>

/** A workload that is deployed, as every adapter describes it. */
export interface Deployment {
  /** Unique among the deployments of an adapter; its form is the adapter's own. */
  readonly id: string
  readonly name: string
  readonly packageId: string
  /** The namespace that the workload is deployed to. */
  readonly namespace: string
  readonly status: DeploymentStatus
  /** Nothing changes until the deployment is resumed. */
  readonly suspended: boolean
  /** The number of the current revision. */
  readonly version: number
  readonly description: string
  readonly labels: Readonly<Record<string, string>>
  readonly createdAt: string
  readonly updatedAt: string
  /** Changes with every write; for optimistic concurrency. */
  readonly etag: string
  readonly extensions: Extensions
}

/** What a new deployment shall be. */
export interface DeploymentRequest {
  readonly name: string
  readonly packageId?: string
  /** The namespace to deploy to; the adapter's default when absent. */
  readonly namespace?: string
  readonly values?: Readonly<Record<string, unknown>>
  readonly description?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly extensions?: Extensions
}

/** What changes of a deployment. With `merge`, maps are merged deeply and null removes a key; `replace` replaces values and extensions. */
export interface DeploymentUpdate {
  readonly mode?: 'merge' | 'replace'
  readonly values?: Readonly<Record<string, unknown>>
  readonly description?: string
  readonly extensions?: Extensions
}

/** One condition of a deployment, as Kubernetes has it. */
export interface DeploymentCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime: string
}

/** How a deployment is doing. */
export interface DeploymentStatusDetail {
  readonly id: string
  readonly status: DeploymentStatus
  readonly suspended: boolean
  readonly message: string
  /** Percentage of the deployed objects that are ready. */
  readonly progress: number
  readonly conditions: readonly DeploymentCondition[]
  readonly updatedAt: string
}

/** One revision of a deployment. */
export interface DeploymentRevision {
  readonly revision: number
  /** The version of the chart, or the revision of the source, that was deployed. */
  readonly version: string
  readonly deployedAt: string
  readonly status: 'current' | 'superseded'
  readonly description: string
}

/** The revisions of a deployment, newest first. */
export interface DeploymentHistory {
  readonly id: string
  readonly revisions: readonly DeploymentRevision[]
}

/** Where deployments come from: a repository or a bucket. */
export interface DeploymentPackage {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly packageType: string
  readonly description: string
  readonly createdAt: string
  readonly extensions: Extensions
}

/** What a new package shall be. */
export interface PackageRequest {
  readonly name: string
  readonly description?: string
  readonly extensions?: Extensions
}
