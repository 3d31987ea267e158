import type { KubeObject } from '../../../core/index.ts'
import { timestamp } from '../../backend.ts'
import { partOf, records, text } from '../../object-parts.ts'
import { conditionsOf, isTrue, replaceCondition } from '../conditions.ts'
import { type Controller, type ControllerEnv, type Key, ownKey } from '../controller.ts'
import { recordEvent } from '../events.ts'
import { meets } from '../../label-selector.ts'
import { isEnded } from './pod-factory.ts'
import { simulationOf } from './simulation.ts'
import { setStatus } from '../writes.ts'

const component = 'default-scheduler'

/** Puts Pods on nodes that take them. Nodes never fill up. */
export const scheduler: Controller = {
  name: 'scheduler',
  watches: {
    '/pods': (pod) => (text(partOf(pod, 'spec')['nodeName']) === '' ? ownKey(pod) : []),
    '/nodes': (_, __, index) =>
      index.inNamespace('/namespaces', '').flatMap((home) => unscheduled(home.metadata.name, index)),
    '/persistentvolumeclaims': (claim, _, index) => unscheduled(claim.metadata.namespace ?? '', index),
  },
  reconcile: (key, env) => {
    const pod = env.backend.store.get('/pods', key.namespace, key.name)
    if (pod === undefined || !isWaiting(pod)) return
    const spec = partOf(pod, 'spec')
    if (!['', component].includes(text(spec['schedulerName']))) return
    if (records(spec['schedulingGates']).length > 0) {
      const message = 'Scheduling is blocked due to non-empty scheduling gates'
      refuse(pod, 'SchedulingGated', message, env)
      return
    }
    const why = obstacle(pod, env)
    if (why === undefined) place(pod, env)
    else refuse(pod, 'Unschedulable', why, env)
  },
}

function place(pod: KubeObject, env: ControllerEnv): void {
  const nodes = env.index.inNamespace('/nodes', '')
  const fitting = nodes.filter((node) => fits(pod, node))
  // Pods are spread by their versions, which grow one by one.
  const node = fitting[Number(pod.metadata.resourceVersion) % fitting.length]
  if (node === undefined) {
    const message = `0/${nodes.length} nodes are available: ${nodes.length} node(s) didn't match Pod's node affinity/selector.`
    refuse(pod, 'Unschedulable', message, env)
    return
  }
  const { name } = node.metadata
  const now = timestamp(env.backend.clock)
  const generation = pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }
  const bound = { type: 'PodScheduled', ...generation, status: 'True', lastProbeTime: null }
  // A binding is no update of the Pod: nobody comes to own the node's name by it.
  env.backend.store.put('/pods', {
    ...pod,
    spec: { ...partOf(pod, 'spec'), nodeName: name },
    status: { ...partOf(pod, 'status'), conditions: replaceCondition(conditionsOf(pod), bound, now) },
  })
  const message = `Successfully assigned ${pod.metadata.namespace}/${pod.metadata.name} to ${name}`
  recordEvent(env.backend, component, pod, { type: 'Normal', reason: 'Scheduled', message })
}

function refuse(pod: KubeObject, reason: string, message: string, env: ControllerEnv): void {
  const generation = pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }
  const condition = { type: 'PodScheduled', ...generation, status: 'False', lastProbeTime: null, reason, message }
  const conditions = replaceCondition(conditionsOf(pod), condition, timestamp(env.backend.clock))
  const before = pod.metadata.resourceVersion
  const status = { ...partOf(pod, 'status'), phase: 'Pending', conditions }
  const after = setStatus(env.backend, 'kube-scheduler', pod, status)
  if (after.metadata.resourceVersion === before || reason === 'SchedulingGated') return
  recordEvent(env.backend, component, pod, { type: 'Warning', reason: 'FailedScheduling', message })
}

/** Why a Pod fits no node at all, whatever the nodes are. */
function obstacle(pod: KubeObject, { index }: ControllerEnv): string | undefined {
  const nodes = index.inNamespace('/nodes', '').length
  if (simulationOf(pod).behaviour === 'unschedulable') {
    return `0/${nodes} nodes are available: ${nodes} Insufficient cpu (simulated).`
  }
  for (const volume of records(partOf(pod, 'spec')['volumes'])) {
    const name = text(partOf(volume, 'persistentVolumeClaim')['claimName'])
    if (name === '') continue
    const claim = index.get('/persistentvolumeclaims', pod.metadata.namespace ?? '', name)
    if (claim === undefined) return `0/${nodes} nodes are available: persistentvolumeclaim "${name}" not found.`
    if (partOf(claim, 'status')['phase'] !== 'Bound') {
      return `0/${nodes} nodes are available: pod has unbound immediate PersistentVolumeClaims.`
    }
  }
  return undefined
}

/** Whether a node would take a Pod: ready, not closed, its labels wanted and its taints tolerated. */
export function fits(pod: Record<string, unknown>, node: KubeObject): boolean {
  const spec = partOf(pod, 'spec')
  const labels = node.metadata.labels ?? {}
  if (!isTrue(node, 'Ready')) return false
  for (const [key, value] of Object.entries(partOf(spec, 'nodeSelector'))) if (labels[key] !== value) return false
  const required = partOf(spec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution')
  const terms = records(required['nodeSelectorTerms'])
  const fields = { 'metadata.name': node.metadata.name }
  const wanted = terms.some(
    (term) =>
      records(term['matchExpressions']).every((requirement) => meets(requirement, labels)) &&
      records(term['matchFields']).every((requirement) => meets(requirement, fields)),
  )
  if (terms.length > 0 && !wanted) return false
  const closed = partOf(node, 'spec')['unschedulable'] === true
  const taints = [
    ...records(partOf(node, 'spec')['taints']),
    ...(closed ? [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] : []),
  ]
  return taints.every((taint) => taint['effect'] === 'PreferNoSchedule' || tolerates(spec, taint))
}

function tolerates(spec: Record<string, unknown>, taint: Record<string, unknown>): boolean {
  return records(spec['tolerations']).some((toleration) => {
    const { key = '', operator = 'Equal', value = '', effect = '' } = toleration
    if (effect !== '' && effect !== taint['effect']) return false
    if (operator === 'Exists') return key === '' || key === taint['key']
    return key === taint['key'] && value === (taint['value'] ?? '')
  })
}

function unscheduled(namespace: string, index: ControllerEnv['index']): Key[] {
  return index.inNamespace('/pods', namespace).filter(isWaiting).flatMap(ownKey)
}

function isWaiting(pod: KubeObject): boolean {
  return text(partOf(pod, 'spec')['nodeName']) === '' && pod.metadata.deletionTimestamp === undefined && !isEnded(pod)
}
