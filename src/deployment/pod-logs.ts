import { type Context, isRecord, type KubeObject, type ObjectRef } from '../core/index.ts'
import { type Cluster, listObjects, readLiveIndex, readLog, selectorOf } from '../kube/index.ts'
import type { DeploymentLogLine, DeploymentLogOptions } from './adapter.ts'

/** The logs of the pods of deployed objects, pod after pod; with `follow`, of all at once as lines come. */
export async function* podLogs(
  cluster: Cluster,
  deployed: readonly ObjectRef[],
  options: DeploymentLogOptions,
  ctx: Context,
): AsyncGenerator<DeploymentLogLine> {
  const containers = await containersOf(cluster, deployed, options.container, ctx)
  const streams = containers.map(({ pod, container }) => lines(cluster, pod, container, options, ctx))
  if (options.follow !== true) {
    for (const stream of streams) yield* stream
    return
  }
  yield* merged(streams)
}

async function* lines(
  cluster: Cluster,
  pod: KubeObject,
  container: string,
  { follow, tailLines }: DeploymentLogOptions,
  ctx: Context,
): AsyncGenerator<DeploymentLogLine> {
  const { name, namespace = '' } = pod.metadata
  for await (const line of readLog(cluster, { name, namespace }, { container, follow, tailLines }, ctx)) {
    yield { pod: `${namespace}/${name}`, container, line }
  }
}

async function containersOf(
  cluster: Cluster,
  deployed: readonly ObjectRef[],
  wanted: string | undefined,
  ctx: Context,
): Promise<{ readonly pod: KubeObject; readonly container: string }[]> {
  const live = await readLiveIndex(cluster, deployed, 'object', ctx)
  const found = new Map<string, KubeObject>()
  for (const workload of live.values()) {
    if (workload === null) continue
    const pods = workload.kind === 'Pod' ? [workload] : await podsOf(cluster, workload, ctx)
    for (const pod of pods) found.set(pod.metadata.uid ?? pod.metadata.name, pod)
  }
  return [...found.values()].flatMap((pod) =>
    [isRecord(pod['spec']) ? pod['spec']['containers'] : []]
      .flat()
      .filter(isRecord)
      .map(({ name }) => String(name))
      .filter((container) => wanted === undefined || container === wanted)
      .map((container) => ({ pod, container })),
  )
}

async function podsOf(cluster: Cluster, workload: KubeObject, ctx: Context): Promise<readonly KubeObject[]> {
  const labelSelector = selectorOf(workload)
  if (labelSelector === undefined) return []
  const gvk = { group: '', version: 'v1', kind: 'Pod' }
  const { items } = await listObjects(cluster, { gvk, namespace: workload.metadata.namespace, labelSelector }, ctx)
  return items
}

/** Yields what comes first from any stream, until all have ended. */
async function* merged<Item>(streams: readonly AsyncGenerator<Item>[]): AsyncGenerator<Item> {
  const pending = new Map(streams.map((stream) => [stream, advance(stream)]))
  try {
    while (pending.size > 0) {
      const { stream, next } = await Promise.race(pending.values())
      if (next.done === true) pending.delete(stream)
      else {
        pending.set(stream, advance(stream))
        yield next.value
      }
    }
  } finally {
    await Promise.allSettled(streams.map((stream) => stream.return(undefined)))
  }
}

async function advance<Item>(
  stream: AsyncGenerator<Item>,
): Promise<{ stream: AsyncGenerator<Item>; next: IteratorResult<Item> }> {
  return { stream, next: await stream.next() }
}
