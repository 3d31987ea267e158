import type { KubeObject } from '../../core/index.ts'
import {
  ageColumn,
  at,
  column,
  type Column,
  containersText,
  itemsAt,
  labelsText,
  nameColumn,
  numberAt,
  selectorText,
  sizeAt,
  textAt,
  wide,
} from './column.ts'
import { ageSince, humanDuration } from './human-duration.ts'

const template = ['spec', 'template', 'spec']
const containers = wide('Containers', (object) => containersText(at(object, ...template), 'name'))
const images = wide('Images', (object) => containersText(at(object, ...template), 'image'))
const selector = wide('Selector', (object) => selectorText(at(object, 'spec', 'selector')))

/** The table of Deployments. */
export const deploymentColumns: readonly Column[] = [
  nameColumn,
  column('Ready', (object) => `${status(object, 'readyReplicas')}/${desired(object)}`),
  column('Up-to-date', (object) => status(object, 'updatedReplicas')),
  column('Available', (object) => status(object, 'availableReplicas')),
  ageColumn,
  containers,
  images,
  selector,
]

/** The table of ReplicaSets. */
export const replicaSetColumns: readonly Column[] = [
  nameColumn,
  column('Desired', desired, 'integer'),
  column('Current', (object) => status(object, 'replicas'), 'integer'),
  column('Ready', (object) => status(object, 'readyReplicas'), 'integer'),
  ageColumn,
  containers,
  images,
  selector,
]

/** The table of ReplicationControllers, whose selectors are plain maps. */
export const replicationControllerColumns: readonly Column[] = [
  ...replicaSetColumns.slice(0, -1),
  wide('Selector', (object) => labelsText(at(object, 'spec', 'selector'))),
]

/** The table of StatefulSets. */
export const statefulSetColumns: readonly Column[] = [
  nameColumn,
  column('Ready', (object) => `${status(object, 'readyReplicas')}/${desired(object)}`),
  ageColumn,
  containers,
  images,
]

/** The table of DaemonSets. */
export const daemonSetColumns: readonly Column[] = [
  nameColumn,
  column('Desired', (object) => status(object, 'desiredNumberScheduled'), 'integer'),
  column('Current', (object) => status(object, 'currentNumberScheduled'), 'integer'),
  column('Ready', (object) => status(object, 'numberReady'), 'integer'),
  column('Up-to-date', (object) => status(object, 'updatedNumberScheduled'), 'integer'),
  column('Available', (object) => status(object, 'numberAvailable'), 'integer'),
  column('Node Selector', (object) => labelsText(at(object, ...template, 'nodeSelector'))),
  ageColumn,
  containers,
  images,
  selector,
]

/** The table of Jobs. */
export const jobColumns: readonly Column[] = [
  nameColumn,
  column('Status', jobStatus),
  column('Completions', (job) => {
    const succeeded = status(job, 'succeeded')
    const completions = at(job, 'spec', 'completions')
    if (typeof completions === 'number') return `${succeeded}/${completions}`
    const parallelism = numberAt(job, ['spec', 'parallelism'])
    return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
  }),
  column('Duration', (job, now) => {
    const start = Date.parse(textAt(job, ['status', 'startTime']))
    const end = Date.parse(textAt(job, ['status', 'completionTime']))
    return Number.isNaN(start) ? '' : humanDuration((Number.isNaN(end) ? now : end) - start)
  }),
  ageColumn,
  containers,
  images,
  selector,
]

const jobTemplate = ['spec', 'jobTemplate', 'spec']

/** The table of CronJobs. */
export const cronJobColumns: readonly Column[] = [
  nameColumn,
  column('Schedule', (job) => textAt(job, ['spec', 'schedule'])),
  column('Timezone', (job) => textAt(job, ['spec', 'timeZone'], '<none>')),
  column('Suspend', (job) => (at(job, 'spec', 'suspend') === true ? 'True' : 'False'), 'boolean'),
  column('Active', (job) => sizeAt(job, 'status', 'active'), 'integer'),
  column('Last Schedule', (job, now) => {
    const last = at(job, 'status', 'lastScheduleTime')
    return last === undefined ? '<none>' : ageSince(last, now)
  }),
  ageColumn,
  wide('Containers', (job) => containersText(at(job, ...jobTemplate, 'template', 'spec'), 'name')),
  wide('Images', (job) => containersText(at(job, ...jobTemplate, 'template', 'spec'), 'image')),
  wide('Selector', (job) => selectorText(at(job, ...jobTemplate, 'selector'))),
]

