// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { Base64, IntOrString, MicroTime, NamedObjectMeta, ObjectMeta, Quantity, Time } from '../object-meta.ts'
import type { Condition, LabelSelector } from './meta-v1.ts'

/** `AWSElasticBlockStoreVolumeSource` of `core/v1`. */
export type AWSElasticBlockStoreVolumeSource = {
  fsType?: string
  partition?: number
  readOnly?: boolean
  volumeID: string
}

/** `Affinity` of `core/v1`. */
export type Affinity = {
  nodeAffinity?: NodeAffinity
  podAffinity?: PodAffinity
  podAntiAffinity?: PodAntiAffinity
}

/** `AppArmorProfile` of `core/v1`. */
export type AppArmorProfile = {
  localhostProfile?: string
  type: 'Localhost' | 'RuntimeDefault' | 'Unconfined'
}

/** `AttachedVolume` of `core/v1`. */
export type AttachedVolume = {
  devicePath: string
  name: string
}

/** `AzureDiskVolumeSource` of `core/v1`. */
export type AzureDiskVolumeSource = {
  cachingMode?: 'None' | 'ReadOnly' | 'ReadWrite'
  diskName: string
  diskURI: string
  fsType?: string
  kind?: 'Dedicated' | 'Managed' | 'Shared'
  readOnly?: boolean
}

/** `AzureFilePersistentVolumeSource` of `core/v1`. */
export type AzureFilePersistentVolumeSource = {
  readOnly?: boolean
  secretName: string
  secretNamespace?: string
  shareName: string
}

/** `AzureFileVolumeSource` of `core/v1`. */
export type AzureFileVolumeSource = {
  readOnly?: boolean
  secretName: string
  shareName: string
}

/** The kind `Binding` of `v1`. */
export type Binding = {
  apiVersion: 'v1'
  kind: 'Binding'
  metadata: NamedObjectMeta
  target: ObjectReference
}

/** `CSIPersistentVolumeSource` of `core/v1`. */
export type CSIPersistentVolumeSource = {
  controllerExpandSecretRef?: SecretReference
  controllerPublishSecretRef?: SecretReference
  driver: string
  fsType?: string
  nodeExpandSecretRef?: SecretReference
  nodePublishSecretRef?: SecretReference
  nodeStageSecretRef?: SecretReference
  readOnly?: boolean
  volumeAttributes?: Record<string, string>
  volumeHandle: string
}

/** `CSIVolumeSource` of `core/v1`. */
export type CSIVolumeSource = {
  driver: string
  fsType?: string
  nodePublishSecretRef?: LocalObjectReference
  readOnly?: boolean
  volumeAttributes?: Record<string, string>
}

/** `Capabilities` of `core/v1`. */
export type Capabilities = {
  add?: string[]
  drop?: string[]
}

/** `CephFSPersistentVolumeSource` of `core/v1`. */
export type CephFSPersistentVolumeSource = {
  monitors: string[]
  path?: string
  readOnly?: boolean
  secretFile?: string
  secretRef?: SecretReference
  user?: string
}

/** `CephFSVolumeSource` of `core/v1`. */
export type CephFSVolumeSource = {
  monitors: string[]
  path?: string
  readOnly?: boolean
  secretFile?: string
  secretRef?: LocalObjectReference
  user?: string
}

/** `CinderPersistentVolumeSource` of `core/v1`. */
export type CinderPersistentVolumeSource = {
  fsType?: string
  readOnly?: boolean
  secretRef?: SecretReference
  volumeID: string
}

/** `CinderVolumeSource` of `core/v1`. */
export type CinderVolumeSource = {
  fsType?: string
  readOnly?: boolean
  secretRef?: LocalObjectReference
  volumeID: string
}

/** `ClientIPConfig` of `core/v1`. */
export type ClientIPConfig = {
  timeoutSeconds?: number
}

/** `ClusterTrustBundleProjection` of `core/v1`. */
export type ClusterTrustBundleProjection = {
  labelSelector?: LabelSelector
  name?: string
  optional?: boolean
  path: string
  signerName?: string
}

/** `ComponentCondition` of `core/v1`. */
export type ComponentCondition = {
  error?: string
  message?: string
  status: string
  type: string
}

/** The cluster-scoped kind `ComponentStatus` of `v1`. */
export type ComponentStatus = {
  apiVersion: 'v1'
  kind: 'ComponentStatus'
  metadata: NamedObjectMeta
  conditions?: ComponentCondition[]
}

/** The kind `ConfigMap` of `v1`. */
export type ConfigMap = {
  apiVersion: 'v1'
  kind: 'ConfigMap'
  metadata: NamedObjectMeta
  binaryData?: Record<string, Base64>
  data?: Record<string, string>
  immutable?: boolean
}

/** `ConfigMapEnvSource` of `core/v1`. */
export type ConfigMapEnvSource = {
  name?: string
  optional?: boolean
}

/** `ConfigMapKeySelector` of `core/v1`. */
export type ConfigMapKeySelector = {
  key: string
  name?: string
  optional?: boolean
}

/** `ConfigMapNodeConfigSource` of `core/v1`. */
export type ConfigMapNodeConfigSource = {
  kubeletConfigKey: string
  name: string
  namespace: string
  resourceVersion?: string
  uid?: string
}

/** `ConfigMapProjection` of `core/v1`. */
export type ConfigMapProjection = {
  items?: KeyToPath[]
  name?: string
  optional?: boolean
}

/** `ConfigMapVolumeSource` of `core/v1`. */
export type ConfigMapVolumeSource = {
  defaultMode?: number
  items?: KeyToPath[]
  name?: string
  optional?: boolean
}

/** `Container` of `core/v1`. */
export type Container = {
  args?: string[]
  command?: string[]
  env?: EnvVar[]
  envFrom?: EnvFromSource[]
  image?: string
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never'
  lifecycle?: Lifecycle
  livenessProbe?: Probe
  name: string
  ports?: ContainerPort[]
  readinessProbe?: Probe
  resizePolicy?: ContainerResizePolicy[]
  resources?: ResourceRequirements
  restartPolicy?: string
  restartPolicyRules?: ContainerRestartRule[]
  securityContext?: SecurityContext
  startupProbe?: Probe
  stdin?: boolean
  stdinOnce?: boolean
  terminationMessagePath?: string
  terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File'
  tty?: boolean
  volumeDevices?: VolumeDevice[]
  volumeMounts?: VolumeMount[]
  workingDir?: string
}

/** `ContainerExtendedResourceRequest` of `core/v1`. */
export type ContainerExtendedResourceRequest = {
  containerName: string
  requestName: string
  resourceName: string
}

/** `ContainerImage` of `core/v1`. */
export type ContainerImage = {
  names?: string[]
  sizeBytes?: number
}

