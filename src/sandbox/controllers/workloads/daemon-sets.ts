import type { KubeObject } from '../../../core/index.ts'
import { number, partOf, records, text } from '../../object-parts.ts'
import { isAvailable, isReady } from './availability.ts'
import { type Controller, type ControllerEnv, controllerKey, type Key, ownKey } from '../controller.ts'
import { pruneControllerRevisions, syncRevisions } from './controller-revisions.ts'
import { claim, createPod, deletePod, isEnded, podFromTemplate } from '../pods/pod-factory.ts'
import { scaled } from './rollout.ts'
import { fits } from '../pods/scheduler.ts'
import { type NewObject, setStatus } from '../writes.ts'

const collection = 'apps/daemonsets'
const component = 'daemonset-controller'
const hashLabel = 'controller-revision-hash'

/** Runs one Pod of a DaemonSet on every node that takes it. */
export const daemonSetController: Controller = {
  name: 'daemonset',
  watches: {
    [collection]: ownKey,
    '/pods': controllerKey('DaemonSet'),
    '/nodes': (_, __, index) =>
      index
        .inNamespace('/namespaces', '')
        .flatMap((home) => index.inNamespace(collection, home.metadata.name).flatMap(ownKey)),
  },
  reconcile: (key, env) => {
    const set = env.backend.store.get(collection, key.namespace, key.name)
    if (set === undefined) return
    const { all, update } = syncRevisions(set, hashLabel, env)
    const hash = update.metadata.labels?.[hashLabel] ?? ''
    const nodes = env.index.inNamespace('/nodes', '').filter((node) => fits(podFor(set, node, hash), node))
    if (set.metadata.deletionTimestamp === undefined) {
      placePods(set, nodes, hash, env)
      replaceOutdated(set, key, nodes, hash, env)
    }
    writeStatus(set, key, nodes, hash, env)
    const hashes = new Set(env.index.controlled(set, '/pods').map((pod) => pod.metadata.labels?.[hashLabel]))
    const live = all.filter((revision) => hashes.has(revision.metadata.labels?.[hashLabel]) || revision === update)
    pruneControllerRevisions(set, all, new Set(live.map((revision) => revision.metadata.name)), env)
  },
}

function placePods(set: KubeObject, nodes: readonly KubeObject[], hash: string, env: ControllerEnv): void {
  const byNode = Map.groupBy(claim(env, set, '/pods'), targetOf)
  for (const node of nodes) {
    const [first, ...surplus] = (byNode.get(node.metadata.name) ?? []).filter((pod) => !isEnded(pod))
    if (first === undefined) createPod(env, component, set, podFor(set, node, hash))
    for (const pod of surplus) if (pod.metadata.deletionTimestamp === undefined) deletePod(env, component, set, pod)
  }
  const wanted = new Set(nodes.map((node) => node.metadata.name))
  for (const [node, pods] of byNode) {
    for (const pod of pods) {
      const misplaced = !wanted.has(node) || isEnded(pod)
      if (misplaced && pod.metadata.deletionTimestamp === undefined) deletePod(env, component, set, pod)
    }
  }
}

function replaceOutdated(
  set: KubeObject,
  key: Key,
  nodes: readonly KubeObject[],
  hash: string,
  env: ControllerEnv,
): void {
  const strategy = partOf(set, 'spec', 'updateStrategy')
  if (strategy['type'] === 'OnDelete') return
  const { maxUnavailable = 1, maxSurge = 0 } = partOf(strategy, 'rollingUpdate')
  // A surge would run two Pods on a node for a moment; here old ones go first, as many as would have been surged.
  const allowed = scaled(maxUnavailable, nodes.length, Math.ceil) || scaled(maxSurge, nodes.length, Math.ceil)
  const pods = env.index.controlled(set, '/pods')
  const minReady = number(partOf(set, 'spec')['minReadySeconds'], 0)
  const up = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && isAvailable(pod, minReady, key, env))
  let room = Math.max(1, allowed) - (nodes.length - up.length)
  for (const pod of pods) {
    if (isOf(pod, hash) || pod.metadata.deletionTimestamp !== undefined) continue
    const counts = up.includes(pod)
    // What does not work may be replaced without taking anything away.
    if (counts && room <= 0) continue
    deletePod(env, component, set, pod)
    if (counts) room -= 1
  }
}

