import { type Context, isLadingError, LadingError } from '../../core/index.ts'
import { type Cluster, clusterIdentity } from '../../kube/index.ts'
import type { ReleaseRecord } from '../record/record.ts'
import type { ReleaseStore, StoredRecord } from './release-store.ts'

/**
 * A store outside of any cluster, used with one: what is written names that cluster, and a record that names another one is refused
 * with `release.wrong-cluster`, for its objects are not here. Records without a cluster are taken as they are.
 */
export function clusterBoundStore(store: ReleaseStore, cluster: Cluster): ReleaseStore {
  const bound = async (record: ReleaseRecord, ctx: Context): Promise<ReleaseRecord> => {
    const identity = await knownIdentity(cluster, ctx)
    return identity === undefined ? record : { ...record, cluster: identity }
  }
  return {
    driver: store.driver,
    ownership: (release) => store.ownership(release),
    prepare: (record, origin) => store.prepare(record, origin),
    async get(key, ctx) {
      const stored = await store.get(key, ctx)
      if (stored !== undefined) await refuseOtherCluster(stored, cluster, ctx)
      return stored
    },
    history: (name, namespace, ctx) => store.history(name, namespace, ctx),
    list: (namespace, ctx) => store.list(namespace, ctx),
    create: async (record, ctx) => await store.create(await bound(record, ctx), ctx),
    update: async (stored, next, ctx) => await store.update(stored, await bound(next, ctx), ctx),
    delete: (stored, ctx) => store.delete(stored, ctx),
  }
}

async function refuseOtherCluster({ record }: StoredRecord, cluster: Cluster, ctx: Context): Promise<void> {
  const { name, namespace, version, cluster: recorded } = record
  if (recorded === undefined) return
  const current = await clusterIdentity(cluster, ctx)
  if (recorded === current) return
  const problem = `revision ${version} of the release ${namespace}/${name} is on the cluster ${recorded}, and this is the cluster ${current}`
  throw new LadingError('release.wrong-cluster', problem, { name, namespace, version, recorded, current })
}

/** Undefined where the identity of the cluster may not be read. */
async function knownIdentity(cluster: Cluster, ctx: Context): Promise<string | undefined> {
  try {
    return await clusterIdentity(cluster, ctx)
  } catch (error) {
    if (!isLadingError(error, 'kube.forbidden', 'kube.not-found')) throw error
    return undefined
  }
}
