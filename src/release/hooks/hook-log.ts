import {
  type Context,
  context,
  formatRef,
  isRecord,
  type KubeObject,
  type ObjectRef,
  refOf,
  toLadingError,
} from '../../core/index.ts'
import { type Cluster, getObject, listObjects, readLog } from '../../kube/index.ts'
import type { TextMask } from '../record/secret-mask.ts'

/** Whether a hook runs to an end, so that it is waited for and has a log. */
export function runsToAnEnd({ group, kind }: Pick<ObjectRef, 'group' | 'kind'>): boolean {
  return (kind === 'Job' && group === 'batch') || (kind === 'Pod' && group === '')
}

/** Lines that are kept of each container, and of all together. */
const limits = { container: 50, all: 200, lineLength: 2_000, pods: 5 }
const readingMs = { asked: 10_000, cancelled: 5_000 }

/**
 * The last lines that the containers of a hook wrote, init containers first, of every Pod that is left; of more than one container, each
 * line says whose it is. Empty where nothing can be read: a log explains a failure, and must not be one. It is masked before it is cut.
 */
export async function hookLog(cluster: Cluster, hook: KubeObject, mask: TextMask, ctx: Context): Promise<string[]> {
  const ref = refOf(hook)
  if (!runsToAnEnd(ref)) return []
  // An operation that was cancelled tells what its hook said too.
  const { aborted } = ctx.signal
  const limit = AbortSignal.timeout(aborted ? readingMs.cancelled : readingMs.asked)
  const reading = context({ ...ctx, signal: aborted ? limit : AbortSignal.any([ctx.signal, limit]) })
  try {
    const pods = (await podsOf(cluster, hook, reading)).slice(-limits.pods)
    const logs = await Promise.all(
      pods.flatMap((pod) => containersOf(pod).map((name) => [pod, name] as const)).map(read),
    )
    const written = logs.filter(({ lines }) => lines.length > 0)
    const [only] = written
    if (only !== undefined && written.length === 1) return only.lines
    return written.flatMap(({ from, lines }) => lines.map((line) => `[${from}] ${line}`)).slice(-limits.all)
  } catch (error) {
    ctx.log.debug('no log of hook', { hook: formatRef(ref), code: toLadingError(error).code })
    return []
  }

  async function read([pod, container]: readonly [KubeObject, string]): Promise<{ from: string; lines: string[] }> {
    const lines = await readContainer(cluster, pod, container, reading)
    const text = mask(lines.join('\n'))
    const kept = lines.length === 0 ? [] : text.split('\n').map((line) => line.slice(0, limits.lineLength))
    return { from: `${pod.metadata.name}/${container}`, lines: kept }
  }
}

/** What a log ends with, short enough for a message; undefined where nothing was written. */
export function lastWords(log: readonly string[]): string | undefined {
  const last = log.findLast((line) => line.trim() !== '')
  // A log can hold whatever a terminal would act on.
  const text = last?.replaceAll(/\p{Cc}+/gu, ' ').trim()
  return text === undefined || text.length <= 200 ? text : `${text.slice(0, 199)}…`
}

async function readContainer(cluster: Cluster, pod: KubeObject, container: string, ctx: Context): Promise<string[]> {
  const lines = async (previous: boolean): Promise<string[]> => {
    const options = { container, tailLines: limits.container, previous }
    try {
      return await Array.fromAsync(readLog(cluster, refOf(pod), options, ctx))
    } catch (error) {
      // One that has not started yet has no log, and the kubelet answers with an error.
      ctx.log.debug('no log of container', { pod: pod.metadata.name, container, code: toLadingError(error).code })
      return []
    }
  }
  const now = await lines(false)
  return now.length > 0 || !hasRestarted(pod, container) ? now : await lines(true)
}

async function podsOf(cluster: Cluster, hook: KubeObject, ctx: Context): Promise<KubeObject[]> {
  const ref = refOf(hook)
  if (ref.kind === 'Pod') {
    const pod = await getObject(cluster, ref, ctx)
    return pod === undefined ? [] : [pod]
  }
  const { namespace, name } = ref
  const { uid } = hook.metadata
  const gvk = { group: '', version: 'v1', kind: 'Pod' }
  const query = { gvk, labelSelector: `job-name=${name}`, ...(namespace === undefined ? {} : { namespace }) }
  const { items } = await listObjects(cluster, query, ctx)
  const started = ({ metadata }: KubeObject): string => `${metadata.creationTimestamp ?? ''} ${metadata.name}`
  return items
    .filter(({ metadata }) => uid === undefined || metadata.ownerReferences?.some((owner) => owner.uid === uid))
    .sort((a, b) => (started(a) < started(b) ? -1 : 1))
}

function containersOf(pod: KubeObject): string[] {
  const spec = isRecord(pod['spec']) ? pod['spec'] : {}
  return [...records(spec['initContainers']), ...records(spec['containers'])].map(({ name }) => String(name))
}

function hasRestarted(pod: KubeObject, container: string): boolean {
  const status = isRecord(pod['status']) ? pod['status'] : {}
  const statuses = [...records(status['initContainerStatuses']), ...records(status['containerStatuses'])]
  return Number(statuses.find(({ name }) => name === container)?.['restartCount'] ?? 0) > 0
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
