import type { KubeObject } from '../../../core/index.ts'
import { number, partOf, text } from '../../object-parts.ts'
import { isAvailable, isReady } from './availability.ts'
import { type Controller, type ControllerEnv, controllerKey, type Key, ownKey } from '../controller.ts'
import { pruneControllerRevisions, type Revisions, syncRevisions, templateOf } from './controller-revisions.ts'
import { claim, isEnded } from '../pods/pod-factory.ts'
import { createStatefulPod, deleteStatefulPod, ordinalOf } from './stateful-pods.ts'
import { setStatus } from '../writes.ts'

const collection = 'apps/statefulsets'
const revisionLabel = 'controller-revision-hash'

/** Runs the Pods of a StatefulSet one after the other, each with its own name and volumes. */
export const statefulSetController: Controller = {
  name: 'statefulset',
  watches: { [collection]: ownKey, '/pods': controllerKey('StatefulSet') },
  reconcile: (key, env) => {
    const set = env.backend.store.get(collection, key.namespace, key.name)
    if (set === undefined) return
    const revisions = syncRevisions(set, 'controller.kubernetes.io/hash', env)
    const current = currentRevision(set, revisions)
    if (set.metadata.deletionTimestamp === undefined) move(set, key, current, revisions.update, env)
    const status = writeStatus(set, key, current, revisions.update, env)
    const live = new Set([revisions.update.metadata.name, text(status['currentRevision'])])
    for (const pod of env.index.controlled(set, '/pods')) live.add(revisionOf(pod))
    pruneControllerRevisions(set, revisions.all, live, env)
  },
}

/** One step: create what is missing, then delete what is too much, then replace what is outdated. */
function move(set: KubeObject, key: Key, current: KubeObject, update: KubeObject, env: ControllerEnv): void {
  const spec = partOf(set, 'spec')
  const first = number(partOf(spec, 'ordinals')['start'], 0)
  const end = first + number(spec['replicas'], 1)
  const ordered = spec['podManagementPolicy'] !== 'Parallel'
  const healthy = (pod: KubeObject): boolean =>
    pod.metadata.deletionTimestamp === undefined && isAvailable(pod, number(spec['minReadySeconds'], 0), key, env)
  const pods = new Map(claim(env, set, '/pods').map((pod) => [ordinalOf(pod), pod]))
  for (let ordinal = first; ordinal < end; ordinal += 1) {
    const pod = pods.get(ordinal)
    if (pod !== undefined && isEnded(pod) && pod.metadata.deletionTimestamp === undefined) {
      deleteStatefulPod(set, pod, env)
      return
    }
    if (pod === undefined) {
      const revision = needsCurrent(set, ordinal - first) ? current : update
      const name = revision.metadata.name
      if (!createStatefulPod(set, ordinal, templateOf(revision), { [revisionLabel]: name }, env)) {
        env.after(5000, key)
        return
      }
      if (ordered) return
    } else if (ordered && !healthy(pod)) return
  }
  const condemned = [...pods.values()].filter((pod) => ordinalOf(pod) < first || ordinalOf(pod) >= end)
  for (const pod of condemned.sort((a, b) => ordinalOf(b) - ordinalOf(a))) {
    if (pod.metadata.deletionTimestamp === undefined) deleteStatefulPod(set, pod, env)
    if (ordered) return
  }
  if (condemned.length === 0) replaceOutdated(set, { first, end }, pods, update, healthy, env)
}

function replaceOutdated(
  set: KubeObject,
  { first, end }: { first: number; end: number },
  pods: ReadonlyMap<number, KubeObject>,
  update: KubeObject,
  healthy: (pod: KubeObject) => boolean,
  env: ControllerEnv,
): void {
  const strategy = partOf(set, 'spec', 'updateStrategy')
  if (strategy['type'] === 'OnDelete') return
  const partition = first + number(partOf(strategy, 'rollingUpdate')['partition'], 0)
  for (let ordinal = end - 1; ordinal >= partition; ordinal -= 1) {
    const pod = pods.get(ordinal)
    if (pod === undefined) return
    if (revisionOf(pod) !== update.metadata.name && pod.metadata.deletionTimestamp === undefined) {
      deleteStatefulPod(set, pod, env)
      return
    }
    if (!healthy(pod)) return
  }
}

function writeStatus(
  set: KubeObject,
  key: Key,
  current: KubeObject,
  update: KubeObject,
  env: ControllerEnv,
): Record<string, unknown> {
  const spec = partOf(set, 'spec')
  const pods = env.index.controlled(set, '/pods').filter((pod) => !isEnded(pod))
  const alive = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined)
  const ready = pods.filter(isReady)
  const minReady = number(spec['minReadySeconds'], 0)
  const available = ready.filter((pod) => isAvailable(pod, minReady, key, env)).length
  const updated = alive.filter((pod) => revisionOf(pod) === update.metadata.name).length
  const onCurrent = alive.filter((pod) => revisionOf(pod) === current.metadata.name).length
  const rolling = partOf(spec, 'updateStrategy')['type'] !== 'OnDelete'
  // A rolling update is over when every Pod is of the new revision and ready; then the new is the current one.
  const done = rolling && updated === pods.length && ready.length === pods.length
  const currentReplicas = done ? updated : onCurrent
  const status = {
    observedGeneration: set.metadata.generation ?? 1,
    replicas: pods.length,
    ...(ready.length === 0 ? {} : { readyReplicas: ready.length }),
    ...(currentReplicas === 0 ? {} : { currentReplicas }),
    ...(updated === 0 ? {} : { updatedReplicas: updated }),
    currentRevision: (done ? update : current).metadata.name,
    updateRevision: update.metadata.name,
    collisionCount: number(partOf(set, 'status')['collisionCount'], 0),
    availableReplicas: available,
  }
  setStatus(env.backend, 'kube-controller-manager', set, status)
  return status
}

function currentRevision(set: KubeObject, { all, update }: Revisions): KubeObject {
  const { currentRevision: name } = partOf(set, 'status')
  return all.find((revision) => revision.metadata.name === name) ?? update
}

/** Whether a Pod that is made anew is still to be of the current revision. */
function needsCurrent(set: KubeObject, position: number): boolean {
  const strategy = partOf(set, 'spec', 'updateStrategy')
  if (strategy['type'] === 'OnDelete') return false
  const { partition } = partOf(strategy, 'rollingUpdate')
  return position < number(partition, number(partOf(set, 'status')['currentReplicas'], 0))
}

function revisionOf(pod: KubeObject): string {
  return pod.metadata.labels?.[revisionLabel] ?? ''
}