/** The table of ControllerRevisions. */
export const controllerRevisionColumns: readonly Column[] = [
  nameColumn,
  column('Controller', (object) => {
    const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true)
    if (owner === undefined) return '<none>'
    const [group, version] = owner.apiVersion.split('/')
    return `${owner.kind.toLowerCase()}${version === undefined ? '' : `.${group}`}/${owner.name}`
  }),
  column('Revision', (object) => numberAt(object, ['revision'])),
  ageColumn,
]

/** The table of HorizontalPodAutoscalers. */
export const autoscalerColumns: readonly Column[] = [
  nameColumn,
  column('Reference', (object) => {
    const target = at(object, 'spec', 'scaleTargetRef')
    return `${textAt(target, ['kind'])}/${textAt(target, ['name'])}`
  }),
  column('Targets', targets),
  column('MinPods', (object) => {
    const min = at(object, 'spec', 'minReplicas')
    return typeof min === 'number' ? String(min) : '<unset>'
  }),
  column('MaxPods', (object) => numberAt(object, ['spec', 'maxReplicas'])),
  column('Replicas', (object) => status(object, 'currentReplicas')),
  ageColumn,
]

/** The table of PodDisruptionBudgets. */
export const disruptionBudgetColumns: readonly Column[] = [
  nameColumn,
  column('Min Available', (object) => countOrPercent(at(object, 'spec', 'minAvailable'))),
  column('Max Unavailable', (object) => countOrPercent(at(object, 'spec', 'maxUnavailable'))),
  column('Allowed Disruptions', (object) => status(object, 'disruptionsAllowed'), 'integer'),
  ageColumn,
]

function desired(object: KubeObject): number {
  return numberAt(object, ['spec', 'replicas'])
}

function status(object: KubeObject, field: string): number {
  return numberAt(object, ['status', field])
}

function countOrPercent(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : 'N/A'
}

function jobStatus(job: KubeObject): string {
  const has = (type: string): boolean =>
    itemsAt(job, 'status', 'conditions').some((one) => one['type'] === type && one['status'] === 'True')
  if (has('Complete')) return 'Complete'
  if (has('Failed')) return 'Failed'
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating'
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running'
}

// The sandbox measures nothing, so what is used now is known only where somebody wrote it into the status.
function targets(object: KubeObject): string {
  const cpu = at(object, 'spec', 'targetCPUUtilizationPercentage')
  if (typeof cpu === 'number') {
    const used = at(object, 'status', 'currentCPUUtilizationPercentage')
    return `cpu: ${typeof used === 'number' ? `${used}%` : '<unknown>'}/${cpu}%`
  }
  const current = itemsAt(object, 'status', 'currentMetrics')
  const texts = itemsAt(object, 'spec', 'metrics').map((metric, index) => {
    const name = textAt(metric, ['resource', 'name'])
    if (name === '') return '<unknown>/<auto>'
    const now = at(current[index], 'resource', 'current')
    const wanted = at(metric, 'resource', 'target')
    const percent = at(wanted, 'averageUtilization')
    if (typeof percent !== 'number') {
      return `${name}: ${textAt(now, ['averageValue'], '<unknown>')}/${textAt(wanted, ['averageValue'])}`
    }
    const used = at(now, 'averageUtilization')
    return `${name}: ${typeof used === 'number' ? `${used}%` : '<unknown>'}/${percent}%`
  })
  if (texts.length === 0) return '<none>'
  return texts.length > 2 ? `${texts.slice(0, 2).join(', ')} + ${texts.length - 2} more...` : texts.join(', ')
}
