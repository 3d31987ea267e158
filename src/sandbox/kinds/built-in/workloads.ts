import { isDeepStrictEqual } from 'node:util'
import { isDnsLabel, isRecord, type KubeObject } from '../../../core/index.ts'
import type { Cause } from '../../status-error.ts'
import { partOf } from '../../object-parts.ts'
import { forbiddenField, immutable, invalidValue, notSupported, required } from '../causes.ts'
import type { Family } from '../family.ts'
import { ensurePart, numberOf, type Part, partsOf, textOf } from '../read.ts'
import { checkSelector, isEmptySelector, selects } from '../check-selector.ts'
import { claimCauses } from './storage.ts'
import { workloadDefaults } from './workload-defaults.ts'

/** Deployments, ReplicaSets, StatefulSets, DaemonSets and ReplicationControllers. */
export const workloads: Family = {
  defaults: workloadDefaults,
  checks: { 'apimachinery.pkg.apis.meta.v1.LabelSelector': checkSelector },
  kinds: {
    'apps/Deployment': {
      generation: true,
      countsAnnotations: true,
      statusKeeps: ['labels'],
      validate: validateDeployment,
    },
    'apps/ReplicaSet': {
      generation: true,
      validate: (object, old) => [
        ...validateNumbers(object, ['replicas', 'minReadySeconds']),
        ...validateTemplate(object),
        ...sameSelector(object, old),
      ],
    },
    'apps/StatefulSet': { generation: true, asChecked: withClaims, validate: validateStatefulSet },
    'apps/DaemonSet': {
      generation: true,
      complete: (object) => countTemplates(object, undefined),
      prepareUpdate: countTemplates,
      validate: validateDaemonSet,
    },
    '/ReplicationController': { generation: true, validate: validateController },
    'apps/ControllerRevision': {
      validate: (object, old) =>
        old === undefined || isDeepStrictEqual(object['data'], old['data'])
          ? []
          : [invalidValue('data', object['data'], immutable)],
    },
  },
}

/** Numbers of the spec that cannot be negative. */
export function validateNumbers(object: KubeObject, fields: readonly string[]): Cause[] {
  const spec = partOf(object, 'spec')
  return fields.flatMap((field) => {
    const value = numberOf(spec, field) ?? 0
    return value < 0 ? [invalidValue(`spec.${field}`, value, 'must be greater than or equal to 0')] : []
  })
}

/** Selector and template of a workload fit together, and its pods run for good. */
function validateTemplate(object: KubeObject): Cause[] {
  const spec = partOf(object, 'spec')
  const { selector } = spec
  const causes: Cause[] = []
  if (!isRecord(selector)) causes.push(required('spec.selector'))
  else if (isEmptySelector(selector)) {
    causes.push(invalidValue('spec.selector', selector, `empty selector is invalid for ${object.kind.toLowerCase()}`))
  }
  const labels = partOf(spec, 'template', 'metadata', 'labels')
  const selected = isRecord(selector) ? selects(selector, labels) : false
  if (selected === undefined) causes.push(invalidValue('spec.selector', selector, 'invalid label selector'))
  if (selected === false) {
    causes.push(invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'))
  }
  const pods = partOf(spec, 'template', 'spec')
  if (selected !== undefined && textOf(pods, 'restartPolicy') !== 'Always') {
    causes.push(notSupported('spec.template.spec.restartPolicy', pods['restartPolicy'], ['Always']))
  }
  if (selected !== undefined && pods['activeDeadlineSeconds'] !== undefined) {
    const why = `activeDeadlineSeconds in ${object.kind} is not Supported`
    causes.push(forbiddenField('spec.template.spec.activeDeadlineSeconds', why))
  }
  return causes
}

function sameSelector(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const selector = partOf(object, 'spec')['selector']
  if (old === undefined || isDeepStrictEqual(selector, partOf(old, 'spec')['selector'])) return []
  return [invalidValue('spec.selector', selector, immutable)]
}

function validateDeployment(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const spec = partOf(object, 'spec')
  const strategy = partOf(spec, 'strategy')
  const causes = [
    ...validateNumbers(object, ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds']),
    ...validateTemplate(object),
    ...sameSelector(object, old),
  ]
  const rolling = partOf(strategy, 'rollingUpdate')
  if (strategy['type'] === 'Recreate') {
    if (strategy['rollingUpdate'] !== undefined) {
      const why = "may not be specified when strategy `type` is 'Recreate'"
      causes.push(forbiddenField('spec.strategy.rollingUpdate', why))
    }
  } else if (strategy['type'] !== 'RollingUpdate') {
    causes.push(notSupported('spec.strategy', strategy, ['Recreate', 'RollingUpdate']))
  } else causes.push(...validateRolling(rolling, 'spec.strategy.rollingUpdate'))
  const deadline = numberOf(spec, 'progressDeadlineSeconds') ?? 0
  const ready = numberOf(spec, 'minReadySeconds') ?? 0
  if (deadline >= 0 && deadline <= ready) {
    causes.push(invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'))
  }
  return causes
}

function validateRolling(rolling: Part, path: string): Cause[] {
  const causes = ['maxUnavailable', 'maxSurge'].flatMap((field) =>
    isShare(rolling[field])
      ? []
      : [
          invalidValue(
            `${path}.${field}`,
            rolling[field],
            'a valid percent string must be a numeric string followed by an ending "%"',
          ),
        ],
  )
  if (isTooMuch(rolling['maxUnavailable'])) {
    causes.push(invalidValue(`${path}.maxUnavailable`, rolling['maxUnavailable'], 'must not be greater than 100%'))
  }
  if (isNothing(rolling['maxUnavailable']) && isNothing(rolling['maxSurge'])) {
    causes.push(invalidValue(`${path}.maxUnavailable`, rolling['maxUnavailable'], 'may not be 0 when `maxSurge` is 0'))
  }
  return causes
}

/** More than all cannot be unavailable. */
function isTooMuch(value: unknown): boolean {
  return typeof value === 'string' && /^\d+%$/.test(value) && Number.parseInt(value, 10) > 100
}

function isShare(value: unknown): boolean {
  return typeof value === 'string' ? /^\d+%$/.test(value) : typeof value === 'number' && value >= 0
}

function isNothing(value: unknown): boolean {
  return value === 0 || value === '0%' || value === undefined
}

/** The Pods of a StatefulSet get a volume for each claim, and their names from it. */
function withClaims(object: KubeObject): KubeObject {
  const spec = partOf(object, 'spec')
  const template = partOf(spec, 'template')
  const { hostname: _h, subdomain: _s, ...pods } = partOf(template, 'spec')
  const claims = partsOf(spec, 'volumeClaimTemplates').map((claim) => textOf(partOf(claim, 'metadata'), 'name'))
  const others = partsOf(pods, 'volumes').filter((volume) => !claims.includes(textOf(volume, 'name')))
  const volumes = [...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })), ...others]
  const completed = { ...template, spec: { ...pods, ...(volumes.length === 0 ? {} : { volumes }) } }
  return { ...object, spec: { ...spec, template: completed } }
}

