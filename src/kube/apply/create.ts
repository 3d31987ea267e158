import { type Context, formatRef, gvkOf, type KubeObject, LadingError } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { objectBody } from '../read/object-body.ts'
import type { ObjectShape, ObjectToCreate, WrittenObject } from '../object-types.ts'
import { collectionPath, resolveResource } from '../discovery/paths.ts'
import { requestKind } from '../read/request-kind.ts'

/** How a write is done. */
export interface WriteOptions {
  /** Nothing is stored; the answer is what would be. */
  readonly dryRun?: boolean
  /** The name under which the fields are owned (default: `lading`). */
  readonly fieldManager?: string
  /** What becomes of unknown and duplicate fields (default: the server warns). */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
  /** Lets a create be sent again after a lost answer: for callers that can tell their own object from another's. */
  readonly repeatable?: boolean
}

/** Creates an object that must not exist yet; its name may be left to the server with `generateName`. */
export async function createObject<Object extends ObjectShape>(
  cluster: Cluster,
  object: ObjectToCreate<Object>,
  options: WriteOptions,
  ctx: Context,
): Promise<WrittenObject<Object>> {
  return (await create(cluster, object as KubeObject, options, ctx)) as WrittenObject<Object>
}

async function create(cluster: Cluster, object: KubeObject, options: WriteOptions, ctx: Context): Promise<KubeObject> {
  const gvk = gvkOf(object)
  const resource = await resolveResource(cluster, gvk, ctx)
  const { namespace } = object.metadata
  if (resource.namespaced && namespace === undefined) {
    const { name = `${object.metadata.generateName ?? ''}*` } = object.metadata as { name?: string }
    const message = `${formatRef({ ...gvk, name })} needs a namespace`
    throw new LadingError('object.invalid', message, { kind: object.kind })
  }
  const path = collectionPath(resource, namespace)
  const { repeatable } = options
  const request = { method: 'POST', path, query: writeQuery(options), body: object } as const
  const body = await requestKind(cluster, gvk, { ...request, repeatable }, ctx)
  return objectBody(body)
}

/** The options of a write as parameters of a request. */
export function writeQuery(options: WriteOptions): Record<string, string | undefined> {
  const { dryRun = false, fieldManager = 'lading', fieldValidation } = options
  return { dryRun: dryRun ? 'All' : undefined, fieldManager, fieldValidation }
}
