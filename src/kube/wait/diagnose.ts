import {
  type Context,
  defined,
  type EventLine,
  gvkOf,
  isLadingError,
  isRecord,
  type KubeObject,
  type PodDiagnosis,
  refOf,
  toLadingError,
} from '../../core/index.ts'
import { containerProblems, describeProblem, failedContainer, computeStatus } from '../../schema/index.ts'
import type { Cluster } from '../cluster.ts'
import { listObjects } from '../read/list.ts'
import { readLog } from '../pods/logs.ts'
import { isWorkload, selectorOf } from './workload-pods.ts'

/** Why an object is not ready. */
export interface Diagnosis {
  readonly events: readonly EventLine[]
  readonly pods: readonly PodDiagnosis[]
}

/** How much of logs is read. */
export interface DiagnoseOptions {
  readonly logTailLines: number
  /** Pods that are known to be the cause; without any, the object's pods that are not ready are looked for. */
  readonly pods?: readonly KubeObject[]
  /** Takes what must not be told out of messages and logs. */
  readonly mask: (text: string) => string
}

const maxPods = 3
const maxEvents = 8
const maxLogBytes = 16 * 1024
const maxMessage = 1024

/** Collects what explains why an object is not ready; what cannot be read is left out, never an error. */
export async function diagnose(
  cluster: Cluster,
  object: KubeObject,
  options: DiagnoseOptions,
  ctx: Context,
): Promise<Diagnosis> {
  const { uid, namespace } = object.metadata
  const events = uid === undefined ? [] : await readEvents(cluster, { uid, namespace }, ctx)
  const pods = options.pods?.length ? options.pods : await unreadyPods(cluster, object, ctx)
  const diagnoses = pods.slice(0, maxPods).map((pod) => diagnosePod(cluster, pod, options, ctx))
  return { events: lastEvents(events, options), pods: await Promise.all(diagnoses) }
}

/** The events about one object, oldest first. */
export async function readEvents(
  cluster: Cluster,
  about: { readonly uid: string; readonly namespace: string | undefined },
  ctx: Context,
): Promise<EventLine[]> {
  const gvk = { group: '', version: 'v1', kind: 'Event' }
  // Events about cluster-scoped objects live in the namespace `default`.
  const query = { gvk, namespace: about.namespace ?? 'default', fieldSelector: `involvedObject.uid=${about.uid}` }
  const list = await orNothing(listObjects(cluster, query, ctx), ctx)
  return (list?.items ?? []).map(toLine).sort((a, b) => (a.at < b.at ? -1 : 1))
}

async function diagnosePod(
  cluster: Cluster,
  pod: KubeObject,
  options: DiagnoseOptions,
  ctx: Context,
): Promise<PodDiagnosis> {
  const { logTailLines: lines, mask } = options
  const problem = containerProblems(pod)[0]
  const status = computeStatus(pod)
  const container = problem?.container ?? failedContainer(pod) ?? unreadyContainer(pod)
  const { uid, namespace } = pod.metadata
  const events = uid === undefined ? [] : await readEvents(cluster, { uid, namespace }, ctx)
  // A container that never ran has no log, and the kubelet answers the question with an error.
  const mayHaveLog = lines > 0 && (problem === undefined || problem.ran || problem.reason === 'CrashLoopBackOff')
  const logTail = mayHaveLog ? await readTail(cluster, pod, container, problem?.ran === true, options, ctx) : undefined
  const reason = problem?.reason ?? status.reason
  return {
    ref: refOf(pod),
    message: mask(problem === undefined ? status.message : describeProblem(problem)),
    ...defined({ reason, container }),
    events: lastEvents(events, options),
    ...(logTail !== undefined && logTail.length > 0 && { logTail }),
  }
}

async function readTail(
  cluster: Cluster,
  pod: KubeObject,
  container: string | undefined,
  previous: boolean,
  { logTailLines: tailLines, mask }: DiagnoseOptions,
  ctx: Context,
): Promise<string[] | undefined> {
  const options = { tailLines, previous, limitBytes: 256 * 1024, container }
  const tail = await orNothing(collectLines(readLog(cluster, refOf(pod), options, ctx), mask), ctx)
  if (tail !== undefined || !previous) return tail
  // The run before may have been cleaned away while the last one's log is still there.
  return orNothing(collectLines(readLog(cluster, refOf(pod), { ...options, previous: false }, ctx), mask), ctx)
}

function lastEvents(events: readonly EventLine[], { mask }: DiagnoseOptions): EventLine[] {
  return events.slice(-maxEvents).map((event) => ({ ...event, message: mask(event.message) }))
}

async function collectLines(log: AsyncIterable<string>, mask: DiagnoseOptions['mask']): Promise<string[]> {
  // Masked as a whole and before it is cut: a value may have many lines, and a part of it is secret too.
  const read = mask((await Array.fromAsync(log)).join('\n'))
  const lines: string[] = []
  let bytes = 0
  for (const line of read === '' ? [] : read.split('\n')) {
    lines.push(line)
    bytes += line.length + 1
    while (bytes > maxLogBytes && lines.length > 1) bytes -= (lines.shift()?.length ?? 0) + 1
  }
  return lines.map((line) => line.slice(-maxLogBytes))
}

async function unreadyPods(cluster: Cluster, object: KubeObject, ctx: Context): Promise<KubeObject[]> {
  const { group, kind } = gvkOf(object)
  if (group === '' && kind === 'Pod') return [object]
  const labelSelector = isWorkload({ group, kind }) ? selectorOf(object) : undefined
  if (labelSelector === undefined) return []
  const { namespace } = object.metadata
  const gvk = { group: '', version: 'v1', kind: 'Pod' }
  const query = { gvk, labelSelector, namespace }
  const list = await orNothing(listObjects(cluster, query, ctx), ctx)
  return (list?.items ?? [])
    .filter((pod) => computeStatus(pod).status !== 'Current')
    .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? 1 : -1))
}

function unreadyContainer(pod: KubeObject): string | undefined {
  const status = pod['status']
  const statuses = isRecord(status) && Array.isArray(status['containerStatuses']) ? status['containerStatuses'] : []
  const unready = statuses.filter(isRecord).find((each) => each['ready'] !== true)
  return typeof unready?.['name'] === 'string' ? unready['name'] : undefined
}

function toLine(event: KubeObject): EventLine {
  const text = (field: string): string => {
    const value = event[field]
    return typeof value === 'string' ? value.slice(0, maxMessage) : ''
  }
  const series = event['series']
  const lastSeen = isRecord(series) && typeof series['lastObservedTime'] === 'string' ? series['lastObservedTime'] : ''
  return {
    type: text('type'),
    reason: text('reason'),
    message: text('message'),
    count: Number(event['count'] ?? (isRecord(series) ? series['count'] : 1)) || 1,
    at: text('lastTimestamp') || lastSeen || text('eventTime') || (event.metadata.creationTimestamp ?? ''),
  }
}

/** A diagnosis is a courtesy: missing rights, pods that went and kubelets that do not answer only make it shorter. */
async function orNothing<T>(answer: Promise<T>, ctx: Context): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isLadingError(error, 'internal')) throw error
    ctx.log.debug('diagnosis is incomplete', { code: toLadingError(error).code })
    return undefined
  }
}
