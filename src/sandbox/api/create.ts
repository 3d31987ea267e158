import { isRecord, type KubeObject } from '../../core/index.ts'
import type { Backend, WriteOptions } from '../backend.ts'
import type { ResourceType } from '../resource-type.ts'
import { badRequest } from '../status-error.ts'
import { checkFields } from './field-validation.ts'
import type { RequestInfo } from './request-info.ts'
import { apiVersionOf, decodeObject, storeNew } from './write.ts'

/** POST to a collection. */
export function create(backend: Backend, info: RequestInfo, body: unknown, options: WriteOptions): KubeObject {
  const object = readBody(info, body, options)
  nameGenerated(backend, object)
  return storeNew(backend, info.type, object, undefined, options)
}

/** A request's body as an object of the resource that the path names. */
export function readBody(info: RequestInfo, body: unknown, options: WriteOptions): KubeObject {
  const { type } = info
  if (!isRecord(body)) throw badRequest('the request body is not an object')
  const { apiVersion = apiVersionOf(type), kind = type.kind } = body
  if (apiVersion !== apiVersionOf(type) || kind !== type.kind) {
    throw badRequest(
      `${String(kind)} in version "${String(apiVersion).split('/').at(-1)}" cannot be handled as a ${type.kind}: ` +
        `the path is that of ${apiVersionOf(type)} ${type.kind}`,
    )
  }
  checkFields(type, body, options)
  const metadata = isRecord(body['metadata']) ? body['metadata'] : {}
  const object = decodeObject(type, { ...body, apiVersion, kind, metadata })
  object.metadata.name ??= ''
  placeInNamespace(type, object, info.namespace)
  return object
}

function placeInNamespace(type: ResourceType, object: KubeObject, namespace: string | undefined): void {
  const given = object.metadata.namespace ?? ''
  if (!type.namespaced) {
    if (given !== '') throw badRequest('namespace not allowed on this type')
    delete object.metadata.namespace
    return
  }
  if (given !== '' && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  if (namespace !== undefined) object.metadata.namespace = namespace
}

function nameGenerated(backend: Backend, object: KubeObject): void {
  const { generateName } = object.metadata
  if (object.metadata.name !== '' || generateName === undefined || generateName === '') return
  // 63 characters in all, of which five are random.
  object.metadata.name = `${generateName.slice(0, 58)}${backend.suffix()}`
}
