import type { KubeObject } from '../../core/index.ts'
import { ageColumn, at, column, type Column, itemsAt, nameColumn, numberAt, textAt, wide } from './column.ts'
import { ageSince } from './human-duration.ts'

/** The table of Pods. */
export const podColumns: readonly Column[] = [
  nameColumn,
  column('Ready', (pod) => {
    const { ready, total } = summarize(pod)
    return `${ready}/${total}`
  }),
  column('Status', (pod) => summarize(pod).status),
  column('Restarts', (pod, now) => {
    const { restarts, lastRestart } = summarize(pod)
    return restarts > 0 && lastRestart !== '' ? `${restarts} (${ageSince(lastRestart, now)} ago)` : String(restarts)
  }),
  ageColumn,
  wide('IP', (pod) => textAt(itemsAt(pod, 'status', 'podIPs')[0], ['ip'], textAt(pod, ['status', 'podIP'], '<none>'))),
  wide('Node', (pod) => textAt(pod, ['spec', 'nodeName'], '<none>')),
  wide('Nominated Node', (pod) => textAt(pod, ['status', 'nominatedNodeName'], '<none>')),
  wide('Readiness Gates', readinessGates),
]

interface Summary {
  status: string
  ready: number
  total: number
  restarts: number
  lastRestart: string
}

type Fields = Record<string, unknown>

/** One word for what a pod is doing, with its counts, as kubectl users know it. */
function summarize(pod: KubeObject): Summary {
  const summary: Summary = {
    status: textAt(pod, ['status', 'reason'], textAt(pod, ['status', 'phase'])),
    ready: 0,
    total: itemsAt(pod, 'spec', 'containers').length + sidecars(pod).size,
    restarts: 0,
    lastRestart: '',
  }
  if (condition(pod, 'PodScheduled')?.['reason'] === 'SchedulingGated') summary.status = 'SchedulingGated'
  const sidecarRestarts = { count: 0 }
  const initializing = initContainers(pod, summary, sidecarRestarts)
  if (!initializing || condition(pod, 'Initialized')?.['status'] === 'True') {
    summary.restarts = sidecarRestarts.count
    containers(pod, summary)
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    const phase = at(pod, 'status', 'phase')
    if (at(pod, 'status', 'reason') === 'NodeLost') summary.status = 'Unknown'
    else if (phase !== 'Succeeded' && phase !== 'Failed') summary.status = 'Terminating'
  }
  return summary
}

/** Says whether the pod is still busy with its init containers. */
function initContainers(pod: KubeObject, summary: Summary, sidecarRestarts: { count: number }): boolean {
  const always = sidecars(pod)
  const statuses = itemsAt(pod, 'status', 'initContainerStatuses')
  for (const [index, container] of statuses.entries()) {
    const isSidecar = always.has(textAt(container, ['name']))
    count(container, summary)
    if (isSidecar) sidecarRestarts.count += numberAt(container, ['restartCount'])
    const terminated = at(container, 'state', 'terminated')
    if (terminated !== undefined && numberAt(terminated, ['exitCode']) === 0) continue
    if (isSidecar && container['started'] === true) {
      if (container['ready'] === true) summary.ready += 1
      continue
    }
    const waiting = textAt(container, ['state', 'waiting', 'reason'])
    if (terminated !== undefined) summary.status = `Init:${ending(terminated)}`
    else if (waiting !== '' && waiting !== 'PodInitializing') summary.status = `Init:${waiting}`
    else summary.status = `Init:${index}/${itemsAt(pod, 'spec', 'initContainers').length}`
    return true
  }
  return false
}

function containers(pod: KubeObject, summary: Summary): void {
  let running = false
  for (const container of itemsAt(pod, 'status', 'containerStatuses').toReversed()) {
    count(container, summary)
    const waiting = textAt(container, ['state', 'waiting', 'reason'])
    const terminated = at(container, 'state', 'terminated')
    if (waiting !== '') summary.status = waiting
    else if (terminated !== undefined) summary.status = ending(terminated)
    else if (container['ready'] === true && at(container, 'state', 'running') !== undefined) {
      running = true
      summary.ready += 1
    }
  }
  if (summary.status === 'Completed' && running) {
    summary.status = condition(pod, 'Ready')?.['status'] === 'True' ? 'Running' : 'NotReady'
  }
}

function count(container: Fields, summary: Summary): void {
  summary.restarts += numberAt(container, ['restartCount'])
  const finished = textAt(container, ['lastState', 'terminated', 'finishedAt'])
  if (finished > summary.lastRestart) summary.lastRestart = finished
}

function ending(terminated: unknown): string {
  const reason = textAt(terminated, ['reason'])
  if (reason !== '') return reason
  const signal = numberAt(terminated, ['signal'])
  return signal === 0 ? `ExitCode:${numberAt(terminated, ['exitCode'])}` : `Signal:${signal}`
}

// Init containers that are restarted always run beside the containers.
function sidecars(pod: KubeObject): Set<string> {
  const always = itemsAt(pod, 'spec', 'initContainers').filter((container) => container['restartPolicy'] === 'Always')
  return new Set(always.map((container) => textAt(container, ['name'])))
}

function readinessGates(pod: KubeObject): string {
  const gates = itemsAt(pod, 'spec', 'readinessGates')
  if (gates.length === 0) return '<none>'
  const open = gates.filter((gate) => condition(pod, textAt(gate, ['conditionType']))?.['status'] === 'True')
  return `${open.length}/${gates.length}`
}

function condition(pod: KubeObject, type: string): Fields | undefined {
  return itemsAt(pod, 'status', 'conditions').find((one) => one['type'] === type)
}
