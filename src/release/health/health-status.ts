import { isRecord, type KubeObject, type ObjectRef, refOf } from '../../core/index.ts'
import type { ObjectStatus } from '../../schema/index.ts'

/** How well something does: `progressing` is on its way, `degraded` runs but not as it should, `failed` needs help. */
export type HealthState = 'healthy' | 'progressing' | 'degraded' | 'failed'

/** The health of one object. */
export interface ObjectHealth {
  readonly ref: ObjectRef
  readonly state: HealthState
  readonly message: string
  /** Replicas that are ready, of workloads. */
  readonly ready?: number
  /** Replicas that are wanted, of workloads. */
  readonly desired?: number
  /** How the check that the object declares ended, where checks were run. */
  readonly check?: { readonly passed: boolean; readonly message: string }
}

/** The health of a set: its worst object's. */
export interface HealthStatus {
  readonly state: HealthState
  readonly objects: readonly ObjectHealth[]
}

/** The health of a set of objects. */
export function healthOfSet(objects: readonly ObjectHealth[]): HealthStatus {
  const worst = ranks.findLast((state) => objects.some((object) => object.state === state))
  return { state: worst ?? 'healthy', objects }
}

const ranks: readonly HealthState[] = ['healthy', 'progressing', 'degraded', 'failed']

/** The health of a live object with its status. */
export function healthOf(object: KubeObject, status: ObjectStatus): ObjectHealth {
  const counts = replicasOf(object)
  return { ref: refOf(object), state: stateOf(object, status), message: status.message, ...counts }
}

function stateOf(object: KubeObject, { status }: ObjectStatus): HealthState {
  switch (status) {
    case 'Current':
      return 'healthy'
    case 'Failed':
      return 'failed'
    case 'InProgress':
      return isRolledOut(object) ? 'degraded' : 'progressing'
    case 'Terminating':
    case 'NotFound':
      return 'degraded'
    case 'Unknown':
      return 'progressing'
  }
}

/** A Deployment whose rollout was complete and that now has too few pods is not on its way anywhere: it lost them. */
function isRolledOut(object: KubeObject): boolean {
  const { kind, apiVersion } = object
  if (kind !== 'Deployment' || !apiVersion.startsWith('apps/')) return false
  const { conditions, observedGeneration } = partOf(object, 'status')
  if (typeof observedGeneration === 'number' && observedGeneration < (object.metadata.generation ?? 0)) return false
  if (!Array.isArray(conditions)) return false
  return conditions.some(
    (each) => isRecord(each) && each['type'] === 'Progressing' && each['reason'] === 'NewReplicaSetAvailable',
  )
}

/** How many replicas a workload wants and has ready; empty for everything else. */
export function replicasOf(object: KubeObject): { ready?: number; desired?: number } {
  const spec = partOf(object, 'spec')
  const status = partOf(object, 'status')
  switch (`${object.apiVersion.split('/')[0]} ${object.kind}`) {
    case 'apps Deployment':
    case 'apps StatefulSet':
    case 'apps ReplicaSet':
      return { ready: countOf(status['readyReplicas'], 0), desired: countOf(spec['replicas'], 1) }
    case 'apps DaemonSet':
      return { ready: countOf(status['numberReady'], 0), desired: countOf(status['desiredNumberScheduled'], 0) }
    case 'batch Job':
      return { ready: countOf(status['succeeded'], 0), desired: countOf(spec['completions'], 1) }
    default:
      return {}
  }
}

function partOf(object: KubeObject, field: 'spec' | 'status'): Record<string, unknown> {
  const part = object[field]
  return isRecord(part) ? part : {}
}

function countOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
