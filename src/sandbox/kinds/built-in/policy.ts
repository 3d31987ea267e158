import { isDnsLabel, isQualifiedName, type KubeObject } from '../../../core/index.ts'
import type { Cause } from '../../status-error.ts'
import { partOf } from '../../object-parts.ts'
import { duplicate, forbiddenField, immutable, invalidValue, notSupported } from '../causes.ts'
import type { Family } from '../family.ts'
import { quantityAmount } from '../quantity.ts'
import { numberOf, type Part, partsOf, textOf } from '../read.ts'
import { frozen } from './storage.ts'

/** Budgets, quotas, limits, autoscalers, classes of priority and of runtimes. */
export const policy: Family = {
  checks: { 'core.v1.LimitRangeSpec': checkLimits },
  kinds: {
    'policy/PodDisruptionBudget': { generation: true, validate: validateBudget },
    '/ResourceQuota': { validate: validateQuota },
    'autoscaling/HorizontalPodAutoscaler': { validate: validateAutoscaler },
    'scheduling.k8s.io/PriorityClass': {
      prepareCreate: (object) => (object.metadata.generation = 1),
      validate: validatePriority,
    },
    'node.k8s.io/RuntimeClass': { validate: validateRuntime },
    'coordination.k8s.io/Lease': { validate: validateLease },
    '/Event': { validate: validateEvent },
    '/Node': { complete: completeNode, prepareCreate: taintNew },
  },
}

function validateBudget(budget: KubeObject): Cause[] {
  const spec = partOf(budget, 'spec')
  const fields = ['minAvailable', 'maxUnavailable']
  const causes = fields
    .filter((field) => !isShare(spec[field]))
    .map((field) => invalidValue(`spec.${field}`, spec[field], shareMessage))
  if (fields.every((field) => spec[field] !== undefined)) {
    causes.push(invalidValue('spec', '', 'minAvailable and maxUnavailable cannot be both set'))
  }
  return causes
}

const shareMessage = 'must be a non-negative number or a percentage up to 100%'

function isShare(value: unknown): boolean {
  if (value === undefined) return true
  if (typeof value === 'number') return value >= 0
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined
  return percent !== undefined && Number(percent) <= 100
}

const countable = new Set([
  'cpu',
  'memory',
  'storage',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'services',
  'services.nodeports',
  'services.loadbalancers',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
])

const scopes = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
  'VolumeAttributesClass',
]

function validateQuota(quota: KubeObject, old: KubeObject | undefined): Cause[] {
  const spec = partOf(quota, 'spec')
  const causes: Cause[] = []
  for (const [name, quantity] of Object.entries(partOf(spec, 'hard'))) {
    const known = countable.has(name) || (name.includes('/') && isQualifiedName(name))
    if (!known) causes.push(invalidValue(`spec.hard[${name}]`, name, 'must be a standard resource for quota'))
    if ((quantityAmount(quantity) ?? 0n) < 0n)
      causes.push(invalidValue(`spec.hard[${name}]`, quantity, 'must be greater than or equal to 0'))
  }
  const given = (spec['scopes'] ?? []) as string[]
  if (given.some((scope) => !scopes.includes(scope)))
    causes.push(invalidValue('spec.scopes', given, 'unsupported scope'))
  const changed = frozen(spec, old && partOf(old, 'spec'), ['scopes'], (field, value) =>
    invalidValue(`spec.${field}`, value, immutable),
  )
  return [...causes, ...changed]
}

function checkLimits(spec: Part, path: string, causes: Cause[]): void {
  const seen = new Set<string>()
  partsOf(spec, 'limits').forEach((item, index) => {
    const at = `${path}limits[${index}].`
    const type = textOf(item, 'type')
    if (!['Container', 'Pod', 'PersistentVolumeClaim'].includes(type) && !isQualifiedName(type)) {
      causes.push(invalidValue(`${at}type`, type, 'must be a standard limit type or fully qualified'))
    } else if (seen.has(type)) causes.push(duplicate(`${at}type`, type))
    seen.add(type)
    checkOrder(item, at, causes)
  })
}

