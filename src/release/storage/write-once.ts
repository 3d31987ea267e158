import { randomBytes } from 'node:crypto'
import { type Context, isLadingError, type KubeObject, type ObjectRef, refOf } from '../../core/index.ts'
import { type Cluster, createObject, deleteObject, getMetadata, updateObject } from '../../kube/index.ts'

/** Tells the writer of an object that it was itself, when the answer to its request got lost. */
export const writeIdAnnotation = 'lading.dev/write-id'

/** Creates an object; undefined when there is one of that name that somebody else wrote. */
export async function createOnce(
  cluster: Cluster,
  object: KubeObject,
  ctx: Context,
): Promise<Pick<KubeObject, 'metadata'> | undefined> {
  const signed = sign(object)
  try {
    return await createObject(cluster, signed, { repeatable: true }, ctx)
  } catch (error) {
    if (!isLadingError(error, 'kube.already-exists')) throw error
    return ownWrite(cluster, signed, ctx)
  }
}

/** Replaces the version of an object that its metadata names; undefined when somebody else changed or deleted it. */
export async function replaceOnce(
  cluster: Cluster,
  object: KubeObject,
  ctx: Context,
): Promise<Pick<KubeObject, 'metadata'> | undefined> {
  const signed = sign(object)
  try {
    return await updateObject(cluster, signed, {}, ctx)
  } catch (error) {
    if (!isLadingError(error, 'kube.conflict', 'kube.not-found')) throw error
    return ownWrite(cluster, signed, ctx)
  }
}

/** Deletes one version of an object; false when somebody else changed it. What is gone counts as deleted. */
export async function removeOnce(
  cluster: Cluster,
  ref: ObjectRef,
  resourceVersion: string | undefined,
  ctx: Context,
): Promise<boolean> {
  const precondition = resourceVersion === undefined ? {} : { resourceVersion }
  try {
    await deleteObject(cluster, ref, { keep: 'ignore', wait: false, ...precondition }, ctx)
    return true
  } catch (error) {
    if (isLadingError(error, 'kube.conflict')) return false
    throw error
  }
}

function sign(object: KubeObject): KubeObject {
  const annotations = { ...object.metadata.annotations, [writeIdAnnotation]: randomBytes(8).toString('hex') }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

/** A write whose answer was lost is sent again, and meets itself. */
async function ownWrite(
  cluster: Cluster,
  signed: KubeObject,
  ctx: Context,
): Promise<Pick<KubeObject, 'metadata'> | undefined> {
  const live = await getMetadata(cluster, refOf(signed), ctx)
  const id = signed.metadata.annotations?.[writeIdAnnotation]
  return live?.metadata.annotations?.[writeIdAnnotation] === id ? live : undefined
}