/** `ContainerPort` of `core/v1`. */
export type ContainerPort = {
  containerPort: number
  hostIP?: string
  hostPort?: number
  name?: string
  protocol?: 'SCTP' | 'TCP' | 'UDP'
}

/** `ContainerResizePolicy` of `core/v1`. */
export type ContainerResizePolicy = {
  resourceName: string
  restartPolicy: string
}

/** `ContainerRestartRule` of `core/v1`. */
export type ContainerRestartRule = {
  action: string
  exitCodes?: ContainerRestartRuleOnExitCodes
}

/** `ContainerRestartRuleOnExitCodes` of `core/v1`. */
export type ContainerRestartRuleOnExitCodes = {
  operator: string
  values?: number[]
}

/** `ContainerState` of `core/v1`. */
export type ContainerState = {
  running?: ContainerStateRunning
  terminated?: ContainerStateTerminated
  waiting?: ContainerStateWaiting
}

/** `ContainerStateRunning` of `core/v1`. */
export type ContainerStateRunning = {
  startedAt?: Time
}

/** `ContainerStateTerminated` of `core/v1`. */
export type ContainerStateTerminated = {
  containerID?: string
  exitCode: number
  finishedAt?: Time
  message?: string
  reason?: string
  signal?: number
  startedAt?: Time
}

/** `ContainerStateWaiting` of `core/v1`. */
export type ContainerStateWaiting = {
  message?: string
  reason?: string
}

/** `ContainerStatus` of `core/v1`. */
export type ContainerStatus = {
  allocatedResources?: Record<string, Quantity>
  allocatedResourcesStatus?: ResourceStatus[]
  containerID?: string
  image: string
  imageID: string
  lastState?: ContainerState
  name: string
  ready: boolean
  resources?: ResourceRequirements
  restartCount: number
  started?: boolean
  state?: ContainerState
  stopSignal?: 'SIGABRT' | 'SIGALRM' | 'SIGBUS' | 'SIGCHLD' | 'SIGCLD' | 'SIGCONT' | 'SIGFPE' | 'SIGHUP' | 'SIGILL' | 'SIGINT' | 'SIGIO' | 'SIGIOT' | 'SIGKILL' | 'SIGPIPE' | 'SIGPOLL' | 'SIGPROF' | 'SIGPWR' | 'SIGQUIT' | 'SIGRTMAX' | 'SIGRTMAX-1' | 'SIGRTMAX-10' | 'SIGRTMAX-11' | 'SIGRTMAX-12' | 'SIGRTMAX-13' | 'SIGRTMAX-14' | 'SIGRTMAX-2' | 'SIGRTMAX-3' | 'SIGRTMAX-4' | 'SIGRTMAX-5' | 'SIGRTMAX-6' | 'SIGRTMAX-7' | 'SIGRTMAX-8' | 'SIGRTMAX-9' | 'SIGRTMIN' | 'SIGRTMIN+1' | 'SIGRTMIN+10' | 'SIGRTMIN+11' | 'SIGRTMIN+12' | 'SIGRTMIN+13' | 'SIGRTMIN+14' | 'SIGRTMIN+15' | 'SIGRTMIN+2' | 'SIGRTMIN+3' | 'SIGRTMIN+4' | 'SIGRTMIN+5' | 'SIGRTMIN+6' | 'SIGRTMIN+7' | 'SIGRTMIN+8' | 'SIGRTMIN+9' | 'SIGSEGV' | 'SIGSTKFLT' | 'SIGSTOP' | 'SIGSYS' | 'SIGTERM' | 'SIGTRAP' | 'SIGTSTP' | 'SIGTTIN' | 'SIGTTOU' | 'SIGURG' | 'SIGUSR1' | 'SIGUSR2' | 'SIGVTALRM' | 'SIGWINCH' | 'SIGXCPU' | 'SIGXFSZ'
  user?: ContainerUser
  volumeMounts?: VolumeMountStatus[]
}

/** `ContainerUser` of `core/v1`. */
export type ContainerUser = {
  linux?: LinuxContainerUser
}

/** `DaemonEndpoint` of `core/v1`. */
export type DaemonEndpoint = {
  Port: number
}

/** `DownwardAPIProjection` of `core/v1`. */
export type DownwardAPIProjection = {
  items?: DownwardAPIVolumeFile[]
}

/** `DownwardAPIVolumeFile` of `core/v1`. */
export type DownwardAPIVolumeFile = {
  fieldRef?: ObjectFieldSelector
  mode?: number
  path: string
  resourceFieldRef?: ResourceFieldSelector
}

/** `DownwardAPIVolumeSource` of `core/v1`. */
export type DownwardAPIVolumeSource = {
  defaultMode?: number
  items?: DownwardAPIVolumeFile[]
}

/** `EmptyDirVolumeSource` of `core/v1`. */
export type EmptyDirVolumeSource = {
  medium?: string
  sizeLimit?: Quantity
}

/** `EndpointAddress` of `core/v1`. */
export type EndpointAddress = {
  hostname?: string
  ip: string
  nodeName?: string
  targetRef?: ObjectReference
}

/** `EndpointPort` of `core/v1`. */
export type EndpointPort = {
  appProtocol?: string
  name?: string
  port: number
  protocol?: 'SCTP' | 'TCP' | 'UDP'
}

/** `EndpointSubset` of `core/v1`. */
export type EndpointSubset = {
  addresses?: EndpointAddress[]
  notReadyAddresses?: EndpointAddress[]
  ports?: EndpointPort[]
}

/** The kind `Endpoints` of `v1`. */
export type Endpoints = {
  apiVersion: 'v1'
  kind: 'Endpoints'
  metadata: NamedObjectMeta
  subsets?: EndpointSubset[]
}

/** `EnvFromSource` of `core/v1`. */
export type EnvFromSource = {
  configMapRef?: ConfigMapEnvSource
  prefix?: string
  secretRef?: SecretEnvSource
}

/** `EnvVar` of `core/v1`. */
export type EnvVar = {
  name: string
  value?: string
  valueFrom?: EnvVarSource
}

/** `EnvVarSource` of `core/v1`. */
export type EnvVarSource = {
  configMapKeyRef?: ConfigMapKeySelector
  fieldRef?: ObjectFieldSelector
  fileKeyRef?: FileKeySelector
  resourceFieldRef?: ResourceFieldSelector
  secretKeyRef?: SecretKeySelector
}

/** `EphemeralContainer` of `core/v1`. */
export type EphemeralContainer = {
  args?: string[]
  command?: string[]
  env?: EnvVar[]
  envFrom?: EnvFromSource[]
  image?: string
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never'
  lifecycle?: Lifecycle
  livenessProbe?: Probe
  name: string
  ports?: ContainerPort[]
  readinessProbe?: Probe
  resizePolicy?: ContainerResizePolicy[]
  resources?: ResourceRequirements
  restartPolicy?: string
  restartPolicyRules?: ContainerRestartRule[]
  securityContext?: SecurityContext
  startupProbe?: Probe
  stdin?: boolean
  stdinOnce?: boolean
  targetContainerName?: string
  terminationMessagePath?: string
  terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File'
  tty?: boolean
  volumeDevices?: VolumeDevice[]
  volumeMounts?: VolumeMount[]
  workingDir?: string
}

