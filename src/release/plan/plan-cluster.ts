import { type Context, isLadingError, LadingError } from '../../core/index.ts'
import { type Cluster, clusterIdentity, getMetadata } from '../../kube/index.ts'
import type { ReleaseName } from '../release-name.ts'
import type { Plan } from '../plan.ts'

/** The cluster that a shown plan is for; absent where the identity of the cluster may not be read, which only a saved plan needs. */
export async function planCluster(cluster: Cluster, ctx: Context): Promise<Pick<Plan, 'cluster'>> {
  try {
    return { cluster: await clusterIdentity(cluster, ctx) }
  } catch (error) {
    if (!isLadingError(error, 'kube.forbidden')) throw error
    return {}
  }
}

/** Refuses a plan that was made for another cluster, before anything of this one is looked at or changed. */
export async function refuseOtherCluster(
  cluster: Cluster,
  { release, cluster: planned }: Pick<Plan, 'release' | 'cluster'>,
  ctx: Context,
): Promise<void> {
  if (planned === undefined) return
  const { name, namespace } = release
  const current = await clusterIdentity(cluster, ctx)
  if (planned === current) return
  const problem = `the plan for ${namespace}/${name} was made for the cluster ${planned}, and this is the cluster ${current}`
  throw new LadingError('plan.wrong-cluster', problem, { name, namespace, planned, current })
}

/** The namespace that a saved plan is for, by its uid; absent where it may not be read. */
export async function planNamespace(
  cluster: Cluster,
  { namespace: name }: ReleaseName,
  ctx: Context,
): Promise<Pick<Plan, 'namespaceUid'>> {
  try {
    const live = await getMetadata(cluster, { group: '', version: 'v1', kind: 'Namespace', name }, ctx)
    return { namespaceUid: live?.metadata.uid ?? null }
  } catch (error) {
    if (!isLadingError(error, 'kube.forbidden')) throw error
    return {}
  }
}

/** Refuses a plan whose namespace was deleted, created, or both since it was made: that it was applied may be forgotten with it. */
export async function refuseOtherNamespace(
  cluster: Cluster,
  { release, namespaceUid: planned }: Plan,
  ctx: Context,
): Promise<void> {
  if (planned === undefined) return
  const { namespaceUid: current } = await planNamespace(cluster, release, ctx)
  if (current === undefined || planned === current) return
  const what = current === null ? 'is gone' : `was ${planned === null ? '' : 'deleted and '}created since it was made`
  throw new LadingError('plan.stale', `the plan is stale: the namespace ${release.namespace} ${what}`, { ...release })
}
