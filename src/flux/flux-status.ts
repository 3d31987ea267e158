import { isRecord, type KubeObject } from '../core/index.ts'
import type { DeploymentCondition, DeploymentStatus } from '../deployment/index.ts'
import { requestedAtAnnotation, rollbackAnnotation } from './flux-kinds.ts'

/** How Flux is doing with an object. */
export interface FluxState {
  readonly status: DeploymentStatus
  readonly suspended: boolean
  readonly message: string
  readonly conditions: readonly DeploymentCondition[]
  readonly updatedAt: string
}

/** What the conditions and generations of a Flux object come to. */
export function fluxState(object: KubeObject): FluxState {
  const conditions = conditionsOf(object)
  const shown = conditions.find(({ type }) => type === 'Stalled' || type === 'Ready')
  return {
    status: statusOf(object, conditions),
    suspended: isRecord(object['spec']) && object['spec']['suspend'] === true,
    message: (isTrue(conditions, 'Stalled') ?? conditions.find(({ type }) => type === 'Ready') ?? shown)?.message ?? '',
    conditions: conditions.map(({ observedGeneration: _, ...condition }) => condition),
    updatedAt: latest(object, conditions),
  }
}

interface Condition extends DeploymentCondition {
  readonly observedGeneration: number | undefined
}

function statusOf(object: KubeObject, conditions: readonly Condition[]): DeploymentStatus {
  const { deletionTimestamp, generation = 0, annotations = {} } = object.metadata
  if (deletionTimestamp !== undefined) return 'deleting'
  if (conditions.length === 0) return 'pending'
  if (isTrue(conditions, 'Stalled') !== undefined) return 'failed'
  const ready = conditions.find(({ type }) => type === 'Ready')
  const status = isRecord(object['status']) ? object['status'] : {}
  const observed = ready?.observedGeneration ?? status['observedGeneration']
  if (ready?.status === 'False' && observed === generation) {
    if (ready.reason === 'DependencyNotReady') return 'pending'
    // An object that fails and is tried again stays Ready=False; only the reason says that nothing has failed yet.
    if (!progressReasons.has(ready.reason)) return 'failed'
  }
  return isDone(object, status, conditions) ? 'deployed' : underWay(annotations)
}

function underWay(annotations: Readonly<Record<string, string>>): DeploymentStatus {
  return annotations[rollbackAnnotation] === undefined ? 'deploying' : 'rolling-back'
}

/** Whether the controller is ready with the spec as it is, and with the last request to look at it. */
function isDone(
  { metadata: { generation = 0, annotations = {} } }: KubeObject,
  status: Readonly<Record<string, unknown>>,
  conditions: readonly Condition[],
): boolean {
  const requested = annotations[requestedAtAnnotation]
  const isHandled = requested === undefined || requested === status['lastHandledReconcileAt']
  const isReady = isTrue(conditions, 'Ready') !== undefined && status['observedGeneration'] === generation
  return isReady && isHandled && isTrue(conditions, 'Reconciling') === undefined
}

const progressReasons: ReadonlySet<string> = new Set(['Progressing', 'ProgressingWithRetry'])

function isTrue(conditions: readonly Condition[], wanted: string): Condition | undefined {
  return conditions.find(({ type, status }) => type === wanted && status === 'True')
}

function conditionsOf(object: KubeObject): Condition[] {
  const found = isRecord(object['status']) ? object['status']['conditions'] : undefined
  if (!Array.isArray(found)) return []
  return found.filter(isRecord).map((one) => ({
    type: textOf(one['type']),
    status: textOf(one['status']),
    reason: textOf(one['reason']),
    message: textOf(one['message']),
    lastTransitionTime: textOf(one['lastTransitionTime']),
    observedGeneration: typeof one['observedGeneration'] === 'number' ? one['observedGeneration'] : undefined,
  }))
}

function latest(object: KubeObject, conditions: readonly Condition[]): string {
  const times = conditions.map(({ lastTransitionTime }) => lastTransitionTime)
  return [object.metadata.creationTimestamp ?? '', ...times].sort().at(-1) ?? ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
