// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { NamedObjectMeta, Quantity, Time } from '../object-meta.ts'
import type { PersistentVolumeSpec, TopologySelectorTerm } from './core-v1.ts'
import type { LabelSelector } from './meta-v1.ts'

/** The cluster-scoped kind `CSIDriver` of `storage.k8s.io/v1`. */
export type CSIDriver = {
  apiVersion: 'storage.k8s.io/v1'
  kind: 'CSIDriver'
  metadata: NamedObjectMeta
  spec: CSIDriverSpec
}

/** `CSIDriverSpec` of `storage/v1`. */
export type CSIDriverSpec = {
  attachRequired?: boolean
  fsGroupPolicy?: string
  nodeAllocatableUpdatePeriodSeconds?: number
  podInfoOnMount?: boolean
  requiresRepublish?: boolean
  seLinuxMount?: boolean
  serviceAccountTokenInSecrets?: boolean
  storageCapacity?: boolean
  tokenRequests?: StorageV1TokenRequest[]
  volumeLifecycleModes?: string[]
}

/** The cluster-scoped kind `CSINode` of `storage.k8s.io/v1`. */
export type CSINode = {
  apiVersion: 'storage.k8s.io/v1'
  kind: 'CSINode'
  metadata: NamedObjectMeta
  spec: CSINodeSpec
}

/** `CSINodeDriver` of `storage/v1`. */
export type CSINodeDriver = {
  allocatable?: VolumeNodeResources
  name: string
  nodeID: string
  topologyKeys?: string[]
}

/** `CSINodeSpec` of `storage/v1`. */
export type CSINodeSpec = {
  drivers: CSINodeDriver[]
}

/** The kind `CSIStorageCapacity` of `storage.k8s.io/v1`. */
export type CSIStorageCapacity = {
  apiVersion: 'storage.k8s.io/v1'
  kind: 'CSIStorageCapacity'
  metadata: NamedObjectMeta
  capacity?: Quantity
  maximumVolumeSize?: Quantity
  nodeTopology?: LabelSelector
  storageClassName: string
}

/** The cluster-scoped kind `StorageClass` of `storage.k8s.io/v1`. */
export type StorageClass = {
  apiVersion: 'storage.k8s.io/v1'
  kind: 'StorageClass'
  metadata: NamedObjectMeta
  allowVolumeExpansion?: boolean
  allowedTopologies?: TopologySelectorTerm[]
  mountOptions?: string[]
  parameters?: Record<string, string>
  provisioner: string
  reclaimPolicy?: 'Delete' | 'Recycle' | 'Retain'
  volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer'
}

/** `TokenRequest` of `storage/v1`. */
export type StorageV1TokenRequest = {
  audience: string
  expirationSeconds?: number
}

/** The cluster-scoped kind `VolumeAttachment` of `storage.k8s.io/v1`. */
export type VolumeAttachment = {
  apiVersion: 'storage.k8s.io/v1'
  kind: 'VolumeAttachment'
  metadata: NamedObjectMeta
  spec: VolumeAttachmentSpec
  status?: VolumeAttachmentStatus
}

/** `VolumeAttachmentSource` of `storage/v1`. */
export type VolumeAttachmentSource = {
  inlineVolumeSpec?: PersistentVolumeSpec
  persistentVolumeName?: string
}

/** `VolumeAttachmentSpec` of `storage/v1`. */
export type VolumeAttachmentSpec = {
  attacher: string
  nodeName: string
  source: VolumeAttachmentSource
}

/** `VolumeAttachmentStatus` of `storage/v1`. */
export type VolumeAttachmentStatus = {
  attachError?: VolumeError
  attached: boolean
  attachmentMetadata?: Record<string, string>
  detachError?: VolumeError
}

/** The cluster-scoped kind `VolumeAttributesClass` of `storage.k8s.io/v1`. */
export type VolumeAttributesClass = {
  apiVersion: 'storage.k8s.io/v1'
  kind: 'VolumeAttributesClass'
  metadata: NamedObjectMeta
  driverName: string
  parameters?: Record<string, string>
}

/** `VolumeError` of `storage/v1`. */
export type VolumeError = {
  errorCode?: number
  message?: string
  time?: Time
}

/** `VolumeNodeResources` of `storage/v1`. */
export type VolumeNodeResources = {
  count?: number
}
