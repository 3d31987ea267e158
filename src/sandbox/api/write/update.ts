import type { KubeObject } from '../../../core/index.ts'
import type { Backend, WriteOptions } from '../../backend.ts'
import { badRequest, conflict, invalid, notFound } from '../../status-error.ts'
import { readBody } from './create.ts'
import { inVersion } from '../read/in-version.ts'
import { isCreatedByPut, needsVersion } from '../kind-traits.ts'
import type { ResourceRequest } from '../resource-request.ts'
import { invalidValue } from './validate-meta.ts'
import { isVersionless } from './preconditions.ts'
import { storeChanged, storeNew } from './store-object.ts'

/** PUT of an object or of its status. Says whether the object is new, which few kinds allow. */
export function update(
  backend: Backend,
  info: ResourceRequest,
  body: unknown,
  options: WriteOptions,
): { object: KubeObject; created: boolean } {
  const object = readBody(info, body, options)
  const { type } = info
  const name = info.name ?? ''
  checkName(object.metadata.name, name)
  if (isMissing(backend, info) && isCreatedByPut(type) && options.subresource === '') {
    return { object: createByPut(backend, info, object, options), created: true }
  }
  const old = stored(backend, info)
  if (needsVersion(type) && isVersionless(object.metadata.resourceVersion)) {
    const cause = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')
    throw invalid({ ...type, kind: type.resource }, name, [cause])
  }
  return { object: storeChanged(backend, type, old, object, undefined, options), created: false }
}

/** Refuses an object that goes by another name than its URL, or by none. */
export function checkName(given: string, name: string): void {
  if (given === name) return
  const problem =
    given === ''
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${given}) does not match the name on the URL (${name})`
  throw badRequest(problem)
}

function createByPut(
  backend: Backend,
  { type }: ResourceRequest,
  object: KubeObject,
  options: WriteOptions,
): KubeObject {
  const { name, uid = '' } = object.metadata
  if (uid !== '') throw conflict(type, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: `)
  return storeNew(backend, type, object, undefined, options)
}

function isMissing(backend: Backend, { type, namespace = '', name = '' }: ResourceRequest): boolean {
  return backend.store.get(type.collection, namespace, name) === undefined
}

/** The stored object that a request names, or the refusal that there is none. */
export function stored(backend: Backend, info: ResourceRequest): KubeObject {
  const object = backend.store.get(info.type.collection, info.namespace ?? '', info.name ?? '')
  if (object === undefined) throw notFound(info.type, info.name ?? '')
  return inVersion(info.type, object)
}
