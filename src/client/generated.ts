// Written by scripts/generate-client.ts from the OpenAPI document of the gateway.

/** `Adapter` of the API. */
export type Adapter = {
  readonly name: string
  readonly version: string
  readonly capabilities: readonly (string)[]
  readonly clusters: readonly (string)[]
}

/** `AdapterHealth` of the API. */
export type AdapterHealth = {
  readonly healthy: boolean
  readonly message: string
}

/** `Deployment` of the API. */
export type Deployment = {
  readonly id: string
  readonly name: string
  readonly packageId: string
  readonly namespace: string
  readonly status: DeploymentStatus
  readonly suspended: boolean
  readonly version: number
  readonly description: string
  readonly labels: {
    readonly [name: string]: string
  }
  readonly createdAt: string
  readonly updatedAt: string
  readonly etag: string
  readonly extensions: {
    readonly [name: string]: unknown
  }
}

/** `DeploymentHistory` of the API. */
export type DeploymentHistory = {
  readonly id: string
  readonly revisions: readonly ({
    readonly revision: number
    readonly version: string
    readonly deployedAt: string
    readonly status: "current" | "superseded"
    readonly description: string
  })[]
}

/** `DeploymentPage` of the API. */
export type DeploymentPage = {
  readonly deployments: readonly (Deployment)[]
  /** How many deployments all pages have together. */
  readonly total: number
  /** The cursor of the next page; absent on the last one. */
  readonly next?: string
}

/** `DeploymentRequest` of the API. */
export type DeploymentRequest = {
  readonly name: string
  readonly packageId?: string
  readonly namespace?: string
  readonly values?: {
    readonly [name: string]: unknown
  }
  readonly description?: string
  readonly labels?: {
    readonly [name: string]: string
  }
  readonly extensions?: {
    readonly [name: string]: unknown
  }
}

/** `DeploymentStatus` of the API. */
export type DeploymentStatus = "pending" | "deploying" | "deployed" | "failed" | "rolling-back" | "deleting"

/** `DeploymentStatusDetail` of the API. */
export type DeploymentStatusDetail = {
  readonly id: string
  readonly status: DeploymentStatus
  readonly suspended: boolean
  readonly message: string
  readonly progress: number
  readonly conditions: readonly ({
    readonly type: string
    readonly status: string
    readonly reason: string
    readonly message: string
    readonly lastTransitionTime: string
  })[]
  readonly updatedAt: string
}

/** `DeploymentUpdate` of the API. */
export type DeploymentUpdate = {
  readonly values?: {
    readonly [name: string]: unknown
  }
  readonly description?: string
  readonly extensions?: {
    readonly [name: string]: unknown
  }
}

/** `DryRun` of the API. */
export type DryRun = {
  readonly dryRun: true
  readonly deployment?: Deployment
  readonly changes: readonly (FieldChange)[]
}

/** `FieldChange` of the API. */
export type FieldChange = {
  /** A JSON Pointer. */
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
  readonly [name: string]: unknown
}

/** `NfDeployment` of the API. */
export type NfDeployment = {
  readonly nfDeploymentId: string
  readonly nfDeploymentDescriptorId: string
  readonly name: string
  readonly namespace: string
  readonly status: DeploymentStatus
  readonly suspended: boolean
  readonly version: number
  readonly description: string
  readonly labels: {
    readonly [name: string]: string
  }
  readonly createdAt: string
  readonly updatedAt: string
  readonly etag: string
  readonly extensions: {
    readonly [name: string]: unknown
  }
}

/** `NfDeploymentDescriptor` of the API. */
export type NfDeploymentDescriptor = {
  readonly nfDeploymentDescriptorId: string
  readonly name: string
  readonly version: string
  readonly packageType: string
  readonly description: string
  readonly createdAt: string
  readonly extensions: {
    readonly [name: string]: unknown
  }
}

/** `NfDeploymentDescriptorPage` of the API. */
export type NfDeploymentDescriptorPage = {
  readonly nfDeploymentDescriptors: readonly (NfDeploymentDescriptor)[]
  readonly total: number
  readonly next?: string
}

