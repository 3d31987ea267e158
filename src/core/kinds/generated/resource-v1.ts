// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { NamedObjectMeta, ObjectMeta, Quantity, RawExtension, Time } from '../object-meta.ts'
import type { NodeSelector } from './core-v1.ts'
import type { Condition } from './meta-v1.ts'

/** `AllocatedDeviceStatus` of `resource/v1`. */
export type AllocatedDeviceStatus = {
  conditions?: Condition[]
  data?: RawExtension
  device: string
  driver: string
  networkData?: NetworkDeviceData
  pool: string
  shareID?: string
}

/** `AllocationResult` of `resource/v1`. */
export type AllocationResult = {
  allocationTimestamp?: Time
  devices?: DeviceAllocationResult
  nodeSelector?: NodeSelector
}

/** `CELDeviceSelector` of `resource/v1`. */
export type CELDeviceSelector = {
  expression: string
}

/** `CapacityRequestPolicy` of `resource/v1`. */
export type CapacityRequestPolicy = {
  default?: Quantity
  validRange?: CapacityRequestPolicyRange
  validValues?: Quantity[]
}

/** `CapacityRequestPolicyRange` of `resource/v1`. */
export type CapacityRequestPolicyRange = {
  max?: Quantity
  min: Quantity
  step?: Quantity
}

/** `CapacityRequirements` of `resource/v1`. */
export type CapacityRequirements = {
  requests?: Record<string, Quantity>
}

/** `Counter` of `resource/v1`. */
export type Counter = {
  value: Quantity
}

/** `CounterSet` of `resource/v1`. */
export type CounterSet = {
  counters: Record<string, Counter>
  name: string
}

/** `Device` of `resource/v1`. */
export type Device = {
  allNodes?: boolean
  allowMultipleAllocations?: boolean
  attributes?: Record<string, DeviceAttribute>
  bindingConditions?: string[]
  bindingFailureConditions?: string[]
  bindsToNode?: boolean
  capacity?: Record<string, DeviceCapacity>
  consumesCounters?: DeviceCounterConsumption[]
  name: string
  nodeName?: string
  nodeSelector?: NodeSelector
  taints?: DeviceTaint[]
}

/** `DeviceAllocationConfiguration` of `resource/v1`. */
export type DeviceAllocationConfiguration = {
  opaque?: OpaqueDeviceConfiguration
  requests?: string[]
  source: 'FromClaim' | 'FromClass'
}

/** `DeviceAllocationResult` of `resource/v1`. */
export type DeviceAllocationResult = {
  config?: DeviceAllocationConfiguration[]
  results?: DeviceRequestAllocationResult[]
}

/** `DeviceAttribute` of `resource/v1`. */
export type DeviceAttribute = {
  bool?: boolean
  int?: number
  string?: string
  version?: string
}

/** `DeviceCapacity` of `resource/v1`. */
export type DeviceCapacity = {
  requestPolicy?: CapacityRequestPolicy
  value: Quantity
}

/** `DeviceClaim` of `resource/v1`. */
export type DeviceClaim = {
  config?: DeviceClaimConfiguration[]
  constraints?: DeviceConstraint[]
  requests?: DeviceRequest[]
}

/** `DeviceClaimConfiguration` of `resource/v1`. */
export type DeviceClaimConfiguration = {
  opaque?: OpaqueDeviceConfiguration
  requests?: string[]
}

/** The cluster-scoped kind `DeviceClass` of `resource.k8s.io/v1`. */
export type DeviceClass = {
  apiVersion: 'resource.k8s.io/v1'
  kind: 'DeviceClass'
  metadata: NamedObjectMeta
  spec: DeviceClassSpec
}

/** `DeviceClassConfiguration` of `resource/v1`. */
export type DeviceClassConfiguration = {
  opaque?: OpaqueDeviceConfiguration
}

/** `DeviceClassSpec` of `resource/v1`. */
export type DeviceClassSpec = {
  config?: DeviceClassConfiguration[]
  extendedResourceName?: string
  selectors?: DeviceSelector[]
}

/** `DeviceConstraint` of `resource/v1`. */
export type DeviceConstraint = {
  distinctAttribute?: string
  matchAttribute?: string
  requests?: string[]
}

/** `DeviceCounterConsumption` of `resource/v1`. */
export type DeviceCounterConsumption = {
  counterSet: string
  counters: Record<string, Counter>
}

