import { type Context, objectId, type ObjectMeta, type ObjectRef } from '../core/index.ts'
import { type Cluster, listObjects } from '../kube/index.ts'

/** The live metadata of objects: one metadata LIST for each kind and namespace. */
export async function liveMetadata(
  cluster: Cluster,
  refs: readonly ObjectRef[],
  ctx: Context,
): Promise<Map<string, ObjectMeta>> {
  const groups = Map.groupBy(
    refs,
    ({ group, version, kind, namespace }) => `${group}/${version}/${kind}/${namespace ?? ''}`,
  )
  const found = new Map<string, ObjectMeta>()
  await Promise.all(
    [...groups.values()].map(async (members) => {
      const [first] = members
      if (first === undefined || (await cluster.discovery.find(first, ctx)) === undefined) return
      const { group, kind, namespace } = first
      const query = { gvk: first, metadataOnly: true, ...(namespace === undefined ? {} : { namespace }) }
      const { items } = await listObjects(cluster, query, ctx)
      for (const { metadata } of items) {
        const at = metadata.namespace === undefined ? {} : { namespace: metadata.namespace }
        found.set(objectId({ group, kind, name: metadata.name, ...at }), metadata)
      }
    }),
  )
  return found
}
