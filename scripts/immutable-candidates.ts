/** An object that an API server accepts, and changes of single fields that make another acceptable object of it. */
export interface ImmutableCandidate {
  readonly object: Record<string, unknown>
  readonly changes: Readonly<Record<string, unknown>>
  /** A field that has to be true for the others to be immutable. */
  readonly when?: string
}

const pod = { schedulerName: 'none', containers: [{ name: 'main', image: 'one' }] }
const template = { metadata: { labels: { app: 'a', tier: 'b' } }, spec: { containers: pod.containers } }
const selector = { matchLabels: { app: 'a' } }
const otherSelector = { matchLabels: { tier: 'b' } }
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }
const otherRole = { ...role, name: 'edit' }

function probe(
  apiVersion: string,
  kind: string,
  fields: object,
  changes: Record<string, unknown>,
  when?: string,
): ImmutableCandidate {
  const object = { apiVersion, kind, metadata: { name: `lading-probe-${kind.toLowerCase()}` }, ...fields }
  return when === undefined ? { object, changes } : { object, changes, when }
}

/** What is tried. Fields that turn out to be mutable stay in the list: an API server may think otherwise one day. */
export const immutableCandidates: readonly ImmutableCandidate[] = [
  probe(
    'apps/v1',
    'Deployment',
    { spec: { replicas: 0, selector, template } },
    {
      '.spec.selector': otherSelector,
      '.spec.strategy': { type: 'Recreate' },
      '.spec.template': { ...template, spec: { containers: [{ name: 'main', image: 'two' }] } },
    },
  ),
  probe(
    'apps/v1',
    'DaemonSet',
    { spec: { selector, template: { ...template, spec: pod } } },
    {
      '.spec.selector': otherSelector,
      '.spec.updateStrategy': { type: 'OnDelete' },
    },
  ),
  probe(
    'apps/v1',
    'ReplicaSet',
    { spec: { replicas: 0, selector, template } },
    { '.spec.selector': otherSelector, '.spec.replicas': 1 },
  ),
  probe(
    'v1',
    'ReplicationController',
    { spec: { replicas: 0, selector: { app: 'a' }, template } },
    { '.spec.selector': { tier: 'b' } },
  ),
  probe(
    'apps/v1',
    'StatefulSet',
    {
      spec: {
        replicas: 0,
        selector,
        template,
        serviceName: 'a',
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
      },
    },
    {
      '.spec.selector': otherSelector,
      '.spec.serviceName': 'b',
      '.spec.podManagementPolicy': 'Parallel',
      '.spec.volumeClaimTemplates': [{ metadata: { name: 'other' }, spec: claim }],
      '.spec.minReadySeconds': 1,
      '.spec.ordinals': { start: 1 },
      '.spec.persistentVolumeClaimRetentionPolicy': { whenDeleted: 'Delete', whenScaled: 'Delete' },
      '.spec.revisionHistoryLimit': 3,
      '.spec.updateStrategy': { type: 'OnDelete' },
    },
  ),
  probe(
    'batch/v1',
    'Job',
    {
      spec: {
        suspend: true,
        completions: 2,
        manualSelector: true,
        selector,
        template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
      },
    },
    {
      '.spec.selector': otherSelector,
      '.spec.template': { ...template, spec: { containers: [{ name: 'main', image: 'two' }], restartPolicy: 'Never' } },
      '.spec.completions': 3,
      '.spec.completionMode': 'Indexed',
      '.spec.managedBy': 'example.com/other',
      '.spec.podFailurePolicy': {
        rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      },
      '.spec.podReplacementPolicy': 'Failed',
      '.spec.parallelism': 2,
      '.spec.backoffLimit': 1,
      '.spec.activeDeadlineSeconds': 60,
      '.spec.ttlSecondsAfterFinished': 60,
    },
  ),
  probe(
    'v1',
    'Pod',
    { spec: pod },
    {
      '.spec.nodeName': 'other',
      '.spec.nodeSelector': { disk: 'fast' },
      '.spec.affinity': { nodeAffinity: {} },
      '.spec.serviceAccountName': 'other',
      '.spec.restartPolicy': 'Never',
      '.spec.hostNetwork': true,
      '.spec.hostname': 'other',
      '.spec.schedulerName': 'other',
      '.spec.priorityClassName': 'system-node-critical',
      '.spec.securityContext': { runAsUser: 1000 },
      '.spec.volumes': [{ name: 'data', emptyDir: {} }],
      '.spec.initContainers': [{ name: 'init', image: 'one' }],
      '.spec.dnsPolicy': 'Default',
      '.spec.activeDeadlineSeconds': 60,
    },
  ),
  probe(
    'v1',
    'Service',
    { spec: { ports: [{ port: 80 }], selector: { app: 'a' } } },
    {
      '.spec.selector': { app: 'b' },
      '.spec.type': 'NodePort',
      '.spec.sessionAffinity': 'ClientIP',
      '.spec.clusterIP': 'None',
    },
  ),
  probe(
    'v1',
    'PersistentVolumeClaim',
    { spec: { ...claim, storageClassName: 'none' } },
    {
      '.spec.accessModes': ['ReadWriteMany'],
      '.spec.storageClassName': 'other',
      '.spec.volumeMode': 'Block',
      '.spec.selector': selector,
      '.spec.dataSource': { kind: 'PersistentVolumeClaim', name: 'other' },
    },
  ),
  probe(
    'v1',
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'none',
        hostPath: { path: '/a' },
      },
    },
    {
      '.spec.hostPath': { path: '/b' },
      '.spec.volumeMode': 'Block',
      '.spec.capacity': { storage: '2Gi' },
      '.spec.storageClassName': 'other',
      '.spec.persistentVolumeReclaimPolicy': 'Delete',
      '.spec.mountOptions': ['ro'],
    },
  ),
  probe(
    'v1',
    'Secret',
    { type: 'Opaque', data: { a: 'YQ==' } },
    { '.type': 'example.com/other', '.data': { a: 'Yg==' } },
  ),
  probe(
    'v1',
    'Secret',
    { immutable: true, data: { a: 'YQ==' } },
    { '.data': { a: 'Yg==' }, '.immutable': false },
    '.immutable',
  ),
  probe('v1', 'ConfigMap', { data: { a: 'a' } }, { '.data': { a: 'b' } }),
  probe(
    'v1',
    'ConfigMap',
    { immutable: true, data: { a: 'a' } },
    {
      '.data': { a: 'b' },
      '.binaryData': { b: 'Yg==' },
      '.immutable': false,
    },
    '.immutable',
  ),
  probe(
    'v1',
    'ResourceQuota',
    { spec: { hard: { pods: '1' }, scopes: ['BestEffort'] } },
    {
      '.spec.scopes': ['NotBestEffort'],
      '.spec.hard': { pods: '2' },
    },
  ),
  probe(
    'storage.k8s.io/v1',
    'StorageClass',
    { provisioner: 'example.com/a', parameters: { a: 'a' } },
    {
      '.provisioner': 'example.com/b',
      '.parameters': { a: 'b' },
      '.reclaimPolicy': 'Retain',
      '.volumeBindingMode': 'WaitForFirstConsumer',
      '.allowVolumeExpansion': true,
      '.mountOptions': ['ro'],
    },
  ),
  probe(
    'storage.k8s.io/v1',
    'VolumeAttributesClass',
    { driverName: 'example.com', parameters: { a: 'a' } },
    {
      '.driverName': 'example.org',
      '.parameters': { a: 'b' },
    },
  ),
  probe(
    'storage.k8s.io/v1',
    'CSIDriver',
    { spec: {} },
    {
      '.spec.attachRequired': false,
      '.spec.podInfoOnMount': true,
      '.spec.fsGroupPolicy': 'File',
      '.spec.volumeLifecycleModes': ['Ephemeral'],
      '.spec.storageCapacity': true,
    },
  ),
  probe('rbac.authorization.k8s.io/v1', 'RoleBinding', { roleRef: role }, { '.roleRef': otherRole }),
  probe('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', { roleRef: role }, { '.roleRef': otherRole }),
  probe(
    'networking.k8s.io/v1',
    'IngressClass',
    { spec: { controller: 'example.com/a' } },
    { '.spec.controller': 'example.com/b' },
  ),
  probe(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    { spec: { podSelector: selector } },
    { '.spec.podSelector': otherSelector },
  ),
  probe(
    'policy/v1',
    'PodDisruptionBudget',
    { spec: { selector, minAvailable: 1 } },
    { '.spec.selector': otherSelector },
  ),
  probe(
    'scheduling.k8s.io/v1',
    'PriorityClass',
    { value: 1 },
    { '.value': 2, '.preemptionPolicy': 'Never', '.description': 'other' },
  ),
  probe(
    'node.k8s.io/v1',
    'RuntimeClass',
    { handler: 'a' },
    { '.handler': 'b', '.overhead': { podFixed: { cpu: '1' } } },
  ),
  probe('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: [] }, { '.addressType': 'IPv6' }),
  probe('apps/v1', 'ControllerRevision', { revision: 1, data: { a: 1 } }, { '.data': { a: 2 }, '.revision': 2 }),
  probe('coordination.k8s.io/v1', 'Lease', { spec: { holderIdentity: 'a' } }, { '.spec.holderIdentity': 'b' }),
  {
    object: customResourceDefinition(),
    changes: { '.spec.scope': 'Cluster', '.spec.names.shortNames': ['lp'], '.spec.names.kind': 'Other' },
  },
]

function customResourceDefinition(): Record<string, unknown> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'probes.probe.lading.example.com' },
    spec: {
      group: 'probe.lading.example.com',
      scope: 'Namespaced',
      names: { plural: 'probes', singular: 'probe', kind: 'Probe', listKind: 'ProbeList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
}
