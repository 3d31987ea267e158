import { isDeepStrictEqual } from 'node:util'
import { type KubeObject, stringifyJson } from '../../../core/index.ts'
import { type Cause, forbidden } from '../../status-error.ts'
import { partOf } from '../../object-parts.ts'
import { forbiddenField, invalidValue } from '../causes.ts'
import type { Family } from '../family.ts'
import type { RuleEnv } from '../kind-rules.ts'
import { mountToken } from './pod-token.ts'
import { podDefaults } from './pod-defaults.ts'
import { podChecks } from './pod-checks.ts'
import { ensurePart, fill, numberOf, type Part, partsOf, textOf } from '../read.ts'

/** Pods and pod templates; what admission adds is added to Pods only. */
export const pods: Family = {
  defaults: podDefaults,
  checks: podChecks,
  kinds: {
    '/Pod': {
      generation: true,
      statusKeeps: ['ownerReferences'],
      prepareCreate(pod, env) {
        useServiceAccount(pod, env)
        setPriority(pod, env)
        tolerateNodes(partOf(pod, 'spec'))
        pod['status'] = { phase: 'Pending', qosClass: qosClass(partOf(pod, 'spec')) }
      },
      prepareUpdate: (pod) => tolerateNodes(partOf(pod, 'spec')),
      validate: (pod, old) => (old === undefined ? [] : validateChange(partOf(pod, 'spec'), partOf(old, 'spec'))),
    },
    '/PodTemplate': { generation: true },
  },
}

const podSubject = { group: '', resource: 'pods', kind: 'Pod' }

function useServiceAccount(pod: KubeObject, env: RuleEnv): void {
  const spec = ensurePart(pod, 'spec')
  const name = textOf(spec, 'serviceAccountName') || 'default'
  const account = env.find('/serviceaccounts', pod.metadata.namespace ?? '', name)
  // The account of a fresh namespace may not be there yet; nobody gains from a refusal for that.
  if (account === undefined && name !== 'default') {
    const why = `error looking up service account ${pod.metadata.namespace}/${name}: serviceaccount "${name}" not found`
    throw forbidden(podSubject, pod.metadata.name, why)
  }
  Object.assign(spec, { serviceAccountName: name, serviceAccount: name })
  const secrets = account?.['imagePullSecrets']
  if (secrets !== undefined) fill(spec, { imagePullSecrets: secrets })
  const mounts = spec['automountServiceAccountToken'] ?? account?.['automountServiceAccountToken']
  if (mounts !== false) mountToken(spec, String(pod.metadata.uid))
}

const systemPriorities: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
}

function setPriority(pod: KubeObject, env: RuleEnv): void {
  const spec = partOf(pod, 'spec')
  const name = textOf(spec, 'priorityClassName')
  const chosen =
    name === ''
      ? env.all('scheduling.k8s.io/priorityclasses').find((one) => one['globalDefault'] === true)
      : env.find('scheduling.k8s.io/priorityclasses', '', name)
  const value = numberOf(chosen, 'value') ?? systemPriorities[name]
  if (name !== '' && value === undefined) {
    throw forbidden(podSubject, pod.metadata.name, `no PriorityClass with name ${name} was found`)
  }
  const policy = textOf(chosen, 'preemptionPolicy') || 'PreemptLowerPriority'
  if (name === '' && chosen !== undefined) spec['priorityClassName'] = chosen.metadata.name
  checkPriority(pod, 'priority', value ?? 0)
  checkPriority(pod, 'preemptionPolicy', policy)
  Object.assign(spec, { priority: value ?? 0, preemptionPolicy: policy })
}

function checkPriority(pod: KubeObject, field: string, value: unknown): void {
  const given = partOf(pod, 'spec')[field]
  if (given === undefined || given === value) return
  const why = `the ${field} (${stringifyJson(given)}) must not be provided in pod spec; priority admission controller computed ${stringifyJson(value)}`
  throw forbidden(podSubject, pod.metadata.name, why)
}

/** Pods stay for five minutes on nodes that stop answering. */
function tolerateNodes(spec: Part): void {
  const given = partsOf(spec, 'tolerations')
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (taint) => !given.some((one) => tolerates(one, taint)),
  )
  if (missing.length === 0) return
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }))
  spec['tolerations'] = [...given, ...added]
}

function tolerates(toleration: Part, taint: string): boolean {
  const { key = '', effect = 'NoExecute' } = toleration
  return (key === taint || key === '') && effect === 'NoExecute'
}

function qosClass(spec: Part): string {
  const all = [...partsOf(spec, 'containers'), ...partsOf(spec, 'initContainers')].map((one) =>
    partOf(one, 'resources'),
  )
  const asks = (resources: Part): boolean =>
    ['cpu', 'memory'].some((name) => name in partOf(resources, 'limits') || name in partOf(resources, 'requests'))
  if (!all.some(asks)) return 'BestEffort'
  const guaranteed = all.every((resources) =>
    ['cpu', 'memory'].every((name) => {
      const limit = partOf(resources, 'limits')[name]
      return limit !== undefined && limit === partOf(resources, 'requests')[name]
    }),
  )
  return guaranteed ? 'Guaranteed' : 'Burstable'
}

/** Of a running Pod only images, the deadline and further tolerations may change. */
function validateChange(spec: Part, before: Part): Cause[] {
  const causes: Cause[] = []
  for (const list of ['containers', 'initContainers']) {
    if (partsOf(spec, list).length !== partsOf(before, list).length) {
      return [forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')]
    }
  }
  const deadline = numberOf(spec, 'activeDeadlineSeconds')
  const oldDeadline = numberOf(before, 'activeDeadlineSeconds')
  if (oldDeadline !== undefined && (deadline === undefined || deadline > oldDeadline)) {
    const why = 'must be less than or equal to previous value'
    causes.push(invalidValue('spec.activeDeadlineSeconds', deadline ?? null, why))
    if (deadline !== undefined) return causes
  }
  const kept = partsOf(before, 'tolerations').every((old) =>
    partsOf(spec, 'tolerations').some((one) => isDeepStrictEqual(one, old)),
  )
  if (!kept)
    causes.push(
      forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'),
    )
  const gates = new Set(partsOf(before, 'schedulingGates').map((gate) => gate['name']))
  partsOf(spec, 'schedulingGates').forEach((gate, index) => {
    if (gates.has(gate['name'])) return
    const why = 'only deletion is allowed, but found new scheduling gate'
    causes.push(forbiddenField(`spec.schedulingGates[${index}].name`, why))
  })
  if (!isDeepStrictEqual(fixedPart(spec, before), fixedPart(before, before))) {
    const fields =
      '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'
    causes.push(forbiddenField('spec', `pod updates may not change fields other than ${fields}`))
  }
  return causes
}

function fixedPart(spec: Part, before: Part): Part {
  const { activeDeadlineSeconds: _a, tolerations: _b, schedulingGates: _c, nodeName, ...fixed } = spec
  const imageless = (list: string): unknown => partsOf(spec, list).map(({ image: _, ...container }) => container)
  // The scheduler binds a Pod once.
  const bound = before['nodeName'] === undefined ? {} : { nodeName }
  return { ...fixed, ...bound, containers: imageless('containers'), initContainers: imageless('initContainers') }
}