/** Minimum, default request, default and maximum must not contradict each other. */
function checkOrder(item: Part, at: string, causes: Cause[]): void {
  const amount = (list: string, name: string): bigint | undefined => quantityAmount(partOf(item, list)[name])
  const pairs: [string, string, string][] = [
    ['min', 'max', 'min'],
    ['min', 'defaultRequest', 'defaultRequest'],
    ['min', 'default', 'default'],
    ['defaultRequest', 'max', 'defaultRequest'],
    ['defaultRequest', 'default', 'defaultRequest'],
    ['default', 'max', 'default'],
  ]
  const names = new Set(['min', 'max', 'default', 'defaultRequest'].flatMap((list) => Object.keys(partOf(item, list))))
  for (const name of names) {
    for (const [lower, upper, blamed] of pairs) {
      const low = amount(lower, name)
      const high = amount(upper, name)
      if (low === undefined || high === undefined || low <= high) continue
      causes.push(
        invalidValue(`${at}${blamed}[${name}]`, partOf(item, blamed)[name], `${lower} is greater than ${upper}`),
      )
    }
  }
}

function validateAutoscaler(autoscaler: KubeObject): Cause[] {
  const spec = partOf(autoscaler, 'spec')
  const causes: Cause[] = []
  const max = numberOf(spec, 'maxReplicas') ?? 0
  const min = numberOf(spec, 'minReplicas') ?? 1
  if (min < 1) causes.push(invalidValue('spec.minReplicas', min, 'must be greater than or equal to 1'))
  if (max < 1) causes.push(invalidValue('spec.maxReplicas', max, 'must be greater than 0'))
  if (max < min) causes.push(invalidValue('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`'))
  const target = partOf(spec, 'scaleTargetRef')
  if (textOf(target, 'apiVersion') === '') {
    causes.push(invalidValue('spec.scaleTargetRef.apiVersion', '', 'must specify a group and version'))
  }
  const types = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']
  partsOf(spec, 'metrics').forEach((metric, index) => {
    const type = textOf(metric, 'type')
    if (type !== '' && !types.includes(type)) causes.push(notSupported(`spec.metrics[${index}].type`, type, types))
  })
  return causes
}

function validatePriority(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const { name } = object.metadata
  const causes: Cause[] = []
  if (
    old === undefined &&
    name.startsWith('system-') &&
    !['system-node-critical', 'system-cluster-critical'].includes(name)
  ) {
    causes.push(
      forbiddenField('metadata.name', "priority class names with 'system-' prefix are reserved for system use only"),
    )
  }
  const value = numberOf(object, 'value') ?? 0
  if (value > 1_000_000_000 && !name.startsWith('system-')) {
    causes.push(forbiddenField('value', 'maximum allowed value of a user defined priority is 1000000000'))
  }
  return [
    ...causes,
    ...frozen(object, old, ['value'], (field) => forbiddenField(field, 'may not be changed in an update.')),
    ...frozen(object, old, ['preemptionPolicy'], (field, changed) => invalidValue(field, changed, immutable)),
  ]
}

function validateRuntime(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const handler = textOf(object, 'handler')
  return [
    ...(handler === '' || isDnsLabel(handler) ? [] : [invalidValue('handler', handler, 'must be a DNS label')]),
    ...frozen(object, old, ['handler'], (field, value) => invalidValue(field, value, immutable)),
  ]
}

function validateLease(lease: KubeObject): Cause[] {
  const spec = partOf(lease, 'spec')
  const causes: Cause[] = []
  const duration = numberOf(spec, 'leaseDurationSeconds') ?? 1
  if (duration <= 0) causes.push(invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0'))
  const transitions = numberOf(spec, 'leaseTransitions') ?? 0
  if (transitions < 0)
    causes.push(invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'))
  return causes
}

function validateEvent(event: KubeObject): Cause[] {
  const namespace = textOf(partOf(event, 'involvedObject'), 'namespace')
  const own = event.metadata.namespace
  const good = namespace === own || (namespace === '' && own === 'default')
  return good ? [] : [invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace')]
}

/** The old field for the range of addresses and the new one say the same. */
function completeNode(node: KubeObject): void {
  const spec = partOf(node, 'spec')
  if (spec['podCIDR'] !== undefined) spec['podCIDRs'] ??= [spec['podCIDR']]
}

function taintNew(node: KubeObject): void {
  const spec = partOf(node, 'spec')
  const key = 'node.kubernetes.io/not-ready'
  const taints = partsOf(spec, 'taints')
  if (!taints.some((taint) => taint['key'] === key)) spec['taints'] = [...taints, { key, effect: 'NoSchedule' }]
}