/** `EphemeralVolumeSource` of `core/v1`. */
export type EphemeralVolumeSource = {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate
}

/** The kind `Event` of `v1`. */
export type Event = {
  apiVersion: 'v1'
  kind: 'Event'
  metadata: NamedObjectMeta
  action?: string
  count?: number
  eventTime?: MicroTime
  firstTimestamp?: Time
  involvedObject: ObjectReference
  lastTimestamp?: Time
  message?: string
  reason?: string
  related?: ObjectReference
  reportingComponent?: string
  reportingInstance?: string
  series?: EventSeries
  source?: EventSource
  type?: string
}

/** `EventSeries` of `core/v1`. */
export type EventSeries = {
  count?: number
  lastObservedTime?: MicroTime
}

/** `EventSource` of `core/v1`. */
export type EventSource = {
  component?: string
  host?: string
}

/** `ExecAction` of `core/v1`. */
export type ExecAction = {
  command?: string[]
}

/** `FCVolumeSource` of `core/v1`. */
export type FCVolumeSource = {
  fsType?: string
  lun?: number
  readOnly?: boolean
  targetWWNs?: string[]
  wwids?: string[]
}

/** `FileKeySelector` of `core/v1`. */
export type FileKeySelector = {
  key: string
  optional?: boolean
  path: string
  volumeName: string
}

/** `FlexPersistentVolumeSource` of `core/v1`. */
export type FlexPersistentVolumeSource = {
  driver: string
  fsType?: string
  options?: Record<string, string>
  readOnly?: boolean
  secretRef?: SecretReference
}

/** `FlexVolumeSource` of `core/v1`. */
export type FlexVolumeSource = {
  driver: string
  fsType?: string
  options?: Record<string, string>
  readOnly?: boolean
  secretRef?: LocalObjectReference
}

/** `FlockerVolumeSource` of `core/v1`. */
export type FlockerVolumeSource = {
  datasetName?: string
  datasetUUID?: string
}

/** `GCEPersistentDiskVolumeSource` of `core/v1`. */
export type GCEPersistentDiskVolumeSource = {
  fsType?: string
  partition?: number
  pdName: string
  readOnly?: boolean
}

/** `GRPCAction` of `core/v1`. */
export type GRPCAction = {
  port: number
  service?: string
}

/** `GitRepoVolumeSource` of `core/v1`. */
export type GitRepoVolumeSource = {
  directory?: string
  repository: string
  revision?: string
}

/** `GlusterfsPersistentVolumeSource` of `core/v1`. */
export type GlusterfsPersistentVolumeSource = {
  endpoints: string
  endpointsNamespace?: string
  path: string
  readOnly?: boolean
}

/** `GlusterfsVolumeSource` of `core/v1`. */
export type GlusterfsVolumeSource = {
  endpoints: string
  path: string
  readOnly?: boolean
}

/** `HTTPGetAction` of `core/v1`. */
export type HTTPGetAction = {
  host?: string
  httpHeaders?: HTTPHeader[]
  path?: string
  port: IntOrString
  scheme?: 'HTTP' | 'HTTPS'
}

/** `HTTPHeader` of `core/v1`. */
export type HTTPHeader = {
  name: string
  value: string
}

/** `HostAlias` of `core/v1`. */
export type HostAlias = {
  hostnames?: string[]
  ip: string
}

/** `HostIP` of `core/v1`. */
export type HostIP = {
  ip: string
}

/** `HostPathVolumeSource` of `core/v1`. */
export type HostPathVolumeSource = {
  path: string
  type?: '' | 'BlockDevice' | 'CharDevice' | 'Directory' | 'DirectoryOrCreate' | 'File' | 'FileOrCreate' | 'Socket'
}

/** `ISCSIPersistentVolumeSource` of `core/v1`. */
export type ISCSIPersistentVolumeSource = {
  chapAuthDiscovery?: boolean
  chapAuthSession?: boolean
  fsType?: string
  initiatorName?: string
  iqn: string
  iscsiInterface?: string
  lun: number
  portals?: string[]
  readOnly?: boolean
  secretRef?: SecretReference
  targetPortal: string
}

/** `ISCSIVolumeSource` of `core/v1`. */
export type ISCSIVolumeSource = {
  chapAuthDiscovery?: boolean
  chapAuthSession?: boolean
  fsType?: string
  initiatorName?: string
  iqn: string
  iscsiInterface?: string
  lun: number
  portals?: string[]
  readOnly?: boolean
  secretRef?: LocalObjectReference
  targetPortal: string
}

/** `ImageVolumeSource` of `core/v1`. */
export type ImageVolumeSource = {
  pullPolicy?: 'Always' | 'IfNotPresent' | 'Never'
  reference?: string
}

/** `KeyToPath` of `core/v1`. */
export type KeyToPath = {
  key: string
  mode?: number
  path: string
}

/** `Lifecycle` of `core/v1`. */
export type Lifecycle = {
  postStart?: LifecycleHandler
  preStop?: LifecycleHandler
  stopSignal?: 'SIGABRT' | 'SIGALRM' | 'SIGBUS' | 'SIGCHLD' | 'SIGCLD' | 'SIGCONT' | 'SIGFPE' | 'SIGHUP' | 'SIGILL' | 'SIGINT' | 'SIGIO' | 'SIGIOT' | 'SIGKILL' | 'SIGPIPE' | 'SIGPOLL' | 'SIGPROF' | 'SIGPWR' | 'SIGQUIT' | 'SIGRTMAX' | 'SIGRTMAX-1' | 'SIGRTMAX-10' | 'SIGRTMAX-11' | 'SIGRTMAX-12' | 'SIGRTMAX-13' | 'SIGRTMAX-14' | 'SIGRTMAX-2' | 'SIGRTMAX-3' | 'SIGRTMAX-4' | 'SIGRTMAX-5' | 'SIGRTMAX-6' | 'SIGRTMAX-7' | 'SIGRTMAX-8' | 'SIGRTMAX-9' | 'SIGRTMIN' | 'SIGRTMIN+1' | 'SIGRTMIN+10' | 'SIGRTMIN+11' | 'SIGRTMIN+12' | 'SIGRTMIN+13' | 'SIGRTMIN+14' | 'SIGRTMIN+15' | 'SIGRTMIN+2' | 'SIGRTMIN+3' | 'SIGRTMIN+4' | 'SIGRTMIN+5' | 'SIGRTMIN+6' | 'SIGRTMIN+7' | 'SIGRTMIN+8' | 'SIGRTMIN+9' | 'SIGSEGV' | 'SIGSTKFLT' | 'SIGSTOP' | 'SIGSYS' | 'SIGTERM' | 'SIGTRAP' | 'SIGTSTP' | 'SIGTTIN' | 'SIGTTOU' | 'SIGURG' | 'SIGUSR1' | 'SIGUSR2' | 'SIGVTALRM' | 'SIGWINCH' | 'SIGXCPU' | 'SIGXFSZ'
}