function writeStatus(set: KubeObject, key: Key, nodes: readonly KubeObject[], hash: string, env: ControllerEnv): void {
  const names = new Set(nodes.map((node) => node.metadata.name))
  const pods = env.index.controlled(set, '/pods').filter((pod) => !isEnded(pod))
  const placed = pods.filter((pod) => names.has(targetOf(pod)))
  const minReady = number(partOf(set, 'spec')['minReadySeconds'], 0)
  const available = placed.filter((pod) => isAvailable(pod, minReady, key, env)).length
  const updated = placed.filter((pod) => isOf(pod, hash)).length
  const unavailable = nodes.length - available
  setStatus(env.backend, 'kube-controller-manager', set, {
    currentNumberScheduled: new Set(placed.map(targetOf)).size,
    numberMisscheduled: pods.length - placed.length,
    desiredNumberScheduled: nodes.length,
    numberReady: placed.filter(isReady).length,
    observedGeneration: set.metadata.generation ?? 1,
    ...(updated === 0 ? {} : { updatedNumberScheduled: updated }),
    ...(available === 0 ? {} : { numberAvailable: available }),
    ...(unavailable === 0 ? {} : { numberUnavailable: unavailable }),
  })
}

function podFor(set: KubeObject, node: KubeObject, hash: string): NewObject {
  const generation = set.metadata.annotations?.['deprecated.daemonset.template.generation']
  const pod = podFromTemplate(set, partOf(set, 'spec', 'template'), {
    labels: { [hashLabel]: hash, 'pod-template-generation': generation ?? String(set.metadata.generation ?? 1) },
  })
  const spec = partOf(pod, 'spec')
  const nodeAffinity = partOf(spec, 'affinity', 'nodeAffinity')
  const required = partOf(nodeAffinity, 'requiredDuringSchedulingIgnoredDuringExecution')
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node.metadata.name] }]
  const terms = records(required['nodeSelectorTerms'])
  const nodeSelectorTerms = terms.length === 0 ? [{ matchFields }] : terms.map((term) => ({ ...term, matchFields }))
  const affinity = {
    ...partOf(spec, 'affinity'),
    nodeAffinity: { ...nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  }
  return { ...pod, spec: { ...spec, affinity, tolerations: [...records(spec['tolerations']), ...tolerations(spec)] } }
}

/** What Pods of a DaemonSet put up with on a node. */
function tolerations(spec: Record<string, unknown>): Record<string, string>[] {
  const all: [string, string][] = [
    ['not-ready', 'NoExecute'],
    ['unreachable', 'NoExecute'],
    ['disk-pressure', 'NoSchedule'],
    ['memory-pressure', 'NoSchedule'],
    ['pid-pressure', 'NoSchedule'],
    ['unschedulable', 'NoSchedule'],
    ...(spec['hostNetwork'] === true ? [['network-unavailable', 'NoSchedule'] as [string, string]] : []),
  ]
  return all.map(([name, effect]) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect }))
}

/** The node that a Pod was made for. */
function targetOf(pod: KubeObject): string {
  const bound = text(partOf(pod, 'spec')['nodeName'])
  if (bound !== '') return bound
  const required = partOf(pod, 'spec', 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution')
  const [field] = records(records(required['nodeSelectorTerms'])[0]?.['matchFields'])
  const values: unknown = field?.['values']
  return Array.isArray(values) ? text(values[0]) : ''
}

function isOf(pod: KubeObject, hash: string): boolean {
  return pod.metadata.labels?.[hashLabel] === hash
}
