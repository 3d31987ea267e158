import fc from '../testing/fast-check.ts'
import { type Config, metadata, named, some, withSpec, words } from './random-values.ts'
import type { Verb } from './random-writes.ts'
import { cronJobs, deployments, jobs, pods, statefulSets } from './random-workloads.ts'

/** A kind of which random configurations are written. */
export interface RandomKind {
  readonly kind: string
  readonly apiVersion: string
  readonly resource: string
  /** What is written of an object, without its identity. */
  readonly configs: fc.Arbitrary<Config>
  /** Controllers of a real cluster write its status whenever they like. */
  readonly controlled?: boolean
  /** Ways to write that are left out. */
  readonly without?: readonly Verb[]
}

/** The kinds that are compared, those with the most different lists and maps first. */
export const randomKinds: readonly RandomKind[] = [
  { kind: 'ConfigMap', apiVersion: 'v1', resource: 'configmaps', configs: configMaps() },
  {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    resource: 'deployments',
    configs: deployments(),
    controlled: true,
  },
  { kind: 'Service', apiVersion: 'v1', resource: 'services', configs: services() },
  { kind: 'Secret', apiVersion: 'v1', resource: 'secrets', configs: secrets() },
  { kind: 'Ingress', apiVersion: 'networking.k8s.io/v1', resource: 'ingresses', configs: ingresses() },
  { kind: 'NetworkPolicy', apiVersion: 'networking.k8s.io/v1', resource: 'networkpolicies', configs: policies() },
  {
    kind: 'StatefulSet',
    apiVersion: 'apps/v1',
    resource: 'statefulsets',
    configs: statefulSets(),
    controlled: true,
    // Its Pods are not what is looked at, and its status can only grow.
    without: ['scale', 'put-status'],
  },
  {
    kind: 'Job',
    apiVersion: 'batch/v1',
    resource: 'jobs',
    configs: jobs(),
    controlled: true,
    // The garbage collector takes its time to leave the Pods alone.
    without: ['delete'],
  },
  { kind: 'CronJob', apiVersion: 'batch/v1', resource: 'cronjobs', configs: cronJobs(), controlled: true },
  {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    resource: 'horizontalpodautoscalers',
    configs: autoscalers(),
    controlled: true,
  },
  {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    resource: 'persistentvolumeclaims',
    configs: claims(),
    controlled: true,
    // A controller takes its time to let go of it.
    without: ['delete'],
  },
  { kind: 'Pod', apiVersion: 'v1', resource: 'pods', configs: pods(), controlled: true },
  { kind: 'Role', apiVersion: 'rbac.authorization.k8s.io/v1', resource: 'roles', configs: roles() },
  {
    kind: 'PodDisruptionBudget',
    apiVersion: 'policy/v1',
    resource: 'poddisruptionbudgets',
    configs: budgets(),
    controlled: true,
  },
  { kind: 'ServiceAccount', apiVersion: 'v1', resource: 'serviceaccounts', configs: accounts() },
]

function configMaps(): fc.Arbitrary<Config> {
  const data = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', ''), { maxKeys: 3 })
  return some({ metadata: metadata(), data })
}

function secrets(): fc.Arbitrary<Config> {
  const keys = fc.constantFrom('a', 'b')
  return some({
    metadata: metadata(),
    data: fc.dictionary(keys, fc.constantFrom('MQ==', 'Mg==', ''), { maxKeys: 2 }),
    stringData: fc.dictionary(keys, fc.constantFrom('1', '3'), { maxKeys: 1 }),
    type: fc.constantFrom('Opaque', 'example.com/own'),
  })
}

function services(): fc.Arbitrary<Config> {
  const port = some(
    {
      name: fc.constantFrom('a', 'b'),
      port: fc.constantFrom(80, 81),
      targetPort: fc.constantFrom(80, 'web'),
      protocol: fc.constantFrom('TCP', 'UDP'),
    },
    ['name', 'port'],
  )
  const ports = fc.uniqueArray(port, {
    comparator: (a, b) => a['name'] === b['name'] || (a['port'] === b['port'] && a['protocol'] === b['protocol']),
    minLength: 1,
    maxLength: 2,
  })
  const labels = fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('a', 'b'), { maxKeys: 2 })
  return withSpec(some({ ports, selector: labels, sessionAffinity: fc.constantFrom('None', 'ClientIP') }, ['ports']))
}

