import { type Context, isRecord, type KubeObject, LadingError } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { getObject } from '../read/get.ts'
import { listObjects } from '../read/list.ts'

/** What to connect to: a port of a pod, or of a service, which stands for one of its running pods. */
export type PortTarget =
  | { readonly namespace: string; readonly pod: string; readonly port: number }
  | { readonly namespace: string; readonly service: string; readonly port: number }

/** A port of a pod that runs. */
export interface PodPort {
  readonly namespace: string
  readonly pod: string
  readonly port: number
}

/** Finds the pod behind a target, and checks that it runs. */
export async function resolvePort(cluster: Cluster, target: PortTarget, ctx: Context): Promise<PodPort> {
  const { namespace, port } = target
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new LadingError('usage.invalid', `${port} is not a port number`, { port })
  if ('service' in target) return resolveService(cluster, target, ctx)
  const pod = await getObject(cluster, { ...podKind, namespace, name: target.pod }, ctx)
  if (pod === undefined)
    throw new LadingError('kube.not-found', `pod ${namespace}/${target.pod} does not exist`, { namespace })
  const phase = phaseOf(pod)
  if (phase === 'Running') return { namespace, pod: target.pod, port }
  throw notRunning(`pod ${namespace}/${target.pod} is not running: its phase is ${phase}`)
}

const podKind = { group: '', version: 'v1', kind: 'Pod' } as const

async function resolveService(
  cluster: Cluster,
  { namespace, service: name, port }: Extract<PortTarget, { service: string }>,
  ctx: Context,
): Promise<PodPort> {
  const label = `service ${namespace}/${name}`
  const service = await getObject(cluster, { group: '', version: 'v1', kind: 'Service', namespace, name }, ctx)
  if (service === undefined) throw new LadingError('kube.not-found', `${label} does not exist`, { namespace, name })
  const spec = isRecord(service['spec']) ? service['spec'] : {}
  const entry = recordsOf(spec['ports']).find((one) => one['port'] === port)
  if (entry === undefined) throw new LadingError('kube.not-found', `${label} has no port ${port}`, { namespace, name })
  const selector = isRecord(spec['selector']) ? Object.entries(spec['selector']) : []
  if (selector.length === 0) throw new LadingError('kube.unsupported', `${label} selects no pods`, { namespace, name })
  const labelSelector = selector.map(([key, value]) => `${key}=${value}`).join(',')
  const { items } = await listObjects(cluster, { gvk: podKind, namespace, labelSelector }, ctx)
  const running = items.filter((pod) => phaseOf(pod) === 'Running' && pod.metadata.deletionTimestamp === undefined)
  const pod = running.find(isReady) ?? running[0]
  if (pod === undefined) throw notRunning(`no pod of ${label} is running`)
  return { namespace, pod: pod.metadata.name, port: targetPortOf(pod, entry['targetPort'] ?? port, label) }
}

function targetPortOf(pod: KubeObject, wanted: unknown, label: string): number {
  if (typeof wanted === 'number') return wanted
  const spec = isRecord(pod['spec']) ? pod['spec'] : {}
  const named = recordsOf(spec['containers'])
    .flatMap((container) => recordsOf(container['ports']))
    .find(({ name }) => name === wanted)?.['containerPort']
  if (typeof named === 'number') return named
  const message = `pod ${pod.metadata.name} of ${label} has no port named ${String(wanted)}`
  throw new LadingError('kube.not-found', message)
}

function isReady(pod: KubeObject): boolean {
  const status = isRecord(pod['status']) ? pod['status'] : {}
  return recordsOf(status['conditions']).some((one) => one['type'] === 'Ready' && one['status'] === 'True')
}

function phaseOf(pod: KubeObject): string {
  const status = isRecord(pod['status']) ? pod['status'] : {}
  return typeof status['phase'] === 'string' ? status['phase'] : 'Unknown'
}

function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function notRunning(message: string): LadingError {
  return new LadingError('kube.pod-not-running', message)
}
