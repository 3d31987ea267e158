import type { ResourceType } from '../resource-type.ts'

/** Whether a PUT of an object that is not there creates it. */
export function isCreatedByPut(type: ResourceType): boolean {
  return createdByPut.has(keyOf(type))
}

/** Whether an object can only be replaced by a writer who names the version that it replaces. */
export function needsVersion(type: ResourceType): boolean {
  return type.crd !== undefined || replacedByVersion.has(keyOf(type))
}

/** Whether the answer to a deletion is the object, and not a Status that speaks of it. */
export function isShownWhenDeleted(type: ResourceType): boolean {
  return type.crd === undefined && shownWhenDeleted.has(keyOf(type))
}

function keyOf({ group, kind }: ResourceType): string {
  return `${group}/${kind}`
}

// In each of these the strategies of the API server's kinds differ for no reason but their age.
const createdByPut = new Set([
  'node.k8s.io/RuntimeClass',
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/RoleBinding',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'coordination.k8s.io/Lease',
  'coordination.k8s.io/LeaseCandidate',
  '/LimitRange',
  '/Event',
  'events.k8s.io/Event',
  '/Service',
  '/Endpoints',
])

const replacedByVersion = new Set([
  'certificates.k8s.io/PodCertificateRequest',
  'certificates.k8s.io/ClusterTrustBundle',
  'node.k8s.io/RuntimeClass',
  'policy/PodDisruptionBudget',
  'storage.k8s.io/CSIDriver',
  'storage.k8s.io/CSIStorageCapacity',
  'storage.k8s.io/VolumeAttachment',
  'storage.k8s.io/CSINode',
  'coordination.k8s.io/Lease',
  'coordination.k8s.io/LeaseCandidate',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apiregistration.k8s.io/APIService',
])

const shownWhenDeleted = new Set([
  '/Pod',
  '/Service',
  '/ServiceAccount',
  '/PersistentVolume',
  '/PersistentVolumeClaim',
  '/ResourceQuota',
  '/Namespace',
  '/PodTemplate',
  'storage.k8s.io/StorageClass',
  'storage.k8s.io/CSIDriver',
  'storage.k8s.io/CSINode',
  'storage.k8s.io/VolumeAttachment',
  'storage.k8s.io/VolumeAttributesClass',
  'resource.k8s.io/ResourceClaim',
  'resource.k8s.io/ResourceClaimTemplate',
  'resource.k8s.io/ResourceSlice',
  'resource.k8s.io/DeviceClass',
])