/** `LifecycleHandler` of `core/v1`. */
export type LifecycleHandler = {
  exec?: ExecAction
  httpGet?: HTTPGetAction
  sleep?: SleepAction
  tcpSocket?: TCPSocketAction
}

/** The kind `LimitRange` of `v1`. */
export type LimitRange = {
  apiVersion: 'v1'
  kind: 'LimitRange'
  metadata: NamedObjectMeta
  spec?: LimitRangeSpec
}

/** `LimitRangeItem` of `core/v1`. */
export type LimitRangeItem = {
  default?: Record<string, Quantity>
  defaultRequest?: Record<string, Quantity>
  max?: Record<string, Quantity>
  maxLimitRequestRatio?: Record<string, Quantity>
  min?: Record<string, Quantity>
  type: string
}

/** `LimitRangeSpec` of `core/v1`. */
export type LimitRangeSpec = {
  limits: LimitRangeItem[]
}

/** `LinuxContainerUser` of `core/v1`. */
export type LinuxContainerUser = {
  gid: number
  supplementalGroups?: number[]
  uid: number
}

/** `LoadBalancerIngress` of `core/v1`. */
export type LoadBalancerIngress = {
  hostname?: string
  ip?: string
  ipMode?: string
  ports?: PortStatus[]
}

/** `LoadBalancerStatus` of `core/v1`. */
export type LoadBalancerStatus = {
  ingress?: LoadBalancerIngress[]
}

/** `LocalObjectReference` of `core/v1`. */
export type LocalObjectReference = {
  name?: string
}

/** `LocalVolumeSource` of `core/v1`. */
export type LocalVolumeSource = {
  fsType?: string
  path: string
}

/** `ModifyVolumeStatus` of `core/v1`. */
export type ModifyVolumeStatus = {
  status: 'InProgress' | 'Infeasible' | 'Pending'
  targetVolumeAttributesClassName?: string
}

/** `NFSVolumeSource` of `core/v1`. */
export type NFSVolumeSource = {
  path: string
  readOnly?: boolean
  server: string
}

/** The cluster-scoped kind `Namespace` of `v1`. */
export type Namespace = {
  apiVersion: 'v1'
  kind: 'Namespace'
  metadata: NamedObjectMeta
  spec?: NamespaceSpec
  status?: NamespaceStatus
}

/** `NamespaceCondition` of `core/v1`. */
export type NamespaceCondition = {
  lastTransitionTime?: Time
  message?: string
  reason?: string
  status: string
  type: string
}

/** `NamespaceSpec` of `core/v1`. */
export type NamespaceSpec = {
  finalizers?: string[]
}

/** `NamespaceStatus` of `core/v1`. */
export type NamespaceStatus = {
  conditions?: NamespaceCondition[]
  phase?: 'Active' | 'Terminating'
}

/** The cluster-scoped kind `Node` of `v1`. */
export type Node = {
  apiVersion: 'v1'
  kind: 'Node'
  metadata: NamedObjectMeta
  spec?: NodeSpec
  status?: NodeStatus
}

/** `NodeAddress` of `core/v1`. */
export type NodeAddress = {
  address: string
  type: string
}

/** `NodeAffinity` of `core/v1`. */
export type NodeAffinity = {
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[]
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector
}

/** `NodeCondition` of `core/v1`. */
export type NodeCondition = {
  lastHeartbeatTime?: Time
  lastTransitionTime?: Time
  message?: string
  reason?: string
  status: string
  type: string
}

/** `NodeConfigSource` of `core/v1`. */
export type NodeConfigSource = {
  configMap?: ConfigMapNodeConfigSource
}

/** `NodeConfigStatus` of `core/v1`. */
export type NodeConfigStatus = {
  active?: NodeConfigSource
  assigned?: NodeConfigSource
  error?: string
  lastKnownGood?: NodeConfigSource
}

/** `NodeDaemonEndpoints` of `core/v1`. */
export type NodeDaemonEndpoints = {
  kubeletEndpoint?: DaemonEndpoint
}

/** `NodeFeatures` of `core/v1`. */
export type NodeFeatures = {
  supplementalGroupsPolicy?: boolean
}

/** `NodeRuntimeHandler` of `core/v1`. */
export type NodeRuntimeHandler = {
  features?: NodeRuntimeHandlerFeatures
  name?: string
}

/** `NodeRuntimeHandlerFeatures` of `core/v1`. */
export type NodeRuntimeHandlerFeatures = {
  recursiveReadOnlyMounts?: boolean
  userNamespaces?: boolean
}

/** `NodeSelector` of `core/v1`. */
export type NodeSelector = {
  nodeSelectorTerms: NodeSelectorTerm[]
}

/** `NodeSelectorRequirement` of `core/v1`. */
export type NodeSelectorRequirement = {
  key: string
  operator: 'DoesNotExist' | 'Exists' | 'Gt' | 'In' | 'Lt' | 'NotIn'
  values?: string[]
}

/** `NodeSelectorTerm` of `core/v1`. */
export type NodeSelectorTerm = {
  matchExpressions?: NodeSelectorRequirement[]
  matchFields?: NodeSelectorRequirement[]
}

/** `NodeSpec` of `core/v1`. */
export type NodeSpec = {
  configSource?: NodeConfigSource
  externalID?: string
  podCIDR?: string
  podCIDRs?: string[]
  providerID?: string
  taints?: Taint[]
  unschedulable?: boolean
}

/** `NodeStatus` of `core/v1`. */
export type NodeStatus = {
  addresses?: NodeAddress[]
  allocatable?: Record<string, Quantity>
  capacity?: Record<string, Quantity>
  conditions?: NodeCondition[]
  config?: NodeConfigStatus
  daemonEndpoints?: NodeDaemonEndpoints
  declaredFeatures?: string[]
  features?: NodeFeatures
  images?: ContainerImage[]
  nodeInfo?: NodeSystemInfo
  phase?: 'Pending' | 'Running' | 'Terminated'
  runtimeHandlers?: NodeRuntimeHandler[]
  volumesAttached?: AttachedVolume[]
  volumesInUse?: string[]
}

/** `NodeSwapStatus` of `core/v1`. */
export type NodeSwapStatus = {
  capacity?: number
}

