import { randomBytes } from 'node:crypto'
import { type Context, isLadingError, type KubeObject, type ObjectRef, refOf } from '../../core/index.ts'
import { type Cluster, createObject, deleteObject, getMetadata, updateObject } from '../../kube/index.ts'

/** Tells the writer of an object that it was itself, when the answer to its request got lost. */
const writeIdAnnotation = 'lading.dev/write-id'

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
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await updateObject(cluster, signed, {}, ctx)
    } catch (error) {
      if (!isLadingError(error, 'kube.conflict', 'kube.not-found')) throw error
      const live = await getMetadata(cluster, refOf(signed), ctx)
      if (isOwn(live, signed)) return live
      if (attempt === maxAttempts || !isSameVersion(live, object.metadata.resourceVersion)) return undefined
    }
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
  for (let attempt = 1; ; attempt += 1) {
    try {
      await deleteObject(cluster, ref, { keep: 'ignore', wait: false, ...precondition }, ctx)
      return true
    } catch (error) {
      if (!isLadingError(error, 'kube.conflict')) throw error
      const live = await getMetadata(cluster, ref, ctx)
      if (live === undefined) return true
      if (attempt === maxAttempts || !isSameVersion(live, resourceVersion)) return false
    }
  }
}

/** A conflict about a version that still stands was about something passing inside of the server. */
const maxAttempts = 8

function isSameVersion(live: Pick<KubeObject, 'metadata'> | undefined, resourceVersion: string | undefined): boolean {
  return live !== undefined && resourceVersion !== undefined && live.metadata.resourceVersion === resourceVersion
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
  return isOwn(live, signed) ? live : undefined
}

function isOwn<T extends Pick<KubeObject, 'metadata'>>(live: T | undefined, signed: KubeObject): live is T {
  const id = signed.metadata.annotations?.[writeIdAnnotation]
  return live !== undefined && live.metadata.annotations?.[writeIdAnnotation] === id
}
