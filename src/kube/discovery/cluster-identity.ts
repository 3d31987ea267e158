import { type Context, isLadingError, LadingError, type ObjectRef } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { getMetadata } from '../read/get.ts'

const kubeSystem: ObjectRef = { group: '', version: 'v1', kind: 'Namespace', name: 'kube-system' }

/** The uid does not change while the cluster lives. */
const known = new WeakMap<Cluster, string>()

/** The uid of the namespace `kube-system`, which tells one cluster from every other, whatever its address; read once per `Cluster`. */
export async function clusterIdentity(cluster: Cluster, ctx: Context): Promise<string> {
  const uid = known.get(cluster) ?? (await readUid(cluster, ctx))
  known.set(cluster, uid)
  return uid
}

async function readUid(cluster: Cluster, ctx: Context): Promise<string> {
  try {
    const uid = (await getMetadata(cluster, kubeSystem, ctx))?.metadata.uid
    if (uid !== undefined) return uid
  } catch (error) {
    if (!isLadingError(error, 'kube.forbidden')) throw error
    const right = '"get" on the namespace "kube-system" (resource "namespaces", resourceNames ["kube-system"])'
    const problem = `the cluster cannot be identified without the right to ${right}`
    throw new LadingError('kube.forbidden', problem, { ...kubeSystem }, { cause: error })
  }
  throw new LadingError('kube.not-found', 'the cluster cannot be identified: it has no namespace kube-system')
}