/** `NodeSystemInfo` of `core/v1`. */
export type NodeSystemInfo = {
  architecture: string
  bootID: string
  containerRuntimeVersion: string
  kernelVersion: string
  kubeProxyVersion: string
  kubeletVersion: string
  machineID: string
  operatingSystem: string
  osImage: string
  swap?: NodeSwapStatus
  systemUUID: string
}

/** `ObjectFieldSelector` of `core/v1`. */
export type ObjectFieldSelector = {
  apiVersion?: string
  fieldPath: string
}

/** `ObjectReference` of `core/v1`. */
export type ObjectReference = {
  apiVersion?: string
  fieldPath?: string
  kind?: string
  name?: string
  namespace?: string
  resourceVersion?: string
  uid?: string
}

/** The cluster-scoped kind `PersistentVolume` of `v1`. */
export type PersistentVolume = {
  apiVersion: 'v1'
  kind: 'PersistentVolume'
  metadata: NamedObjectMeta
  spec?: PersistentVolumeSpec
  status?: PersistentVolumeStatus
}

/** The kind `PersistentVolumeClaim` of `v1`. */
export type PersistentVolumeClaim = {
  apiVersion: 'v1'
  kind: 'PersistentVolumeClaim'
  metadata: NamedObjectMeta
  spec?: PersistentVolumeClaimSpec
  status?: PersistentVolumeClaimStatus
}

/** `PersistentVolumeClaimCondition` of `core/v1`. */
export type PersistentVolumeClaimCondition = {
  lastProbeTime?: Time
  lastTransitionTime?: Time
  message?: string
  reason?: string
  status: string
  type: string
}

/** `PersistentVolumeClaimSpec` of `core/v1`. */
export type PersistentVolumeClaimSpec = {
  accessModes?: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[]
  dataSource?: TypedLocalObjectReference
  dataSourceRef?: TypedObjectReference
  resources?: VolumeResourceRequirements
  selector?: LabelSelector
  storageClassName?: string
  volumeAttributesClassName?: string
  volumeMode?: 'Block' | 'Filesystem'
  volumeName?: string
}

/** `PersistentVolumeClaimStatus` of `core/v1`. */
export type PersistentVolumeClaimStatus = {
  accessModes?: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[]
  allocatedResourceStatuses?: Record<string, 'ControllerResizeInProgress' | 'ControllerResizeInfeasible' | 'NodeResizeInProgress' | 'NodeResizeInfeasible' | 'NodeResizePending'>
  allocatedResources?: Record<string, Quantity>
  capacity?: Record<string, Quantity>
  conditions?: PersistentVolumeClaimCondition[]
  currentVolumeAttributesClassName?: string
  modifyVolumeStatus?: ModifyVolumeStatus
  phase?: 'Bound' | 'Lost' | 'Pending'
}

/** `PersistentVolumeClaimTemplate` of `core/v1`. */
export type PersistentVolumeClaimTemplate = {
  metadata?: ObjectMeta
  spec: PersistentVolumeClaimSpec
}

/** `PersistentVolumeClaimVolumeSource` of `core/v1`. */
export type PersistentVolumeClaimVolumeSource = {
  claimName: string
  readOnly?: boolean
}

/** `PersistentVolumeSpec` of `core/v1`. */
export type PersistentVolumeSpec = {
  accessModes?: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[]
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  azureDisk?: AzureDiskVolumeSource
  azureFile?: AzureFilePersistentVolumeSource
  capacity?: Record<string, Quantity>
  cephfs?: CephFSPersistentVolumeSource
  cinder?: CinderPersistentVolumeSource
  claimRef?: ObjectReference
  csi?: CSIPersistentVolumeSource
  fc?: FCVolumeSource
  flexVolume?: FlexPersistentVolumeSource
  flocker?: FlockerVolumeSource
  gcePersistentDisk?: GCEPersistentDiskVolumeSource
  glusterfs?: GlusterfsPersistentVolumeSource
  hostPath?: HostPathVolumeSource
  iscsi?: ISCSIPersistentVolumeSource
  local?: LocalVolumeSource
  mountOptions?: string[]
  nfs?: NFSVolumeSource
  nodeAffinity?: VolumeNodeAffinity
  persistentVolumeReclaimPolicy?: 'Delete' | 'Recycle' | 'Retain'
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  portworxVolume?: PortworxVolumeSource
  quobyte?: QuobyteVolumeSource
  rbd?: RBDPersistentVolumeSource
  scaleIO?: ScaleIOPersistentVolumeSource
  storageClassName?: string
  storageos?: StorageOSPersistentVolumeSource
  volumeAttributesClassName?: string
  volumeMode?: 'Block' | 'Filesystem'
  vsphereVolume?: VsphereVirtualDiskVolumeSource
}

/** `PersistentVolumeStatus` of `core/v1`. */
export type PersistentVolumeStatus = {
  lastPhaseTransitionTime?: Time
  message?: string
  phase?: 'Available' | 'Bound' | 'Failed' | 'Pending' | 'Released'
  reason?: string
}

/** `PhotonPersistentDiskVolumeSource` of `core/v1`. */
export type PhotonPersistentDiskVolumeSource = {
  fsType?: string
  pdID: string
}

/** The kind `Pod` of `v1`. */
export type Pod = {
  apiVersion: 'v1'
  kind: 'Pod'
  metadata: NamedObjectMeta
  spec?: PodSpec
  status?: PodStatus
}

/** `PodAffinity` of `core/v1`. */
export type PodAffinity = {
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[]
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[]
}

/** `PodAffinityTerm` of `core/v1`. */
export type PodAffinityTerm = {
  labelSelector?: LabelSelector
  matchLabelKeys?: string[]
  mismatchLabelKeys?: string[]
  namespaceSelector?: LabelSelector
  namespaces?: string[]
  topologyKey: string
}

/** `PodAntiAffinity` of `core/v1`. */
export type PodAntiAffinity = {
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[]
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[]
}

/** `PodCertificateProjection` of `core/v1`. */
export type PodCertificateProjection = {
  certificateChainPath?: string
  credentialBundlePath?: string
  keyPath?: string
  keyType: string
  maxExpirationSeconds?: number
  signerName: string
  userAnnotations?: Record<string, string>
}

/** `PodCondition` of `core/v1`. */
export type PodCondition = {
  lastProbeTime?: Time
  lastTransitionTime?: Time
  message?: string
  observedGeneration?: number
  reason?: string
  status: string
  type: string
}

/** `PodDNSConfig` of `core/v1`. */
export type PodDNSConfig = {
  nameservers?: string[]
  options?: PodDNSConfigOption[]
  searches?: string[]
}

/** `PodDNSConfigOption` of `core/v1`. */
export type PodDNSConfigOption = {
  name?: string
  value?: string
}