/** `DeviceRequest` of `resource/v1`. */
export type DeviceRequest = {
  exactly?: ExactDeviceRequest
  firstAvailable?: DeviceSubRequest[]
  name: string
}

/** `DeviceRequestAllocationResult` of `resource/v1`. */
export type DeviceRequestAllocationResult = {
  adminAccess?: boolean
  bindingConditions?: string[]
  bindingFailureConditions?: string[]
  consumedCapacity?: Record<string, Quantity>
  device: string
  driver: string
  pool: string
  request: string
  shareID?: string
  tolerations?: DeviceToleration[]
}

/** `DeviceSelector` of `resource/v1`. */
export type DeviceSelector = {
  cel?: CELDeviceSelector
}

/** `DeviceSubRequest` of `resource/v1`. */
export type DeviceSubRequest = {
  allocationMode?: 'All' | 'ExactCount'
  capacity?: CapacityRequirements
  count?: number
  deviceClassName: string
  name: string
  selectors?: DeviceSelector[]
  tolerations?: DeviceToleration[]
}

/** `DeviceTaint` of `resource/v1`. */
export type DeviceTaint = {
  effect: 'NoExecute' | 'NoSchedule' | 'None'
  key: string
  timeAdded?: Time
  value?: string
}

/** `DeviceToleration` of `resource/v1`. */
export type DeviceToleration = {
  effect?: 'NoExecute' | 'NoSchedule' | 'None'
  key?: string
  operator?: 'Equal' | 'Exists'
  tolerationSeconds?: number
  value?: string
}

/** `ExactDeviceRequest` of `resource/v1`. */
export type ExactDeviceRequest = {
  adminAccess?: boolean
  allocationMode?: 'All' | 'ExactCount'
  capacity?: CapacityRequirements
  count?: number
  deviceClassName: string
  selectors?: DeviceSelector[]
  tolerations?: DeviceToleration[]
}

/** `NetworkDeviceData` of `resource/v1`. */
export type NetworkDeviceData = {
  hardwareAddress?: string
  interfaceName?: string
  ips?: string[]
}

/** `OpaqueDeviceConfiguration` of `resource/v1`. */
export type OpaqueDeviceConfiguration = {
  driver: string
  parameters: RawExtension
}

/** The kind `ResourceClaim` of `resource.k8s.io/v1`. */
export type ResourceClaim = {
  apiVersion: 'resource.k8s.io/v1'
  kind: 'ResourceClaim'
  metadata: NamedObjectMeta
  spec: ResourceClaimSpec
  status?: ResourceClaimStatus
}

/** `ResourceClaimConsumerReference` of `resource/v1`. */
export type ResourceClaimConsumerReference = {
  apiGroup?: string
  name: string
  resource: string
  uid: string
}

/** `ResourceClaimSpec` of `resource/v1`. */
export type ResourceClaimSpec = {
  devices?: DeviceClaim
}

/** `ResourceClaimStatus` of `resource/v1`. */
export type ResourceClaimStatus = {
  allocation?: AllocationResult
  devices?: AllocatedDeviceStatus[]
  reservedFor?: ResourceClaimConsumerReference[]
}

/** The kind `ResourceClaimTemplate` of `resource.k8s.io/v1`. */
export type ResourceClaimTemplate = {
  apiVersion: 'resource.k8s.io/v1'
  kind: 'ResourceClaimTemplate'
  metadata: NamedObjectMeta
  spec: ResourceClaimTemplateSpec
}

/** `ResourceClaimTemplateSpec` of `resource/v1`. */
export type ResourceClaimTemplateSpec = {
  metadata?: ObjectMeta
  spec: ResourceClaimSpec
}

/** `ResourcePool` of `resource/v1`. */
export type ResourcePool = {
  generation: number
  name: string
  resourceSliceCount: number
}

/** The cluster-scoped kind `ResourceSlice` of `resource.k8s.io/v1`. */
export type ResourceSlice = {
  apiVersion: 'resource.k8s.io/v1'
  kind: 'ResourceSlice'
  metadata: NamedObjectMeta
  spec: ResourceSliceSpec
}

/** `ResourceSliceSpec` of `resource/v1`. */
export type ResourceSliceSpec = {
  allNodes?: boolean
  devices?: Device[]
  driver: string
  nodeName?: string
  nodeSelector?: NodeSelector
  perDeviceNodeSelection?: boolean
  pool: ResourcePool
  sharedCounters?: CounterSet[]
}
