import { isRecord, type KubeObject } from '../../../core/index.ts'
import type { Backend, WriteOptions } from '../../backend.ts'
import type { ResourceType } from '../../resource-type.ts'
import { badRequest, invalid, StatusError } from '../../status-error.ts'
import { checkFields } from './field-validation.ts'
import type { ResourceRequest } from '../resource-request.ts'
import { invalidValue } from './validate-meta.ts'
import { apiVersionOf, decodeObject } from './decode-object.ts'
import { storeNew } from './store-object.ts'

/** POST to a collection. */
export function create(backend: Backend, info: ResourceRequest, body: unknown, options: WriteOptions): KubeObject {
  const object = readBody(info, body, options)
  nameGenerated(backend, object)
  if (!options.dryRun && (object.metadata.resourceVersion ?? '') !== '') {
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created')
  }
  return storeNew(backend, info.type, object, undefined, options)
}

/** A request's body as an object of the resource that the path names. */
export function readBody(info: ResourceRequest, body: unknown, options: WriteOptions): KubeObject {
  const { type } = info
  if (!isRecord(body)) throw badRequest('the request body is not an object')
  if (!isRecord(body['metadata'] ?? {}))
    throw badRequest('json: cannot unmarshal metadata into Go value of type v1.ObjectMeta')
  const { apiVersion = apiVersionOf(type), kind = type.kind } = body
  checkKind(type, body)
  checkFields(type, body, options)
  const metadata = isRecord(body['metadata']) ? body['metadata'] : {}
  const object = decodeBody(type, { ...body, apiVersion, kind, metadata })
  // Decoding drops empty lists; this one says that all managers go.
  const { managedFields } = metadata
  if (Array.isArray(managedFields) && managedFields.length === 0) object.metadata.managedFields = [{}]
  object.metadata.name ??= ''
  placeInNamespace(type, object, info.namespace)
  return object
}

function decodeBody(type: ResourceType, body: Record<string, unknown>): KubeObject {
  try {
    return decodeObject(type, body)
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 400) throw error
    throw badRequest(`${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${error.message}`)
  }
}

function checkKind(type: ResourceType, body: Record<string, unknown>): void {
  const { apiVersion, kind } = body
  // Only what has a Go type can be guessed from the path.
  if (type.crd !== undefined && (typeof kind !== 'string' || kind === '')) {
    throw badRequest(`the object provided is unrecognized (must be of type ${type.kind}): Object 'Kind' is missing`)
  }
  if ((apiVersion !== undefined || type.crd !== undefined) && apiVersion !== apiVersionOf(type)) {
    const given = typeof apiVersion === 'string' ? apiVersion : ''
    throw badRequest(
      `the API version in the data (${given}) does not match the expected API version (${apiVersionOf(type)})`,
    )
  }
  if (kind === undefined || kind === type.kind) return
  const given = typeof kind === 'string' ? kind : ''
  if (type.crd !== undefined) {
    const name: unknown = isRecord(body['metadata']) ? body['metadata']['name'] : ''
    throw invalid({ ...type, kind: given }, typeof name === 'string' ? name : '', [
      invalidValue('kind', given, `must be ${type.kind}`),
    ])
  }
  throw badRequest(`${given} in version "${type.version}" cannot be handled as a ${type.kind}: unknown conversion`)
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