/** `NfDeploymentPage` of the API. */
export type NfDeploymentPage = {
  readonly nfDeployments: readonly (NfDeployment)[]
  /** How many deployments all pages have together. */
  readonly total: number
  /** The cursor of the next page; absent on the last one. */
  readonly next?: string
}

/** `NfDeploymentRequest` of the API. */
export type NfDeploymentRequest = {
  readonly name: string
  readonly namespace?: string
  readonly description?: string
  readonly labels?: {
    readonly [name: string]: string
  }
  readonly extensions?: {
    readonly [name: string]: unknown
  }
  readonly nfDeploymentDescriptorId?: string
  readonly parameterValues?: {
    readonly [name: string]: unknown
  }
}

/** `NfDeploymentUpdate` of the API. */
export type NfDeploymentUpdate = {
  readonly description?: string
  readonly extensions?: {
    readonly [name: string]: unknown
  }
  readonly parameterValues?: {
    readonly [name: string]: unknown
  }
}

/** `NfDryRun` of the API. */
export type NfDryRun = {
  readonly dryRun: true
  readonly nfDeployment?: NfDeployment
  readonly changes: readonly (unknown)[]
}

/** `Package` of the API. */
export type Package = {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly packageType: string
  readonly description: string
  readonly createdAt: string
  readonly extensions: {
    readonly [name: string]: unknown
  }
}

/** `PackagePage` of the API. */
export type PackagePage = {
  readonly packages: readonly (Package)[]
  readonly total: number
  readonly next?: string
}

/** `PackageRequest` of the API. */
export type PackageRequest = {
  readonly name: string
  readonly description?: string
  readonly extensions?: {
    readonly [name: string]: unknown
  }
}

/** `Problem` of the API. */
export type Problem = {
  /** Names the kind of error: urn:lading:error:CODE. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** The id of the request, as in the log. */
  readonly instance: string
  readonly code: string
  readonly retryable: boolean
  /** What to do about it. */
  readonly next: string
  readonly details: {
    readonly [name: string]: unknown
  }
}

/** `RollbackRequest` of the API. */
export type RollbackRequest = {
  /** A revision of the history; 0 is the one before the current. */
  readonly revision?: number
}

/** `ScaleRequest` of the API. */
export type ScaleRequest = {
  /** A whole number of at least 0. */
  readonly replicas: number
}

