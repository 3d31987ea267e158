import { compareText, defined, type KubeObject } from '../../../core/index.ts'
import { timestamp } from '../../backend.ts'
import { StatusError } from '../../status-error.ts'
import { number, partOf, text } from '../../object-parts.ts'
import { isAvailable, isReady } from './availability.ts'
import { conditionsOf, withCondition, withoutCondition } from '../conditions.ts'
import { type Controller, type ControllerEnv, controllerKey, type Key, ownKey } from '../controller.ts'
import { claim, createPod, deletePod, isActive, podFromTemplate } from '../pods/pod-factory.ts'
import { selects } from '../../label-selector.ts'
import { controllerOf, type ObjectIndex } from '../object-index.ts'
import { setStatus } from '../writes.ts'

const collection = 'apps/replicasets'
const component = 'replicaset-controller'
const retryMs = 5000

/** Keeps as many Pods as a ReplicaSet asks for. */
export const replicaSetController: Controller = {
  name: 'replicaset',
  watches: {
    [collection]: ownKey,
    '/pods': (pod, previous, index, at, gone) =>
      controllerOf(pod) === undefined
        ? [
            ...(previous === undefined ? [] : controllerKey('ReplicaSet')(previous, undefined, index, at, gone)),
            ...adopters(pod, index),
          ]
        : controllerKey('ReplicaSet')(pod, previous, index, at, gone),
  },
  reconcile: (key, env) => {
    const set = env.backend.store.get(collection, key.namespace, key.name)
    if (set === undefined) return
    const refused = set.metadata.deletionTimestamp === undefined ? scale(set, env) : undefined
    writeStatus(set, key, refused, env)
    // Whatever stands in the way (a quota, a namespace's policy) may be gone by then.
    if (refused !== undefined) env.after(retryMs, key)
  },
}

function scale(set: KubeObject, env: ControllerEnv): StatusError | undefined {
  const pods = claim(env, set, '/pods').filter(isActive)
  const missing = number(partOf(set, 'spec')['replicas'], 1) - pods.length
  if (missing < 0) {
    for (const pod of pods.sort(byExpendability).slice(0, -missing)) deletePod(env, component, set, pod)
    return undefined
  }
  for (let made = 0; made < missing; made += 1) {
    const pod = createPod(env, component, set, podFromTemplate(set, partOf(set, 'spec', 'template')))
    if (pod instanceof StatusError) return pod
  }
  return undefined
}

function writeStatus(set: KubeObject, key: Key, refused: StatusError | undefined, env: ControllerEnv): void {
  const { backend, index } = env
  const { template, minReadySeconds } = partOf(set, 'spec')
  const all = index.controlled(set, '/pods')
  const pods = all.filter(isActive)
  const labels = { matchLabels: partOf(template, 'metadata', 'labels') }
  const ready = pods.filter(isReady)
  const available = ready.filter((pod) => isAvailable(pod, number(minReadySeconds, 0), key, env))
  const now = timestamp(backend.clock)
  const conditions =
    refused === undefined
      ? withoutCondition(conditionsOf(set), 'ReplicaFailure')
      : withCondition(conditionsOf(set), {
          type: 'ReplicaFailure',
          status: 'True',
          reason: 'FailedCreate',
          message: refused.message,
          lastTransitionTime: now,
        })
  const counts = {
    fullyLabeledReplicas: pods.filter((pod) => selects(labels, pod)).length,
    readyReplicas: ready.length,
    availableReplicas: available.length,
  }
  setStatus(backend, 'kube-controller-manager', set, {
    replicas: pods.length,
    ...defined(
      Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count === 0 ? undefined : count])),
    ),
    terminatingReplicas: all.filter((pod) => pod.metadata.deletionTimestamp !== undefined).length,
    observedGeneration: set.metadata.generation ?? 1,
    ...(conditions.length > 0 ? { conditions } : {}),
  })
}

function adopters(pod: KubeObject, index: ObjectIndex): Key[] {
  const { namespace = '', labels } = pod.metadata
  if (labels === undefined) return []
  return index
    .inNamespace(collection, namespace)
    .filter((set) => selects(partOf(set, 'spec')['selector'], pod))
    .map((set) => ({ namespace, name: set.metadata.name }))
}

/** Which Pods go first: unscheduled, not running, not ready, cheap by annotation, young. */
function byExpendability(a: KubeObject, b: KubeObject): number {
  return (
    Number(text(partOf(a, 'spec')['nodeName']) !== '') - Number(text(partOf(b, 'spec')['nodeName']) !== '') ||
    phaseRank(a) - phaseRank(b) ||
    Number(isReady(a)) - Number(isReady(b)) ||
    deletionCost(a) - deletionCost(b) ||
    compareText(b.metadata.creationTimestamp ?? '', a.metadata.creationTimestamp ?? '') ||
    Number(b.metadata.resourceVersion) - Number(a.metadata.resourceVersion)
  )
}

function phaseRank(pod: KubeObject): number {
  return ['Pending', 'Unknown', 'Running'].indexOf(text(partOf(pod, 'status')['phase']))
}

function deletionCost(pod: KubeObject): number {
  return Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0) || 0
}
