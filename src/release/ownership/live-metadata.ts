import { type Context, formatRef, LadingError, objectId, type ObjectMeta, type ObjectRef } from '../../core/index.ts'
import { type Cluster, readLiveIndex } from '../../kube/index.ts'

/** The live metadata of objects by id: one metadata LIST for many of a kind and namespace, a GET for each of few. */
export async function liveMetadata(
  cluster: Cluster,
  refs: readonly ObjectRef[],
  ctx: Context,
): Promise<Map<string, ObjectMeta>> {
  const index = await readLiveIndex(cluster, refs, 'metadata', ctx)
  const found = new Map<string, ObjectMeta>()
  for (const ref of refs) {
    const id = objectId(ref)
    const live = index.get(id)
    // What must not be read is not taken for absent: an object that was would be forgotten.
    if (live === undefined) throw new LadingError('kube.forbidden', `${formatRef(ref)} may not be read`, { ref })
    if (live !== null) found.set(id, live.metadata)
  }
  return found
}