/** What each operation takes and gives. */
export interface Operations {
  /** Create a deployment. */
  createDeployment: { input: { query?: { cluster?: string | number; dryRun?: "All" }; body: DeploymentRequest }; output: DryRun | Deployment }
  /** Create a deployment. */
  createNfDeployment: { input: { query?: { cluster?: string | number; dryRun?: "All" }; body: NfDeploymentRequest }; output: NfDryRun | NfDeployment }
  /** Create a package. */
  createNfDeploymentDescriptor: { input: { query?: { cluster?: string | number; dryRun?: "All" }; body: PackageRequest }; output: NfDeploymentDescriptor }
  /** Create a package. */
  createPackage: { input: { query?: { cluster?: string | number; dryRun?: "All" }; body: PackageRequest }; output: Package }
  /** Delete a deployment and what it deployed. */
  deleteDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" } }; output: DryRun | undefined }
  /** Delete a deployment and what it deployed. */
  deleteNfDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" } }; output: NfDryRun | undefined }
  /** Delete a package that no deployment uses. */
  deleteNfDeploymentDescriptor: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" } }; output: undefined }
  /** Delete a package that no deployment uses. */
  deletePackage: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" } }; output: undefined }
  /** Read what the adapter can do. */
  getCapabilities: { input: { query?: { cluster?: string | number } }; output: Adapter }
  /** Read a deployment. */
  getDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number } }; output: Deployment }
  /** List the revisions of a deployment. */
  getDeploymentHistory: { input: { path: { id: string | number }; query?: { cluster?: string | number } }; output: DeploymentHistory }
  /** Read what the adapter can do. */
  getDeploymentLifecycle: { input: { query?: { cluster?: string | number } }; output: Adapter }
  /** Read the logs of the pods of a deployment. */
  getDeploymentLogs: { input: { path: { id: string | number }; query?: { cluster?: string | number; follow?: "true" | "false"; tailLines?: string | number; container?: string | number } }; output: AsyncIterable<string> }
  /** Read how a deployment is doing. */
  getDeploymentStatus: { input: { path: { id: string | number }; query?: { cluster?: string | number } }; output: DeploymentStatusDetail }
  /** Read whether the adapter can work. */
  getHealth: { input: { query?: { cluster?: string | number } }; output: AdapterHealth }
  /** Read a deployment. */
  getNfDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number } }; output: NfDeployment }
  /** Read a package. */
  getNfDeploymentDescriptor: { input: { path: { id: string | number }; query?: { cluster?: string | number } }; output: NfDeploymentDescriptor }
  /** List the revisions of a deployment. */
  getNfDeploymentHistory: { input: { path: { id: string | number }; query?: { cluster?: string | number } }; output: DeploymentHistory }
  /** Read how a deployment is doing. */
  getNfDeploymentStatus: { input: { path: { id: string | number }; query?: { cluster?: string | number } }; output: DeploymentStatusDetail }
  /** Read a package. */
  getPackage: { input: { path: { id: string | number }; query?: { cluster?: string | number } }; output: Package }
  /** List deployments. */
  listDeployments: { input: { query?: { cluster?: string | number; limit?: string | number; offset?: string | number; cursor?: string | number; namespace?: string | number; status?: DeploymentStatus; labels?: string | number; extensions?: string | number } }; output: DeploymentPage }
  /** List packages. */
  listNfDeploymentDescriptors: { input: { query?: { cluster?: string | number; limit?: string | number; offset?: string | number; cursor?: string | number } }; output: NfDeploymentDescriptorPage }
  /** List deployments. */
  listNfDeployments: { input: { query?: { cluster?: string | number; limit?: string | number; offset?: string | number; cursor?: string | number; namespace?: string | number; status?: DeploymentStatus; labels?: string | number; extensions?: string | number } }; output: NfDeploymentPage }
  /** List packages. */
  listPackages: { input: { query?: { cluster?: string | number; limit?: string | number; offset?: string | number; cursor?: string | number } }; output: PackagePage }
  /** Ask the reconciler to look at the deployment now. */
  reconcileDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number } }; output: Deployment }
  /** Ask the reconciler to look at the deployment now. */
  reconcileNfDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number } }; output: NfDeployment }
  /** Replace the values and extensions of a deployment. */
  replaceDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" }; body: DeploymentUpdate }; output: Deployment | DryRun }
  /** Replace the values and extensions of a deployment. */
  replaceNfDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" }; body: NfDeploymentUpdate }; output: NfDeployment | NfDryRun }
  /** Let it change again. */
  resumeDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" } }; output: Deployment | DryRun }
  /** Let it change again. */
  resumeNfDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" } }; output: NfDeployment | NfDryRun }
  /** Deploy an earlier revision again, as a new one. */
  rollbackDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" }; body: RollbackRequest }; output: Deployment | DryRun }
  /** Deploy an earlier revision again, as a new one. */
  rollbackNfDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" }; body: RollbackRequest }; output: NfDeployment | NfDryRun }
  /** Set the number of replicas. */
  scaleDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" }; body: ScaleRequest }; output: Deployment | DryRun }
  /** Set the number of replicas. */
  scaleNfDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" }; body: ScaleRequest }; output: NfDeployment | NfDryRun }
  /** Let nothing change until it is resumed. */
  suspendDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" } }; output: Deployment | DryRun }
  /** Let nothing change until it is resumed. */
  suspendNfDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" } }; output: NfDeployment | NfDryRun }
  /** Merge values and extensions into a deployment; null removes a key. */
  updateDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" }; body: DeploymentUpdate }; output: Deployment | DryRun }
  /** Merge values and extensions into a deployment; null removes a key. */
  updateNfDeployment: { input: { path: { id: string | number }; query?: { cluster?: string | number; dryRun?: "All" }; body: NfDeploymentUpdate }; output: NfDeployment | NfDryRun }
}

