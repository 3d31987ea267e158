import { setOwn } from '../../clone.ts'
import { partOf } from '../../object-parts.ts'
import type { Complete } from '../family.ts'
import { ensurePart, fill, type Part, partsOf } from '../read.ts'

/** Defaults of everything that runs no pods and is no Service. */
export const apiDefaults: Readonly<Record<string, Complete>> = {
  'core.v1.Namespace': completeNamespace,
  'core.v1.Secret': completeSecret,
  'core.v1.PersistentVolume': (volume) => {
    fill(ensurePart(volume, 'spec'), { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' })
    fill(ensurePart(volume, 'status'), { phase: 'Pending' })
  },
  'core.v1.PersistentVolumeClaim': (claim) => fill(ensurePart(claim, 'status'), { phase: 'Pending' }),
  'core.v1.EndpointPort': (port) => fill(port, { protocol: 'TCP' }),
  'core.v1.LimitRangeItem': completeLimits,
  'core.v1.NodeStatus': (status) => {
    if (status['capacity'] !== undefined) fill(status, { allocatable: status['capacity'] })
  },
  'storage.v1.StorageClass': (storage) => fill(storage, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  'storage.v1.CSIDriverSpec': (spec) =>
    fill(spec, {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
    }),
  'networking.v1.NetworkPolicyPort': (port) => fill(port, { protocol: 'TCP' }),
  'networking.v1.NetworkPolicySpec': (spec) =>
    fill(spec, { policyTypes: spec['egress'] === undefined ? ['Ingress'] : ['Ingress', 'Egress'] }),
  'networking.v1.IngressClassParametersReference': (reference) => fill(reference, { scope: 'Cluster' }),
  'discovery.v1.EndpointPort': (port) => fill(port, { name: '', protocol: 'TCP' }),
  'rbac.v1.RoleBinding': completeBinding,
  'rbac.v1.ClusterRoleBinding': completeBinding,
  'rbac.v1.Subject': (subject) => {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') fill(subject, { apiGroup: rbacGroup })
  },
  'scheduling.v1.PriorityClass': (priority) => fill(priority, { preemptionPolicy: 'PreemptLowerPriority' }),
  'autoscaling.v1.HorizontalPodAutoscalerSpec': (spec) => fill(spec, { minReplicas: 1 }),
  'autoscaling.v2.HorizontalPodAutoscalerSpec': completeAutoscaler,
  'admissionregistration.v1.ValidatingWebhook': completeWebhook,
  'admissionregistration.v1.MutatingWebhook': (webhook) => {
    completeWebhook(webhook)
    fill(webhook, { reinvocationPolicy: 'Never' })
  },
  'admissionregistration.v1.RuleWithOperations': (rule) => fill(rule, { scope: '*' }),
  'admissionregistration.v1.NamedRuleWithOperations': (rule) => fill(rule, { scope: '*' }),
  'admissionregistration.v1.ServiceReference': (reference) => fill(reference, { port: 443 }),
  'admissionregistration.v1.ValidatingAdmissionPolicySpec': (spec) => fill(spec, { failurePolicy: 'Fail' }),
  'admissionregistration.v1.MatchResources': (match) =>
    fill(match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }),
  'flowcontrol.v1.FlowSchemaSpec': (spec) => {
    if (spec['matchingPrecedence'] === 0) spec['matchingPrecedence'] = 1000
  },
  'flowcontrol.v1.ExemptPriorityLevelConfiguration': (level) =>
    fill(level, { nominalConcurrencyShares: 0, lendablePercent: 0 }),
  'flowcontrol.v1.LimitedPriorityLevelConfiguration': (level) =>
    fill(level, { nominalConcurrencyShares: 30, lendablePercent: 0 }),
  'kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference': (reference) => fill(reference, { port: 443 }),
}

const rbacGroup = 'rbac.authorization.k8s.io'

function completeNamespace(namespace: Part): void {
  const metadata = ensurePart(namespace, 'metadata')
  const { name } = metadata
  if (name !== '') ensurePart(metadata, 'labels')['kubernetes.io/metadata.name'] = name
}

/** What is written as text is kept as data, over what is there. */
function completeSecret(secret: Part): void {
  fill(secret, { type: 'Opaque' })
  const { stringData } = secret
  if (stringData === undefined) return
  const data = ensurePart(secret, 'data')
  for (const [key, text] of Object.entries(stringData as Record<string, string>)) {
    setOwn(data, key, Buffer.from(text).toString('base64'))
  }
  delete secret['stringData']
}

function completeLimits(item: Part): void {
  if (item['type'] !== 'Container') return
  const limits: Part = { ...partOf(item, 'max'), ...partOf(item, 'default') }
  const requests: Part = { ...partOf(item, 'min'), ...limits, ...partOf(item, 'defaultRequest') }
  if (Object.keys(limits).length > 0) item['default'] = limits
  if (Object.keys(requests).length > 0) item['defaultRequest'] = requests
}

function completeBinding(binding: Part): void {
  const role = partOf(binding, 'roleRef')
  if (role['apiGroup'] === '') role['apiGroup'] = rbacGroup
}

function completeAutoscaler(spec: Part): void {
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } }
  fill(spec, { minReplicas: 1, metrics: [{ type: 'Resource', resource: cpu }] })
  if (spec['behavior'] === undefined) return
  const behavior = partOf(spec, 'behavior')
  fill(ensurePart(behavior, 'scaleUp'), {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  })
  fill(ensurePart(behavior, 'scaleDown'), {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
  })
}

function completeWebhook(webhook: Part): void {
  fill(webhook, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  })
  for (const rule of partsOf(webhook, 'rules')) fill(rule, { scope: '*' })
}
