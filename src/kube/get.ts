import { type Context, isLadingError, type KubeObject, type ObjectRef } from '../core/index.ts'
import type { Cluster } from './cluster.ts'
import { asKind, objectBody } from './object-body.ts'
import { objectPath, resolveResource } from './paths.ts'
import { requestKind } from './request-kind.ts'

/** Reads one object; undefined when there is none of that name. */
export async function getObject(cluster: Cluster, ref: ObjectRef, ctx: Context): Promise<KubeObject | undefined> {
  const body = await read(cluster, ref, 'application/json', ctx)
  return body === undefined ? undefined : objectBody(body)
}

/** Reads only the metadata of an object, under its own kind; undefined when there is none of that name. */
export async function getMetadata(cluster: Cluster, ref: ObjectRef, ctx: Context): Promise<KubeObject | undefined> {
  const body = await read(cluster, ref, partialMetadata, ctx)
  return body === undefined ? undefined : asKind(body, ref)
}

/** Asks for the metadata alone, of an object or of the objects that a watch delivers. */
export const partialMetadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'

async function read(cluster: Cluster, ref: ObjectRef, accept: string, ctx: Context): Promise<unknown> {
  const resource = await resolveResource(cluster, ref, ctx)
  try {
    return await requestKind(cluster, ref, { method: 'GET', path: objectPath(resource, ref), accept }, ctx)
  } catch (error) {
    if (isLadingError(error, 'kube.not-found')) return undefined
    throw error
  }
}
