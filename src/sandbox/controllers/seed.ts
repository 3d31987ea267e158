import type { KubeObject } from '../../core/index.ts'
import { type Backend, timestamp } from '../backend.ts'

/** Puts what every cluster has before anybody writes to it: nodes, priority and storage classes. */
export function seedCluster(backend: Backend, nodes = 1): void {
  const now = timestamp(backend.clock)
  for (const [collection, object] of seedObjects(nodes, now)) {
    const { namespace = '', name } = object.metadata
    if (backend.store.get(collection, namespace, name) !== undefined) continue
    backend.store.put(collection, {
      ...object,
      metadata: { ...object.metadata, uid: backend.uid(), creationTimestamp: now },
    })
  }
}

function seedObjects(nodes: number, now: string): [string, KubeObject][] {
  return [
    ...Array.from({ length: nodes }, (_, at): [string, KubeObject] => ['/nodes', node(at, now)]),
    ['storage.k8s.io/storageclasses', standardClass],
    ['scheduling.k8s.io/priorityclasses', priorityClass('system-cluster-critical', 2_000_000_000)],
    ['scheduling.k8s.io/priorityclasses', priorityClass('system-node-critical', 2_000_001_000)],
  ]
}

function node(at: number, now: string): KubeObject {
  const name = at === 0 ? 'sandbox-node' : `sandbox-node-${at + 1}`
  const labels = {
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
    'kubernetes.io/hostname': name,
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
  }
  const room = { cpu: '1000', memory: '1Ti', 'ephemeral-storage': '1Ti', pods: '100000' }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: {},
    status: {
      addresses: [
        { type: 'InternalIP', address: `172.18.0.${at + 2}` },
        { type: 'Hostname', address: name },
      ],
      allocatable: room,
      capacity: room,
      conditions: nodeConditions(now),
      daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
      nodeInfo: {
        architecture: 'amd64',
        bootID: '',
        containerRuntimeVersion: 'sandbox://1',
        kernelVersion: 'simulated',
        kubeProxyVersion: '',
        kubeletVersion: 'sandbox',
        machineID: '',
        operatingSystem: 'linux',
        osImage: 'simulated',
        systemUUID: '',
      },
    },
  }
}

function nodeConditions(now: string): Record<string, unknown>[] {
  const times = { lastHeartbeatTime: now, lastTransitionTime: now }
  const fine = ['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
    type,
    status: 'False',
    ...times,
    reason: 'KubeletHasNoPressure',
    message: 'simulated',
  }))
  return [...fine, { type: 'Ready', status: 'True', ...times, reason: 'KubeletReady', message: 'simulated' }]
}

const standardClass: KubeObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'sandbox.lading.dev/volume',
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
  allowVolumeExpansion: true,
}

function priorityClass(name: string, value: number): KubeObject {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    description: 'Used for system critical pods.',
    preemptionPolicy: 'PreemptLowerPriority',
  }
}
