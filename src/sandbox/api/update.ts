import type { KubeObject } from '../../core/index.ts'
import type { Backend, WriteOptions } from '../backend.ts'
import { badRequest, invalid, notFound } from '../status-error.ts'
import { readBody } from './create.ts'
import { inVersion } from './in-version.ts'
import type { RequestInfo } from './request-info.ts'
import { invalidValue } from './validate-meta.ts'
import { storeChanged } from './write.ts'

/** PUT of an object or of its status. */
export function update(backend: Backend, info: RequestInfo, body: unknown, options: WriteOptions): KubeObject {
  const object = readBody(info, body, options)
  const name = info.name ?? ''
  if (object.metadata.name === '') object.metadata.name = name
  if (object.metadata.name !== name) {
    throw badRequest(`the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`)
  }
  const old = stored(backend, info)
  if (info.type.crd !== undefined && (object.metadata.resourceVersion ?? '') === '') {
    const cause = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')
    throw invalid({ ...info.type, kind: info.type.resource }, name, [cause])
  }
  return storeChanged(backend, info.type, old, object, undefined, options)
}

/** The stored object that a request names, or the refusal that there is none. */
export function stored(backend: Backend, info: RequestInfo): KubeObject {
  const object = backend.store.get(info.type.collection, info.namespace ?? '', info.name ?? '')
  if (object === undefined) throw notFound(info.type, info.name ?? '')
  return inVersion(info.type, object)
}