function ingresses(): fc.Arbitrary<Config> {
  const backend = fc.constantFrom(
    { service: { name: 'a', port: { number: 80 } } },
    { service: { name: 'b', port: { name: 'http' } } },
  )
  const path = fc.record({ path: fc.constantFrom('/', '/x'), pathType: fc.constantFrom('Prefix', 'Exact'), backend })
  const rule = some({
    host: fc.constantFrom('a.example', '*.b.example'),
    http: fc.record({ paths: fc.array(path, { minLength: 1, maxLength: 2 }) }),
  })
  const spec = {
    ingressClassName: fc.constantFrom('nginx', 'other'),
    defaultBackend: backend,
    rules: fc.array(rule, { maxLength: 2 }),
    tls: fc.array(some({ hosts: words('a.example', 'c.example'), secretName: fc.constantFrom('s', 't') }), {
      maxLength: 1,
    }),
  }
  const status = fc.constantFrom({}, { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } })
  return some({ metadata: metadata(), spec: some(spec), status }, ['spec'])
}

function policies(): fc.Arbitrary<Config> {
  const port = some({ port: fc.constantFrom(80, 'web'), protocol: fc.constantFrom('TCP', 'UDP') })
  const peer = fc.constantFrom({ podSelector: {} }, { ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.0/28'] } })
  const ingress = some({ from: fc.array(peer, { maxLength: 2 }), ports: fc.array(port, { maxLength: 2 }) })
  const spec = {
    podSelector: fc.constantFrom({}, { matchLabels: { app: 'x' } }),
    policyTypes: words('Ingress', 'Egress'),
    ingress: fc.array(ingress, { maxLength: 1 }),
    egress: fc.constantFrom([], [{}], [{ to: [{ namespaceSelector: {} }] }]),
  }
  return withSpec(some(spec, ['podSelector']))
}

function autoscalers(): fc.Arbitrary<Config> {
  const target = fc.constantFrom(
    { type: 'Utilization', averageUtilization: 80 },
    { type: 'AverageValue', averageValue: '1' },
  )
  const metric = fc.record({
    type: fc.constant('Resource'),
    resource: fc.record({ name: fc.constantFrom('cpu', 'memory'), target }),
  })
  const policy = { type: 'Pods', value: 1, periodSeconds: 60 }
  const spec = {
    minReplicas: fc.constantFrom(1, 2),
    maxReplicas: fc.constantFrom(1, 3),
    scaleTargetRef: fc.constantFrom({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' }),
    metrics: fc.array(metric, { maxLength: 2 }),
    behavior: fc.constantFrom({ scaleDown: { stabilizationWindowSeconds: 60 } }, { scaleUp: { policies: [policy] } }),
  }
  return withSpec(some(spec, ['maxReplicas', 'scaleTargetRef']))
}

function claims(): fc.Arbitrary<Config> {
  const spec = {
    storageClassName: fc.constant('none'),
    accessModes: fc.constantFrom(['ReadWriteOnce'], ['ReadWriteOnce'], ['ReadWriteMany', 'ReadOnlyMany']),
    resources: fc.record({ requests: fc.record({ storage: fc.constantFrom('1Gi', '1024Mi', '2Gi') }) }),
    volumeMode: fc.constantFrom('Filesystem', 'Filesystem', 'Block'),
    selector: fc.constantFrom({}, { matchLabels: { disk: 'fast' } }),
  }
  return withSpec(some(spec, ['storageClassName', 'accessModes', 'resources']))
}

function roles(): fc.Arbitrary<Config> {
  const rule = some(
    {
      apiGroups: fc.constantFrom([''], ['apps'], []),
      resources: words('pods', 'deployments'),
      verbs: words('get', 'list'),
      resourceNames: words('a'),
    },
    ['verbs'],
  )
  return some({ metadata: metadata(), rules: fc.array(rule, { maxLength: 2 }) })
}

function budgets(): fc.Arbitrary<Config> {
  const amount = fc.constantFrom(1, '50%', 2)
  const policy = fc.constantFrom('IfHealthyBudget', 'AlwaysAllow')
  const labels = fc.constantFrom(
    { matchLabels: { app: 'x' } },
    { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
  )
  return withSpec(
    some({ minAvailable: amount, maxUnavailable: amount, selector: labels, unhealthyPodEvictionPolicy: policy }),
  )
}

function accounts(): fc.Arbitrary<Config> {
  return some({
    metadata: metadata(),
    secrets: named(fc.record({ name: fc.constantFrom('a', 'b') })),
    imagePullSecrets: named(fc.record({ name: fc.constantFrom('a', 'b', 'c') })),
    automountServiceAccountToken: fc.boolean(),
  })
}