/** Where each operation is. */
export const operations = {
  createDeployment: { method: 'POST', path: '/o2ims/v1/deployments' },
  createNfDeployment: { method: 'POST', path: '/o2dms/v1/nfDeployments' },
  createNfDeploymentDescriptor: { method: 'POST', path: '/o2dms/v1/nfDeploymentDescriptors' },
  createPackage: { method: 'POST', path: '/o2ims/v1/packages' },
  deleteDeployment: { method: 'DELETE', path: '/o2ims/v1/deployments/{id}' },
  deleteNfDeployment: { method: 'DELETE', path: '/o2dms/v1/nfDeployments/{id}' },
  deleteNfDeploymentDescriptor: { method: 'DELETE', path: '/o2dms/v1/nfDeploymentDescriptors/{id}' },
  deletePackage: { method: 'DELETE', path: '/o2ims/v1/packages/{id}' },
  getCapabilities: { method: 'GET', path: '/o2ims/v1/capabilities' },
  getDeployment: { method: 'GET', path: '/o2ims/v1/deployments/{id}' },
  getDeploymentHistory: { method: 'GET', path: '/o2ims/v1/deployments/{id}/history' },
  getDeploymentLifecycle: { method: 'GET', path: '/o2dms/v1/deploymentLifecycle' },
  getDeploymentLogs: { method: 'GET', path: '/o2ims/v1/deployments/{id}/logs', streamed: true },
  getDeploymentStatus: { method: 'GET', path: '/o2ims/v1/deployments/{id}/status' },
  getHealth: { method: 'GET', path: '/o2ims/v1/health' },
  getNfDeployment: { method: 'GET', path: '/o2dms/v1/nfDeployments/{id}' },
  getNfDeploymentDescriptor: { method: 'GET', path: '/o2dms/v1/nfDeploymentDescriptors/{id}' },
  getNfDeploymentHistory: { method: 'GET', path: '/o2dms/v1/nfDeployments/{id}/history' },
  getNfDeploymentStatus: { method: 'GET', path: '/o2dms/v1/nfDeployments/{id}/status' },
  getPackage: { method: 'GET', path: '/o2ims/v1/packages/{id}' },
  listDeployments: { method: 'GET', path: '/o2ims/v1/deployments' },
  listNfDeploymentDescriptors: { method: 'GET', path: '/o2dms/v1/nfDeploymentDescriptors' },
  listNfDeployments: { method: 'GET', path: '/o2dms/v1/nfDeployments' },
  listPackages: { method: 'GET', path: '/o2ims/v1/packages' },
  reconcileDeployment: { method: 'POST', path: '/o2ims/v1/deployments/{id}/reconcile' },
  reconcileNfDeployment: { method: 'POST', path: '/o2dms/v1/nfDeployments/{id}/reconcile' },
  replaceDeployment: { method: 'PUT', path: '/o2ims/v1/deployments/{id}' },
  replaceNfDeployment: { method: 'PUT', path: '/o2dms/v1/nfDeployments/{id}' },
  resumeDeployment: { method: 'POST', path: '/o2ims/v1/deployments/{id}/resume' },
  resumeNfDeployment: { method: 'POST', path: '/o2dms/v1/nfDeployments/{id}/resume' },
  rollbackDeployment: { method: 'POST', path: '/o2ims/v1/deployments/{id}/rollback' },
  rollbackNfDeployment: { method: 'POST', path: '/o2dms/v1/nfDeployments/{id}/rollback' },
  scaleDeployment: { method: 'POST', path: '/o2ims/v1/deployments/{id}/scale' },
  scaleNfDeployment: { method: 'POST', path: '/o2dms/v1/nfDeployments/{id}/scale' },
  suspendDeployment: { method: 'POST', path: '/o2ims/v1/deployments/{id}/suspend' },
  suspendNfDeployment: { method: 'POST', path: '/o2dms/v1/nfDeployments/{id}/suspend' },
  updateDeployment: { method: 'PATCH', path: '/o2ims/v1/deployments/{id}' },
  updateNfDeployment: { method: 'PATCH', path: '/o2dms/v1/nfDeployments/{id}' },
} as const