/** `PodExtendedResourceClaimStatus` of `core/v1`. */
export type PodExtendedResourceClaimStatus = {
  requestMappings: ContainerExtendedResourceRequest[]
  resourceClaimName: string
}

/** `PodIP` of `core/v1`. */
export type PodIP = {
  ip: string
}

/** `PodOS` of `core/v1`. */
export type PodOS = {
  name: string
}

/** `PodReadinessGate` of `core/v1`. */
export type PodReadinessGate = {
  conditionType: string
}

/** `PodResourceClaim` of `core/v1`. */
export type PodResourceClaim = {
  name: string
  resourceClaimName?: string
  resourceClaimTemplateName?: string
}

/** `PodResourceClaimStatus` of `core/v1`. */
export type PodResourceClaimStatus = {
  name: string
  resourceClaimName?: string
}

/** `PodSchedulingGate` of `core/v1`. */
export type PodSchedulingGate = {
  name: string
}

/** `PodSecurityContext` of `core/v1`. */
export type PodSecurityContext = {
  appArmorProfile?: AppArmorProfile
  fsGroup?: number
  fsGroupChangePolicy?: 'Always' | 'OnRootMismatch'
  runAsGroup?: number
  runAsNonRoot?: boolean
  runAsUser?: number
  seLinuxChangePolicy?: string
  seLinuxOptions?: SELinuxOptions
  seccompProfile?: SeccompProfile
  supplementalGroups?: number[]
  supplementalGroupsPolicy?: 'Merge' | 'Strict'
  sysctls?: Sysctl[]
  windowsOptions?: WindowsSecurityContextOptions
}

/** `PodSpec` of `core/v1`. */
export type PodSpec = {
  activeDeadlineSeconds?: number
  affinity?: Affinity
  automountServiceAccountToken?: boolean
  containers: Container[]
  dnsConfig?: PodDNSConfig
  dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None'
  enableServiceLinks?: boolean
  ephemeralContainers?: EphemeralContainer[]
  hostAliases?: HostAlias[]
  hostIPC?: boolean
  hostNetwork?: boolean
  hostPID?: boolean
  hostUsers?: boolean
  hostname?: string
  hostnameOverride?: string
  imagePullSecrets?: LocalObjectReference[]
  initContainers?: Container[]
  nodeName?: string
  nodeSelector?: Record<string, string>
  os?: PodOS
  overhead?: Record<string, Quantity>
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority'
  priority?: number
  priorityClassName?: string
  readinessGates?: PodReadinessGate[]
  resourceClaims?: PodResourceClaim[]
  resources?: ResourceRequirements
  restartPolicy?: 'Always' | 'Never' | 'OnFailure'
  runtimeClassName?: string
  schedulerName?: string
  schedulingGates?: PodSchedulingGate[]
  securityContext?: PodSecurityContext
  serviceAccount?: string
  serviceAccountName?: string
  setHostnameAsFQDN?: boolean
  shareProcessNamespace?: boolean
  subdomain?: string
  terminationGracePeriodSeconds?: number
  tolerations?: Toleration[]
  topologySpreadConstraints?: TopologySpreadConstraint[]
  volumes?: Volume[]
  workloadRef?: WorkloadReference
}

/** `PodStatus` of `core/v1`. */
export type PodStatus = {
  allocatedResources?: Record<string, Quantity>
  conditions?: PodCondition[]
  containerStatuses?: ContainerStatus[]
  ephemeralContainerStatuses?: ContainerStatus[]
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus
  hostIP?: string
  hostIPs?: HostIP[]
  initContainerStatuses?: ContainerStatus[]
  message?: string
  nominatedNodeName?: string
  observedGeneration?: number
  phase?: 'Failed' | 'Pending' | 'Running' | 'Succeeded' | 'Unknown'
  podIP?: string
  podIPs?: PodIP[]
  qosClass?: 'BestEffort' | 'Burstable' | 'Guaranteed'
  reason?: string
  resize?: string
  resourceClaimStatuses?: PodResourceClaimStatus[]
  resources?: ResourceRequirements
  startTime?: Time
}

/** The kind `PodTemplate` of `v1`. */
export type PodTemplate = {
  apiVersion: 'v1'
  kind: 'PodTemplate'
  metadata: NamedObjectMeta
  template?: PodTemplateSpec
}

/** `PodTemplateSpec` of `core/v1`. */
export type PodTemplateSpec = {
  metadata?: ObjectMeta
  spec?: PodSpec
}

/** `PortStatus` of `core/v1`. */
export type PortStatus = {
  error?: string
  port: number
  protocol: 'SCTP' | 'TCP' | 'UDP'
}

/** `PortworxVolumeSource` of `core/v1`. */
export type PortworxVolumeSource = {
  fsType?: string
  readOnly?: boolean
  volumeID: string
}

/** `PreferredSchedulingTerm` of `core/v1`. */
export type PreferredSchedulingTerm = {
  preference: NodeSelectorTerm
  weight: number
}

/** `Probe` of `core/v1`. */
export type Probe = {
  exec?: ExecAction
  failureThreshold?: number
  grpc?: GRPCAction
  httpGet?: HTTPGetAction
  initialDelaySeconds?: number
  periodSeconds?: number
  successThreshold?: number
  tcpSocket?: TCPSocketAction
  terminationGracePeriodSeconds?: number
  timeoutSeconds?: number
}

/** `ProjectedVolumeSource` of `core/v1`. */
export type ProjectedVolumeSource = {
  defaultMode?: number
  sources?: VolumeProjection[]
}

/** `QuobyteVolumeSource` of `core/v1`. */
export type QuobyteVolumeSource = {
  group?: string
  readOnly?: boolean
  registry: string
  tenant?: string
  user?: string
  volume: string
}

/** `RBDPersistentVolumeSource` of `core/v1`. */
export type RBDPersistentVolumeSource = {
  fsType?: string
  image: string
  keyring?: string
  monitors: string[]
  pool?: string
  readOnly?: boolean
  secretRef?: SecretReference
  user?: string
}

/** `RBDVolumeSource` of `core/v1`. */
export type RBDVolumeSource = {
  fsType?: string
  image: string
  keyring?: string
  monitors: string[]
  pool?: string
  readOnly?: boolean
  secretRef?: LocalObjectReference
  user?: string
}

/** The kind `ReplicationController` of `v1`. */
export type ReplicationController = {
  apiVersion: 'v1'
  kind: 'ReplicationController'
  metadata: NamedObjectMeta
  spec?: ReplicationControllerSpec
  status?: ReplicationControllerStatus
}

/** `ReplicationControllerCondition` of `core/v1`. */
export type ReplicationControllerCondition = {
  lastTransitionTime?: Time
  message?: string
  reason?: string
  status: string
  type: string
}

/** `ReplicationControllerSpec` of `core/v1`. */
export type ReplicationControllerSpec = {
  minReadySeconds?: number
  replicas?: number
  selector?: Record<string, string>
  template?: PodTemplateSpec
}

