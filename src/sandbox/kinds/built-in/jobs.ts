import { isDeepStrictEqual } from 'node:util'
import { isRecord, type KubeObject } from '../../../core/index.ts'
import type { Cause } from '../../status-error.ts'
import { partOf } from '../../object-parts.ts'
import { immutable, invalidValue, notSupported, required } from '../causes.ts'
import type { Family } from '../family.ts'
import { ensurePart, fill, type Part, partsOf, textOf } from '../read.ts'
import { selects } from '../check-selector.ts'
import { validateNumbers } from './workloads.ts'

/** Jobs and CronJobs. */
export const jobs: Family = {
  kinds: {
    'batch/Job': { generation: true, prepareCreate: selectOwnPods, validate: validateJob },
    'batch/CronJob': { generation: true, validate: validateCronJob },
  },
}

/** The pods of a Job are found by labels that hold its uid, unless the Job selects them itself. */
function selectOwnPods(job: KubeObject): void {
  const spec = ensurePart(job, 'spec')
  if (spec['manualSelector'] === true) return
  const uid = String(job.metadata.uid)
  const { name } = job.metadata
  const labels = ensurePart(ensurePart(ensurePart(spec, 'template'), 'metadata'), 'labels')
  fill(labels, {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  })
  if (Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = { ...labels } as Record<string, string>
  const selector = ensurePart(spec, 'selector')
  fill(ensurePart(selector, 'matchLabels'), { 'batch.kubernetes.io/controller-uid': uid })
}

function validateJob(job: KubeObject, old: KubeObject | undefined): Cause[] {
  const spec = partOf(job, 'spec')
  const causes = validateJobSpec(job)
  const uid = String(job.metadata.uid)
  const labels = partOf(spec, 'template', 'metadata', 'labels')
  if (spec['manualSelector'] !== true && old === undefined) {
    if (labels['batch.kubernetes.io/controller-uid'] !== uid) {
      causes.push(invalidValue('spec.template.metadata.labels', labels, `must be '${uid}'`))
    }
    const own = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } }
    if (!isDeepStrictEqual(spec['selector'], own))
      causes.push(invalidValue('spec.selector', spec['selector'], '`selector` not auto-generated'))
  }
  if (!isRecord(spec['selector'])) causes.push(required('spec.selector'))
  if (!isRecord(spec['selector']) || selects(spec['selector'], labels) === false) {
    causes.push(invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'))
  }
  if (old !== undefined) causes.push(...validateJobChange(spec, partOf(old, 'spec')))
  return causes
}

function validateJobSpec(job: KubeObject): Cause[] {
  const numbers = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished']
  const spec = partOf(job, 'spec')
  const uncounted = spec['completionMode'] === 'Indexed' && spec['completions'] === undefined
  const indexed = uncounted ? [required('spec.completions', 'when completion mode is Indexed')] : []
  return [...validateNumbers(job, numbers), ...indexed, ...validateRestarts(spec, 'spec')]
}

function validateRestarts(spec: Part, path: string): Cause[] {
  const field = `${path}.template.spec.restartPolicy`
  const policy = textOf(partOf(spec, 'template', 'spec'), 'restartPolicy')
  if (policy === 'Always') return [required(field, 'valid values: "OnFailure", "Never"')]
  if (policy === 'Never' || policy === 'OnFailure') return []
  return [notSupported(field, policy, ['OnFailure', 'Never'])]
}

function validateJobChange(spec: Part, before: Part): Cause[] {
  const causes = [
    'selector',
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ]
    .filter((field) => !isDeepStrictEqual(spec[field], before[field]))
    .map((field) => invalidValue(`spec.${field}`, spec[field] ?? null, immutable))
  if (spec['completions'] !== before['completions'] && !scalesIndexed(spec)) {
    causes.push(invalidValue('spec.completions', spec['completions'] ?? null, immutable))
  }
  const suspended = before['suspend'] === true && spec['suspend'] !== false
  const fixed = (one: unknown): unknown => (suspended ? withoutScheduling(one) : one)
  if (!isDeepStrictEqual(fixed(spec['template']), fixed(before['template']))) {
    causes.push(invalidValue('spec.template', '', immutable))
  }
  return causes
}

function scalesIndexed(spec: Part): boolean {
  return spec['completionMode'] === 'Indexed' && spec['completions'] === spec['parallelism']
}

/** Where the pods of a suspended Job run may still change, and what they ask for. */
function withoutScheduling(template: unknown): Part {
  const { metadata = {}, spec = {} } = partOf(template) as { metadata?: Part; spec?: Part }
  const { labels: _a, annotations: _b, ...meta } = metadata
  const { affinity: _c, nodeSelector: _d, tolerations: _e, schedulingGates: _f, ...pods } = spec
  const bare = (list: string): Part[] => partsOf(pods, list).map(({ resources: _, ...container }) => container)
  return { meta, pods: { ...pods, containers: bare('containers'), initContainers: bare('initContainers') } }
}

function validateCronJob(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const spec = partOf(object, 'spec')
  const causes = validateRestarts(partOf(spec, 'jobTemplate', 'spec'), 'spec.jobTemplate.spec')
  // A timestamp is appended to the names of its Jobs.
  if (old === undefined && object.metadata.name.length > 52) {
    causes.push(invalidValue('metadata.name', object.metadata.name, 'must be no more than 52 characters'))
  }
  const schedule = textOf(spec, 'schedule')
  if (schedule !== '' && !isSchedule(schedule)) {
    causes.push(invalidValue('spec.schedule', schedule, 'expected exactly 5 fields'))
  }
  const zone = spec['timeZone']
  if (typeof zone === 'string' && !isTimeZone(zone)) {
    causes.push(invalidValue('spec.timeZone', zone, `unknown time zone ${zone}`))
  }
  return [
    ...causes,
    ...validateNumbers(object, ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit']),
  ]
}

const scheduleField = /^(\*|\?|[\dA-Za-z]+(-[\dA-Za-z]+)?)(\/\d+)?(,(\*|[\dA-Za-z]+(-[\dA-Za-z]+)?)(\/\d+)?)*$/

function isSchedule(text: string): boolean {
  if (text.startsWith('@')) {
    return (
      /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/.test(text) ||
      /^@every (\d+(\.\d+)?(ns|us|ms|s|m|h))+$/.test(text)
    )
  }
  const fields = text.trim().split(/\s+/)
  return fields.length === 5 && fields.every((field) => scheduleField.test(field))
}

function isTimeZone(zone: string): boolean {
  if (zone === '' || zone.toLowerCase() === 'local') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
