// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { Base64, NamedObjectMeta, Time } from '../object-meta.ts'

/** The cluster-scoped kind `APIService` of `apiregistration.k8s.io/v1`. */
export type APIService = {
  apiVersion: 'apiregistration.k8s.io/v1'
  kind: 'APIService'
  metadata: NamedObjectMeta
  spec?: APIServiceSpec
  status?: APIServiceStatus
}

/** `APIServiceCondition` of `apiregistration/v1`. */
export type APIServiceCondition = {
  lastTransitionTime?: Time
  message?: string
  reason?: string
  status: string
  type: string
}

/** `APIServiceSpec` of `apiregistration/v1`. */
export type APIServiceSpec = {
  caBundle?: Base64
  group?: string
  groupPriorityMinimum: number
  insecureSkipTLSVerify?: boolean
  service?: ApiregistrationV1ServiceReference
  version?: string
  versionPriority: number
}

/** `APIServiceStatus` of `apiregistration/v1`. */
export type APIServiceStatus = {
  conditions?: APIServiceCondition[]
}

/** `ServiceReference` of `apiregistration/v1`. */
export type ApiregistrationV1ServiceReference = {
  name?: string
  namespace?: string
  port?: number
}