/** `ReplicationControllerStatus` of `core/v1`. */
export type ReplicationControllerStatus = {
  availableReplicas?: number
  conditions?: ReplicationControllerCondition[]
  fullyLabeledReplicas?: number
  observedGeneration?: number
  readyReplicas?: number
  replicas: number
}

/** `ResourceClaim` of `core/v1`. */
export type CoreV1ResourceClaim = {
  name: string
  request?: string
}

/** `ResourceFieldSelector` of `core/v1`. */
export type ResourceFieldSelector = {
  containerName?: string
  divisor?: Quantity
  resource: string
}

/** `ResourceHealth` of `core/v1`. */
export type ResourceHealth = {
  health?: string
  resourceID: string
}

/** The kind `ResourceQuota` of `v1`. */
export type ResourceQuota = {
  apiVersion: 'v1'
  kind: 'ResourceQuota'
  metadata: NamedObjectMeta
  spec?: ResourceQuotaSpec
  status?: ResourceQuotaStatus
}

/** `ResourceQuotaSpec` of `core/v1`. */
export type ResourceQuotaSpec = {
  hard?: Record<string, Quantity>
  scopeSelector?: ScopeSelector
  scopes?: ('BestEffort' | 'CrossNamespacePodAffinity' | 'NotBestEffort' | 'NotTerminating' | 'PriorityClass' | 'Terminating' | 'VolumeAttributesClass')[]
}

/** `ResourceQuotaStatus` of `core/v1`. */
export type ResourceQuotaStatus = {
  hard?: Record<string, Quantity>
  used?: Record<string, Quantity>
}

/** `ResourceRequirements` of `core/v1`. */
export type ResourceRequirements = {
  claims?: CoreV1ResourceClaim[]
  limits?: Record<string, Quantity>
  requests?: Record<string, Quantity>
}

/** `ResourceStatus` of `core/v1`. */
export type ResourceStatus = {
  name: string
  resources?: ResourceHealth[]
}

/** `SELinuxOptions` of `core/v1`. */
export type SELinuxOptions = {
  level?: string
  role?: string
  type?: string
  user?: string
}

/** `ScaleIOPersistentVolumeSource` of `core/v1`. */
export type ScaleIOPersistentVolumeSource = {
  fsType?: string
  gateway: string
  protectionDomain?: string
  readOnly?: boolean
  secretRef: SecretReference
  sslEnabled?: boolean
  storageMode?: string
  storagePool?: string
  system: string
  volumeName?: string
}

/** `ScaleIOVolumeSource` of `core/v1`. */
export type ScaleIOVolumeSource = {
  fsType?: string
  gateway: string
  protectionDomain?: string
  readOnly?: boolean
  secretRef: LocalObjectReference
  sslEnabled?: boolean
  storageMode?: string
  storagePool?: string
  system: string
  volumeName?: string
}

/** `ScopeSelector` of `core/v1`. */
export type ScopeSelector = {
  matchExpressions?: ScopedResourceSelectorRequirement[]
}

/** `ScopedResourceSelectorRequirement` of `core/v1`. */
export type ScopedResourceSelectorRequirement = {
  operator: 'DoesNotExist' | 'Exists' | 'In' | 'NotIn'
  scopeName: 'BestEffort' | 'CrossNamespacePodAffinity' | 'NotBestEffort' | 'NotTerminating' | 'PriorityClass' | 'Terminating' | 'VolumeAttributesClass'
  values?: string[]
}

/** `SeccompProfile` of `core/v1`. */
export type SeccompProfile = {
  localhostProfile?: string
  type: 'Localhost' | 'RuntimeDefault' | 'Unconfined'
}

/** The kind `Secret` of `v1`. */
export type Secret = {
  apiVersion: 'v1'
  kind: 'Secret'
  metadata: NamedObjectMeta
  data?: Record<string, Base64>
  immutable?: boolean
  stringData?: Record<string, string>
  type?: string
}

/** `SecretEnvSource` of `core/v1`. */
export type SecretEnvSource = {
  name?: string
  optional?: boolean
}

/** `SecretKeySelector` of `core/v1`. */
export type SecretKeySelector = {
  key: string
  name?: string
  optional?: boolean
}

/** `SecretProjection` of `core/v1`. */
export type SecretProjection = {
  items?: KeyToPath[]
  name?: string
  optional?: boolean
}

/** `SecretReference` of `core/v1`. */
export type SecretReference = {
  name?: string
  namespace?: string
}

/** `SecretVolumeSource` of `core/v1`. */
export type SecretVolumeSource = {
  defaultMode?: number
  items?: KeyToPath[]
  optional?: boolean
  secretName?: string
}

/** `SecurityContext` of `core/v1`. */
export type SecurityContext = {
  allowPrivilegeEscalation?: boolean
  appArmorProfile?: AppArmorProfile
  capabilities?: Capabilities
  privileged?: boolean
  procMount?: 'Default' | 'Unmasked'
  readOnlyRootFilesystem?: boolean
  runAsGroup?: number
  runAsNonRoot?: boolean
  runAsUser?: number
  seLinuxOptions?: SELinuxOptions
  seccompProfile?: SeccompProfile
  windowsOptions?: WindowsSecurityContextOptions
}

/** The kind `Service` of `v1`. */
export type Service = {
  apiVersion: 'v1'
  kind: 'Service'
  metadata: NamedObjectMeta
  spec?: ServiceSpec
  status?: ServiceStatus
}

/** The kind `ServiceAccount` of `v1`. */
export type ServiceAccount = {
  apiVersion: 'v1'
  kind: 'ServiceAccount'
  metadata: NamedObjectMeta
  automountServiceAccountToken?: boolean
  imagePullSecrets?: LocalObjectReference[]
  secrets?: ObjectReference[]
}

/** `ServiceAccountTokenProjection` of `core/v1`. */
export type ServiceAccountTokenProjection = {
  audience?: string
  expirationSeconds?: number
  path: string
}

/** `ServicePort` of `core/v1`. */
export type ServicePort = {
  appProtocol?: string
  name?: string
  nodePort?: number
  port: number
  protocol?: 'SCTP' | 'TCP' | 'UDP'
  targetPort?: IntOrString
}

