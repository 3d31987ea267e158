import { type Context, isLadingError, LadingError } from '../core/index.ts'
import { type Cluster, clusterIdentity } from '../kube/index.ts'
import type { Plan } from './plan.ts'

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
