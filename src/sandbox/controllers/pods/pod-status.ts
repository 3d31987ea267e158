import { createHash } from 'node:crypto'
import type { KubeObject } from '../../../core/index.ts'
import { number, partOf, records, text } from '../../object-parts.ts'
import { type Condition, conditionsOf, replaceCondition } from '../conditions.ts'

/** Where a Pod's containers are. */
export type ContainerStage =
  | { readonly stage: 'waiting'; readonly reason: string; readonly message?: string }
  | { readonly stage: 'running'; readonly ready: boolean }
  | { readonly stage: 'ended'; readonly exitCode: number }
  | { readonly stage: 'crashed'; readonly exitCode: number; readonly restarts: number }

/** The addresses of a Pod. */
export interface PodAddress {
  readonly hostIP: string
  readonly podIP: string
}

/** A Pod's status as its kubelet would report it. */
export function podStatus(
  pod: KubeObject,
  at: ContainerStage,
  address: PodAddress,
  now: string,
): Record<string, unknown> {
  const before = partOf(pod, 'status')
  const generation = pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }
  const sandboxed = at.stage !== 'waiting' || at.reason !== 'ContainerCreating'
  const podIP = text(before['podIP']) || address.podIP
  let conditions = conditionsOf(pod)
  for (const condition of podConditions(pod, at)) {
    conditions = replaceCondition(conditions, { ...generation, lastProbeTime: null, ...condition }, now)
  }
  const init = records(partOf(pod, 'spec')['initContainers'])
  return {
    ...generation,
    phase: phaseOf(at),
    conditions: sortConditions(conditions),
    hostIP: address.hostIP,
    hostIPs: [{ ip: address.hostIP }],
    ...(sandboxed ? { podIP, podIPs: [{ ip: podIP }] } : {}),
    startTime: before['startTime'] ?? now,
    ...(init.length === 0 ? {} : { initContainerStatuses: init.map((one) => initStatus(pod, one, at, now)) }),
    containerStatuses: records(partOf(pod, 'spec')['containers']).map((one) => containerStatus(pod, one, at, now)),
    qosClass: before['qosClass'] ?? 'BestEffort',
  }
}

function phaseOf(at: ContainerStage): string {
  switch (at.stage) {
    case 'waiting':
      return 'Pending'
    case 'running':
    case 'crashed':
      return 'Running'
    case 'ended':
      return at.exitCode === 0 ? 'Succeeded' : 'Failed'
  }
}

function podConditions(pod: KubeObject, at: ContainerStage): Condition[] {
  const names = records(partOf(pod, 'spec')['containers']).map((container) => text(container['name']))
  const ready = at.stage === 'running' && at.ready
  const why = {
    reason: at.stage === 'ended' ? (at.exitCode === 0 ? 'PodCompleted' : 'PodFailed') : 'ContainersNotReady',
    ...(at.stage === 'ended' ? {} : { message: `containers with unready status: [${names.join(' ')}]` }),
  }
  const readiness = ready ? { status: 'True' } : { status: 'False', ...why }
  const creating = at.stage === 'waiting' && at.reason === 'ContainerCreating'
  return [
    { type: 'PodReadyToStartContainers', status: creating || at.stage === 'ended' ? 'False' : 'True' },
    {
      type: 'Initialized',
      status: 'True',
      ...(at.stage === 'ended' && at.exitCode === 0 ? { reason: 'PodCompleted' } : {}),
    },
    { type: 'Ready', ...readiness },
    { type: 'ContainersReady', ...readiness },
    // Nothing outside answers for readiness gates here.
    ...records(partOf(pod, 'spec')['readinessGates']).map((gate) => ({
      type: text(gate['conditionType']),
      status: 'True',
    })),
  ]
}

const conditionOrder = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']

function sortConditions(conditions: readonly Condition[]): Condition[] {
  const rank = ({ type }: Condition): number => conditionOrder.indexOf(type) + 1 || 99
  return [...conditions].sort((a, b) => rank(a) - rank(b))
}

function containerStatus(
  pod: KubeObject,
  container: Record<string, unknown>,
  at: ContainerStage,
  now: string,
): Record<string, unknown> {
  const before = records(partOf(pod, 'status')['containerStatuses']).find(({ name }) => name === container['name'])
  const startedAt = partOf(before, 'state', 'running')['startedAt'] ?? now
  const restarts = number(before?.['restartCount'], 0)
  const started = at.stage === 'running'
  return {
    name: container['name'],
    state: stateOf(container, at, startedAt, now),
    lastState: at.stage === 'crashed' ? { terminated: ended(at.exitCode, now, now) } : {},
    ready: at.stage === 'running' && at.ready,
    restartCount: at.stage === 'crashed' ? at.restarts : restarts,
    image: container['image'],
    imageID: '',
    ...(at.stage === 'waiting' ? {} : { containerID: containerId(pod, container) }),
    started,
  }
}

function stateOf(
  container: Record<string, unknown>,
  at: ContainerStage,
  startedAt: unknown,
  now: string,
): Record<string, unknown> {
  switch (at.stage) {
    case 'waiting':
      return { waiting: { reason: at.reason, ...(at.message === undefined ? {} : { message: at.message }) } }
    case 'running':
      return { running: { startedAt } }
    case 'ended':
      return { terminated: ended(at.exitCode, startedAt, now) }
    case 'crashed': {
      const message = `back-off restarting failed container=${text(container['name'])}`
      return { waiting: { reason: 'CrashLoopBackOff', message } }
    }
  }
}

function initStatus(
  pod: KubeObject,
  container: Record<string, unknown>,
  at: ContainerStage,
  now: string,
): Record<string, unknown> {
  // An init container that always restarts is a sidecar: it lives as long as the Pod.
  if (container['restartPolicy'] === 'Always' || at.stage === 'waiting') {
    const shown: ContainerStage =
      at.stage === 'waiting'
        ? { stage: 'waiting', reason: 'PodInitializing' }
        : at.stage === 'ended'
          ? at
          : { stage: 'running', ready: true }
    return containerStatus(pod, container, shown, now)
  }
  return { ...containerStatus(pod, container, { stage: 'ended', exitCode: 0 }, now), ready: true, restartCount: 0 }
}

function ended(exitCode: number, startedAt: unknown, now: string): Record<string, unknown> {
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt, finishedAt: now }
}

function containerId(pod: KubeObject, container: Record<string, unknown>): string {
  const digest = createHash('sha256')
    .update(`${pod.metadata.uid}/${text(container['name'])}`)
    .digest('hex')
  return `sandbox://${digest}`
}
