// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { IntOrString, NamedObjectMeta, RawExtension, Time } from '../object-meta.ts'
import type { PersistentVolumeClaim, PodTemplateSpec } from './core-v1.ts'
import type { LabelSelector } from './meta-v1.ts'

/** The kind `ControllerRevision` of `apps/v1`. */
export type ControllerRevision = {
  apiVersion: 'apps/v1'
  kind: 'ControllerRevision'
  metadata: NamedObjectMeta
  data?: RawExtension
  revision: number
}

/** The kind `DaemonSet` of `apps/v1`. */
export type DaemonSet = {
  apiVersion: 'apps/v1'
  kind: 'DaemonSet'
  metadata: NamedObjectMeta
  spec?: DaemonSetSpec
  status?: DaemonSetStatus
}

/** `DaemonSetCondition` of `apps/v1`. */
export type DaemonSetCondition = {
  lastTransitionTime?: Time
  message?: string
  reason?: string
  status: string
  type: string
}

/** `DaemonSetSpec` of `apps/v1`. */
export type DaemonSetSpec = {
  minReadySeconds?: number
  revisionHistoryLimit?: number
  selector: LabelSelector
  template: PodTemplateSpec
  updateStrategy?: DaemonSetUpdateStrategy
}

/** `DaemonSetStatus` of `apps/v1`. */
export type DaemonSetStatus = {
  collisionCount?: number
  conditions?: DaemonSetCondition[]
  currentNumberScheduled: number
  desiredNumberScheduled: number
  numberAvailable?: number
  numberMisscheduled: number
  numberReady: number
  numberUnavailable?: number
  observedGeneration?: number
  updatedNumberScheduled?: number
}

/** `DaemonSetUpdateStrategy` of `apps/v1`. */
export type DaemonSetUpdateStrategy = {
  rollingUpdate?: RollingUpdateDaemonSet
  type?: 'OnDelete' | 'RollingUpdate'
}

/** The kind `Deployment` of `apps/v1`. */
export type Deployment = {
  apiVersion: 'apps/v1'
  kind: 'Deployment'
  metadata: NamedObjectMeta
  spec?: DeploymentSpec
  status?: DeploymentStatus
}

/** `DeploymentCondition` of `apps/v1`. */
export type DeploymentCondition = {
  lastTransitionTime?: Time
  lastUpdateTime?: Time
  message?: string
  reason?: string
  status: string
  type: string
}

/** `DeploymentSpec` of `apps/v1`. */
export type DeploymentSpec = {
  minReadySeconds?: number
  paused?: boolean
  progressDeadlineSeconds?: number
  replicas?: number
  revisionHistoryLimit?: number
  selector: LabelSelector
  strategy?: DeploymentStrategy
  template: PodTemplateSpec
}

/** `DeploymentStatus` of `apps/v1`. */
export type DeploymentStatus = {
  availableReplicas?: number
  collisionCount?: number
  conditions?: DeploymentCondition[]
  observedGeneration?: number
  readyReplicas?: number
  replicas?: number
  terminatingReplicas?: number
  unavailableReplicas?: number
  updatedReplicas?: number
}

/** `DeploymentStrategy` of `apps/v1`. */
export type DeploymentStrategy = {
  rollingUpdate?: RollingUpdateDeployment
  type?: 'Recreate' | 'RollingUpdate'
}

/** The kind `ReplicaSet` of `apps/v1`. */
export type ReplicaSet = {
  apiVersion: 'apps/v1'
  kind: 'ReplicaSet'
  metadata: NamedObjectMeta
  spec?: ReplicaSetSpec
  status?: ReplicaSetStatus
}

/** `ReplicaSetCondition` of `apps/v1`. */
export type ReplicaSetCondition = {
  lastTransitionTime?: Time
  message?: string
  reason?: string
  status: string
  type: string
}

/** `ReplicaSetSpec` of `apps/v1`. */
export type ReplicaSetSpec = {
  minReadySeconds?: number
  replicas?: number
  selector: LabelSelector
  template?: PodTemplateSpec
}

/** `ReplicaSetStatus` of `apps/v1`. */
export type ReplicaSetStatus = {
  availableReplicas?: number
  conditions?: ReplicaSetCondition[]
  fullyLabeledReplicas?: number
  observedGeneration?: number
  readyReplicas?: number
  replicas: number
  terminatingReplicas?: number
}

/** `RollingUpdateDaemonSet` of `apps/v1`. */
export type RollingUpdateDaemonSet = {
  maxSurge?: IntOrString
  maxUnavailable?: IntOrString
}

/** `RollingUpdateDeployment` of `apps/v1`. */
export type RollingUpdateDeployment = {
  maxSurge?: IntOrString
  maxUnavailable?: IntOrString
}

/** `RollingUpdateStatefulSetStrategy` of `apps/v1`. */
export type RollingUpdateStatefulSetStrategy = {
  maxUnavailable?: IntOrString
  partition?: number
}

/** The kind `StatefulSet` of `apps/v1`. */
export type StatefulSet = {
  apiVersion: 'apps/v1'
  kind: 'StatefulSet'
  metadata: NamedObjectMeta
  spec?: StatefulSetSpec
  status?: StatefulSetStatus
}

/** `StatefulSetCondition` of `apps/v1`. */
export type StatefulSetCondition = {
  lastTransitionTime?: Time
  message?: string
  reason?: string
  status: string
  type: string
}

/** `StatefulSetOrdinals` of `apps/v1`. */
export type StatefulSetOrdinals = {
  start?: number
}

/** `StatefulSetPersistentVolumeClaimRetentionPolicy` of `apps/v1`. */
export type StatefulSetPersistentVolumeClaimRetentionPolicy = {
  whenDeleted?: string
  whenScaled?: string
}

/** `StatefulSetSpec` of `apps/v1`. */
export type StatefulSetSpec = {
  minReadySeconds?: number
  ordinals?: StatefulSetOrdinals
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy
  podManagementPolicy?: 'OrderedReady' | 'Parallel'
  replicas?: number
  revisionHistoryLimit?: number
  selector: LabelSelector
  serviceName?: string
  template: PodTemplateSpec
  updateStrategy?: StatefulSetUpdateStrategy
  volumeClaimTemplates?: (Omit<PersistentVolumeClaim, 'apiVersion' | 'kind'>)[]
}

/** `StatefulSetStatus` of `apps/v1`. */
export type StatefulSetStatus = {
  availableReplicas?: number
  collisionCount?: number
  conditions?: StatefulSetCondition[]
  currentReplicas?: number
  currentRevision?: string
  observedGeneration?: number
  readyReplicas?: number
  replicas: number
  updateRevision?: string
  updatedReplicas?: number
}

/** `StatefulSetUpdateStrategy` of `apps/v1`. */
export type StatefulSetUpdateStrategy = {
  rollingUpdate?: RollingUpdateStatefulSetStrategy
  type?: 'OnDelete' | 'RollingUpdate'
}