/** `ServiceSpec` of `core/v1`. */
export type ServiceSpec = {
  allocateLoadBalancerNodePorts?: boolean
  clusterIP?: string
  clusterIPs?: string[]
  externalIPs?: string[]
  externalName?: string
  externalTrafficPolicy?: 'Cluster' | 'Local'
  healthCheckNodePort?: number
  internalTrafficPolicy?: 'Cluster' | 'Local'
  ipFamilies?: ('' | 'IPv4' | 'IPv6')[]
  ipFamilyPolicy?: 'PreferDualStack' | 'RequireDualStack' | 'SingleStack'
  loadBalancerClass?: string
  loadBalancerIP?: string
  loadBalancerSourceRanges?: string[]
  ports?: ServicePort[]
  publishNotReadyAddresses?: boolean
  selector?: Record<string, string>
  sessionAffinity?: 'ClientIP' | 'None'
  sessionAffinityConfig?: SessionAffinityConfig
  trafficDistribution?: string
  type?: 'ClusterIP' | 'ExternalName' | 'LoadBalancer' | 'NodePort'
}

/** `ServiceStatus` of `core/v1`. */
export type ServiceStatus = {
  conditions?: Condition[]
  loadBalancer?: LoadBalancerStatus
}

/** `SessionAffinityConfig` of `core/v1`. */
export type SessionAffinityConfig = {
  clientIP?: ClientIPConfig
}

/** `SleepAction` of `core/v1`. */
export type SleepAction = {
  seconds: number
}

/** `StorageOSPersistentVolumeSource` of `core/v1`. */
export type StorageOSPersistentVolumeSource = {
  fsType?: string
  readOnly?: boolean
  secretRef?: ObjectReference
  volumeName?: string
  volumeNamespace?: string
}

/** `StorageOSVolumeSource` of `core/v1`. */
export type StorageOSVolumeSource = {
  fsType?: string
  readOnly?: boolean
  secretRef?: LocalObjectReference
  volumeName?: string
  volumeNamespace?: string
}

/** `Sysctl` of `core/v1`. */
export type Sysctl = {
  name: string
  value: string
}

/** `TCPSocketAction` of `core/v1`. */
export type TCPSocketAction = {
  host?: string
  port: IntOrString
}

/** `Taint` of `core/v1`. */
export type Taint = {
  effect: 'NoExecute' | 'NoSchedule' | 'PreferNoSchedule'
  key: string
  timeAdded?: Time
  value?: string
}

/** `Toleration` of `core/v1`. */
export type Toleration = {
  effect?: 'NoExecute' | 'NoSchedule' | 'PreferNoSchedule'
  key?: string
  operator?: 'Equal' | 'Exists' | 'Gt' | 'Lt'
  tolerationSeconds?: number
  value?: string
}

/** `TopologySelectorLabelRequirement` of `core/v1`. */
export type TopologySelectorLabelRequirement = {
  key: string
  values: string[]
}

/** `TopologySelectorTerm` of `core/v1`. */
export type TopologySelectorTerm = {
  matchLabelExpressions?: TopologySelectorLabelRequirement[]
}

/** `TopologySpreadConstraint` of `core/v1`. */
export type TopologySpreadConstraint = {
  labelSelector?: LabelSelector
  matchLabelKeys?: string[]
  maxSkew: number
  minDomains?: number
  nodeAffinityPolicy?: 'Honor' | 'Ignore'
  nodeTaintsPolicy?: 'Honor' | 'Ignore'
  topologyKey: string
  whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway'
}

/** `TypedLocalObjectReference` of `core/v1`. */
export type TypedLocalObjectReference = {
  apiGroup?: string
  kind: string
  name: string
}

/** `TypedObjectReference` of `core/v1`. */
export type TypedObjectReference = {
  apiGroup?: string
  kind: string
  name: string
  namespace?: string
}

/** `Volume` of `core/v1`. */
export type Volume = {
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  azureDisk?: AzureDiskVolumeSource
  azureFile?: AzureFileVolumeSource
  cephfs?: CephFSVolumeSource
  cinder?: CinderVolumeSource
  configMap?: ConfigMapVolumeSource
  csi?: CSIVolumeSource
  downwardAPI?: DownwardAPIVolumeSource
  emptyDir?: EmptyDirVolumeSource
  ephemeral?: EphemeralVolumeSource
  fc?: FCVolumeSource
  flexVolume?: FlexVolumeSource
  flocker?: FlockerVolumeSource
  gcePersistentDisk?: GCEPersistentDiskVolumeSource
  gitRepo?: GitRepoVolumeSource
  glusterfs?: GlusterfsVolumeSource
  hostPath?: HostPathVolumeSource
  image?: ImageVolumeSource
  iscsi?: ISCSIVolumeSource
  name: string
  nfs?: NFSVolumeSource
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  portworxVolume?: PortworxVolumeSource
  projected?: ProjectedVolumeSource
  quobyte?: QuobyteVolumeSource
  rbd?: RBDVolumeSource
  scaleIO?: ScaleIOVolumeSource
  secret?: SecretVolumeSource
  storageos?: StorageOSVolumeSource
  vsphereVolume?: VsphereVirtualDiskVolumeSource
}

/** `VolumeDevice` of `core/v1`. */
export type VolumeDevice = {
  devicePath: string
  name: string
}

/** `VolumeMount` of `core/v1`. */
export type VolumeMount = {
  mountPath: string
  mountPropagation?: 'Bidirectional' | 'HostToContainer' | 'None'
  name: string
  readOnly?: boolean
  recursiveReadOnly?: string
  subPath?: string
  subPathExpr?: string
}

/** `VolumeMountStatus` of `core/v1`. */
export type VolumeMountStatus = {
  mountPath: string
  name: string
  readOnly?: boolean
  recursiveReadOnly?: string
}

/** `VolumeNodeAffinity` of `core/v1`. */
export type VolumeNodeAffinity = {
  required?: NodeSelector
}

/** `VolumeProjection` of `core/v1`. */
export type VolumeProjection = {
  clusterTrustBundle?: ClusterTrustBundleProjection
  configMap?: ConfigMapProjection
  downwardAPI?: DownwardAPIProjection
  podCertificate?: PodCertificateProjection
  secret?: SecretProjection
  serviceAccountToken?: ServiceAccountTokenProjection
}

/** `VolumeResourceRequirements` of `core/v1`. */
export type VolumeResourceRequirements = {
  limits?: Record<string, Quantity>
  requests?: Record<string, Quantity>
}

/** `VsphereVirtualDiskVolumeSource` of `core/v1`. */
export type VsphereVirtualDiskVolumeSource = {
  fsType?: string
  storagePolicyID?: string
  storagePolicyName?: string
  volumePath: string
}

/** `WeightedPodAffinityTerm` of `core/v1`. */
export type WeightedPodAffinityTerm = {
  podAffinityTerm: PodAffinityTerm
  weight: number
}

/** `WindowsSecurityContextOptions` of `core/v1`. */
export type WindowsSecurityContextOptions = {
  gmsaCredentialSpec?: string
  gmsaCredentialSpecName?: string
  hostProcess?: boolean
  runAsUserName?: string
}

/** `WorkloadReference` of `core/v1`. */
export type WorkloadReference = {
  name: string
  podGroup: string
  podGroupReplicaKey?: string
}