const mutableOfStatefulSet = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
])

function validateStatefulSet(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const spec = partOf(object, 'spec')
  const causes = validateNumbers(object, ['replicas', 'minReadySeconds'])
  if (!['OrderedReady', 'Parallel'].includes(textOf(spec, 'podManagementPolicy'))) {
    causes.push(
      invalidValue('spec.podManagementPolicy', spec['podManagementPolicy'], 'must be OrderedReady or Parallel'),
    )
  }
  const strategy = partOf(spec, 'updateStrategy')
  if (strategy['type'] === 'OnDelete') {
    if (strategy['rollingUpdate'] !== undefined) {
      const why = "only allowed for updateStrategy 'RollingUpdate'"
      causes.push(invalidValue('spec.updateStrategy.rollingUpdate', strategy['rollingUpdate'], why))
    }
  } else if (strategy['type'] !== 'RollingUpdate') {
    causes.push(invalidValue('spec.updateStrategy', strategy, "must be 'RollingUpdate' or 'OnDelete'"))
  }
  causes.push(...validateTemplate(object), ...(old === undefined ? validateNewSet(spec) : []))
  if (old !== undefined && !isDeepStrictEqual(fixedSpec(spec), fixedSpec(partOf(old, 'spec')))) {
    const why = `updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`
    causes.push(forbiddenField('spec', why))
  }
  return causes
}

/** What cannot change later is looked at once. */
function validateNewSet(spec: Part): Cause[] {
  const service = textOf(spec, 'serviceName')
  const named = service === '' || isDnsLabel(service) ? [] : [invalidValue('spec.serviceName', service, labelMessage)]
  const claims = partsOf(spec, 'volumeClaimTemplates')
  return [
    ...named,
    ...claims.flatMap((claim, at) => claimCauses(partOf(claim, 'spec'), `spec.volumeClaimTemplates[${at}].spec`)),
  ]
}

const labelMessage = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'"

function fixedSpec(spec: Part): Part {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !mutableOfStatefulSet.has(field)))
}

function validateDaemonSet(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const causes = [
    ...validateNumbers(object, ['minReadySeconds', 'revisionHistoryLimit']),
    ...validateTemplate(object),
    ...sameSelector(object, old),
  ]
  const strategy = partOf(object, 'spec', 'updateStrategy')
  if (strategy['type'] === 'RollingUpdate') {
    causes.push(...validateRolling(partOf(strategy, 'rollingUpdate'), 'spec.updateStrategy.rollingUpdate'))
  } else if (strategy['type'] !== 'OnDelete') {
    causes.push(notSupported('spec.updateStrategy', strategy, ['OnDelete', 'RollingUpdate']))
  }
  return causes
}

const templateGeneration = 'deprecated.daemonset.template.generation'

/** How often the template of a DaemonSet changed still stands in an annotation, as in the API's first versions. */
function countTemplates(object: KubeObject, old: KubeObject | undefined): void {
  const annotations = ensurePart(ensurePart(object, 'metadata'), 'annotations')
  if (old === undefined) {
    annotations[templateGeneration] ??= '1'
    return
  }
  const before = Number(old.metadata.annotations?.[templateGeneration] ?? 0)
  const same = isDeepStrictEqual(partOf(object, 'spec')['template'], partOf(old, 'spec')['template'])
  annotations[templateGeneration] = String(same ? before : before + 1)
}

function validateController(object: KubeObject): Cause[] {
  const spec = partOf(object, 'spec')
  const causes = validateNumbers(object, ['replicas', 'minReadySeconds'])
  if (Object.keys(partOf(spec, 'selector')).length === 0) causes.push(required('spec.selector'))
  if (spec['template'] === undefined) return [...causes, required('spec.template')]
  const labels = partOf(spec, 'template', 'metadata', 'labels')
  if (selects({ matchLabels: spec['selector'] }, labels) === false) {
    causes.push(invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'))
  }
  if (textOf(partOf(spec, 'template', 'spec'), 'restartPolicy') !== 'Always') {
    causes.push(
      notSupported('spec.template.spec.restartPolicy', partOf(spec, 'template', 'spec')['restartPolicy'], ['Always']),
    )
  }
  return causes
}
