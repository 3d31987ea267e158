import { type Context, isLadingError, isRecord, type KubeObject, type ObjectRef } from '../core/index.ts'
import { readObjects } from '../core/yaml/index.ts'
import { type Cluster, placeObjects, readLiveIndex } from '../kube/index.ts'
import { createStore } from '../release/index.ts'
import { computeStatus } from '../schema/index.ts'
import { part } from './describe-deployment.ts'

/** The objects that Flux deployed: what its inventory lists, or Helm's record of the release. */
export async function deployedObjects(
  cluster: Cluster,
  object: KubeObject,
  ctx: Context,
): Promise<readonly ObjectRef[]> {
  const inventory = part(object, 'status', 'inventory')['entries']
  if (Array.isArray(inventory))
    return inventory.filter(isRecord).flatMap(({ id, v }) => readEntry(String(id), String(v)))
  return object.kind === 'HelmRelease' ? helmObjects(cluster, object, ctx) : []
}

/** The share of the deployed objects that are ready, in percent; undefined where nothing is known of them. */
export async function readyShare(cluster: Cluster, object: KubeObject, ctx: Context): Promise<number | undefined> {
  const refs = await deployedObjects(cluster, object, ctx)
  if (refs.length === 0) return undefined
  const live = await readLiveIndex(cluster, refs, 'object', ctx)
  const ready = [...live.values()].filter((one) => one !== null && computeStatus(one).status === 'Current').length
  return Math.floor((100 * ready) / refs.length)
}

/** An entry of an inventory: `NAMESPACE_NAME_GROUP_KIND`, where a name may hold `__` for a colon. */
function readEntry(id: string, version: string): ObjectRef[] {
  const [namespace = '', ...rest] = id.split('_')
  const kind = rest.pop()
  const group = rest.pop()
  const name = rest.join('_').replaceAll('__', ':')
  if (kind === undefined || group === undefined || name === '') return []
  const ref = { group, version, kind, name }
  return [namespace === '' ? ref : { ...ref, namespace }]
}

async function helmObjects(cluster: Cluster, object: KubeObject, ctx: Context): Promise<readonly ObjectRef[]> {
  const status = part(object, 'status')
  const [last] = Array.isArray(status['history']) ? status['history'].filter(isRecord) : []
  if (last === undefined) return []
  const { name, namespace: target, version } = last
  const namespace = String(status['storageNamespace'] ?? target)
  try {
    const store = createStore({ driver: 'helm' }, cluster)
    const stored = await store.get({ name: String(name), namespace, version: Number(version) }, ctx)
    if (stored === undefined) return []
    const { placed } = await placeObjects(cluster, readObjects(stored.record.manifest), String(target), ctx)
    return placed.map(({ ref }) => ref)
  } catch (error) {
    // Whoever may not read Helm's Secrets still gets what Flux itself says.
    if (isLadingError(error, 'kube.forbidden')) return []
    throw error
  }
}
