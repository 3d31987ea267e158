import { type Context, LadingError, type LadingEvent, type ObjectRef } from '../../core/index.ts'
import { type Cluster, waitForReady, type WaitOptions } from '../../kube/index.ts'
import type { ExternalDependency } from '../plan/waves.ts'

/** Waits until what a wave needs is on the cluster and ready, although the release does not bring it. */
export async function* waitForExternal(
  cluster: Cluster,
  external: readonly ExternalDependency[],
  options: WaitOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  if (external.length === 0) return
  const targets = await Promise.all(external.map((dependency) => refOfKind(cluster, dependency, ctx)))
  yield* waitForReady(cluster, targets, options, ctx)
}

/** `wait-for` names a kind without its group: the first that is served, in the server's own order, is meant. */
async function refOfKind(
  cluster: Cluster,
  { kind, name, namespace }: ExternalDependency,
  ctx: Context,
): Promise<ObjectRef> {
  const resource = (await cluster.discovery.all(ctx)).find((served) => served.kind === kind)
  if (resource === undefined) {
    throw new LadingError('kube.unknown-kind', `wait-for names ${kind}/${name}: no such kind is served`, { kind, name })
  }
  const { group, version, namespaced } = resource
  return { group, version, kind, name, ...(namespaced && { namespace }) }
}
