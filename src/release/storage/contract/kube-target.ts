import { randomBytes } from 'node:crypto'
import { context, type GroupVersionKind } from '../../../core/index.ts'
import {
  type Cluster,
  createObject,
  deleteObject,
  type KubeRequest,
  type KubeResponse,
  listObjects,
  patchObject,
} from '../../../kube/index.ts'
import type { StoreTarget } from '../contract.ts'
import type { ReleaseStore, RevisionKey } from '../release-store.ts'

/** How a store keeps its records in a cluster. */
export interface KubeStorage {
  readonly gvk: GroupVersionKind
  readonly holdsLarge: boolean
  open(cluster: Cluster): ReleaseStore
  objectName(key: RevisionKey): string
}

/** A storage under test in a cluster, in two namespaces of its own. */
export async function kubeTarget(cluster: Cluster, storage: KubeStorage): Promise<StoreTarget> {
  const ctx = context()
  const run = `stores-${randomBytes(4).toString('hex')}`
  const namespaces = [`${run}-a`, `${run}-b`] as const
  for (const name of namespaces) {
    await createObject(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, {}, ctx)
  }
  return {
    store: storage.open(cluster),
    namespaces,
    holdsLarge: storage.holdsLarge,
    async damage(key) {
      const ref = { ...storage.gvk, namespace: key.namespace, name: storage.objectName(key) }
      await patchObject(cluster, ref, { data: { release: 'AAAA' } }, { type: 'merge' }, ctx)
    },
    async extras(name, namespace) {
      const { items } = await listObjects(cluster, { gvk: storage.gvk, namespace, metadataOnly: true }, ctx)
      const isMain = new RegExp(`\\.${name}\\.v\\d+$`)
      return items.map(({ metadata }) => metadata.name).filter((one) => one.includes(name) && !isMain.test(one))
    },
    crashing: (writes) => storage.open(crashingCluster(cluster, writes)),
    measured() {
      let requests = 0
      let bytes = 0
      const counting = intercept(cluster, async (request, send) => {
        const response = await send()
        if (request.path.includes('/namespaces/')) {
          requests += 1
          bytes += JSON.stringify(response.body).length
        }
        return response
      })
      return { store: storage.open(counting), traffic: () => ({ requests, bytes }) }
    },
    async close() {
      for (const name of namespaces) {
        const ref = { group: '', version: 'v1', kind: 'Namespace', name }
        await deleteObject(cluster, ref, { wait: false }, ctx)
      }
    },
  }
}

/** A cluster that is seen through something that may look at, delay or drop each request. */
export function intercept(
  cluster: Cluster,
  between: (request: KubeRequest, send: () => Promise<KubeResponse>) => Promise<KubeResponse>,
): Cluster {
  const { transport, discovery } = cluster
  return {
    discovery,
    transport: {
      server: transport.server,
      identity: transport.identity,
      request: (request, ctx) => between(request, () => transport.request(request, ctx)),
      stream: (request, ctx) => transport.stream(request, ctx),
      close: () => transport.close(),
    },
  }
}

/** The process ends at a write: neither it nor anything after it reaches the server. */
function crashingCluster(cluster: Cluster, writes: number): Cluster {
  let left = writes
  return intercept(cluster, async (request, send) => {
    if (request.method !== 'GET') left -= 1
    if (left < 0) throw new Error('the process has ended')
    return send()
  })
}
