import { gvkOf, isRecord, type KubeObject, type ObjectRef, parseApiVersion, refOf } from '../../core/index.ts'

/** A set without the replica counts that its autoscalers decide. */
export interface AutoscaledSet {
  readonly objects: readonly KubeObject[]
  /** Workloads whose `spec.replicas` was left out. */
  readonly dropped: readonly ObjectRef[]
}

/**
 * Leaves `spec.replicas` out of workloads that a HorizontalPodAutoscaler of the same set scales: applying it would undo
 * the autoscaler's decision at every apply, which Flux avoids in the same way.
 */
export function dropAutoscaledReplicas(objects: readonly KubeObject[]): AutoscaledSet {
  const targets = new Set(objects.flatMap(scaleTarget))
  if (targets.size === 0) return { objects, dropped: [] }
  const dropped: ObjectRef[] = []
  const kept = objects.map((object) => {
    const spec = object['spec']
    if (!isRecord(spec) || !('replicas' in spec) || !targets.has(workloadKey(object))) return object
    const { replicas: _, ...rest } = spec
    dropped.push(refOf(object))
    return { ...object, spec: rest }
  })
  return { objects: kept, dropped }
}

function scaleTarget(object: KubeObject): string[] {
  const { group, kind } = gvkOf(object)
  if (group !== 'autoscaling' || kind !== 'HorizontalPodAutoscaler' || !isRecord(object['spec'])) return []
  const target = object['spec']['scaleTargetRef']
  if (!isRecord(target) || typeof target['kind'] !== 'string' || typeof target['name'] !== 'string') return []
  const { apiVersion, kind: targetKind, name } = target
  const targetGroup = typeof apiVersion === 'string' ? parseApiVersion(apiVersion).group : ''
  return [key(object.metadata.namespace, targetGroup, targetKind, name)]
}

function workloadKey(object: KubeObject): string {
  const { group, kind } = gvkOf(object)
  return key(object.metadata.namespace, group, kind, object.metadata.name)
}

function key(namespace: string | undefined, group: string, kind: string, name: string): string {
  return `${namespace ?? ''}/${group}/${kind}/${name}`
}
