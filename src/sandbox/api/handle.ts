import type { KubeObject } from '../../core/index.ts'
import type { Backend, WriteOptions } from '../backend.ts'
import { methodNotAllowed, noSuchPath } from '../status-error.ts'
import { apply } from './write/apply.ts'
import { create } from './write/create.ts'
import { remove, removeObject } from './write/delete.ts'
import { readDeleteOptions } from './write/delete-options.ts'
import { deprecationsOf } from './deprecations.ts'
import { isShownWhenDeleted } from './kind-traits.ts'
import { checkReadVersion, list, type ListBody } from './read/list.ts'
import { patch } from './write/patch.ts'
import type { ResourceRequest } from './resource-request.ts'
import { handleScale } from './subresources/scale.ts'
import { createSubresource } from './subresources/create-subresource.ts'
import { stored, update } from './write/update.ts'
import { readWriteOptions } from './write/write-options.ts'

/** A request for objects, already read. */
export interface ApiRequest {
  readonly method: string
  readonly info: ResourceRequest
  readonly query: URLSearchParams
  readonly contentType: string
  readonly userAgent: string
  readonly body: unknown
  /** Refuses a writer who may change an object, yet not create the one that is missing; absent where nobody is asked. */
  readonly checkCreate?: () => void
}

/** What a verb answers. */
export interface ApiAnswer {
  readonly code: number
  readonly body: KubeObject | ListBody | Record<string, unknown>
  readonly warnings: readonly string[]
}

/** Carries out any request for objects but watches. */
export function handle(backend: Backend, request: ApiRequest): ApiAnswer {
  const { info } = request
  const warnings = [...deprecationsOf(info.type, backend.catalog)]
  checkVerb(info)
  const answer =
    info.name === undefined ? handleCollection(backend, request, warnings) : handleObject(backend, request, warnings)
  return { ...answer, warnings }
}

type Answer = Omit<ApiAnswer, 'warnings'>

function handleCollection(backend: Backend, request: ApiRequest, warnings: string[]): Answer {
  const { info, query } = request
  switch (request.method) {
    case 'GET':
      return { code: 200, body: list(backend, info, query) }
    case 'POST':
      return { code: 201, body: create(backend, info, request.body, readWriteOptions(request, warnings)) }
    case 'DELETE':
      return { code: 200, body: removeAll(backend, request) }
    default:
      throw methodNotAllowed()
  }
}

function handleObject(backend: Backend, request: ApiRequest, warnings: string[]): Answer {
  const { info } = request
  if (info.subresource === 'scale') {
    return { code: 200, body: handleScale(backend, request, readWriteOptions(request, warnings)) }
  }
  switch (request.method) {
    case 'POST':
      return { code: 201, body: createSubresource(backend, request, readWriteOptions(request, warnings)) }
    case 'GET':
      checkReadVersion(backend, request.query)
      return { code: 200, body: stored(backend, info) }
    case 'PUT':
      return updateObject(backend, request, readWriteOptions(request, warnings))
    case 'PATCH':
      return patchObject(backend, request, readWriteOptions(request, warnings))
    case 'DELETE':
      return removeOne(backend, request, warnings)
    default:
      throw methodNotAllowed()
  }
}

function updateObject(backend: Backend, request: ApiRequest, options: WriteOptions): Answer {
  const { object, created } = update(backend, request.info, request.body, options)
  return { code: created ? 201 : 200, body: object }
}

function patchObject(backend: Backend, request: ApiRequest, options: WriteOptions): Answer {
  if (!request.contentType.startsWith('application/apply-patch')) {
    return { code: 200, body: patch(backend, request.info, request.contentType, request.body, options) }
  }
  const { object, created } = apply(backend, request.info, request.body, options)
  return { code: created ? 201 : 200, body: object }
}

function removeOne(backend: Backend, request: ApiRequest, warnings: string[]): Answer {
  const { info } = request
  const options = readDeleteOptions(request.body, request.query)
  const isJob = info.type.group === 'batch' && info.type.kind === 'Job'
  if (isJob && options.propagationPolicy === undefined) warnings.push(orphansPods)
  const { object, gone } = remove(backend, info, options)
  if (!gone) return { code: 200, body: object }
  const group = info.type.group === '' ? {} : { group: info.type.group }
  const details = { name: info.name, ...group, kind: info.type.resource, uid: object.metadata.uid }
  if (isShownWhenDeleted(info.type)) return { code: 200, body: object }
  return { code: 200, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details } }
}

function removeAll(backend: Backend, request: ApiRequest): ListBody {
  const { info, query } = request
  const options = readDeleteOptions(request.body, query)
  const body = list(backend, info, query)
  for (const object of body.items) removeObject(backend, info.type, object, options)
  return body
}

// Resources and subresources support only some verbs: an eviction can be created, but not read.
function checkVerb({ type, verb, namespace, subresource }: ResourceRequest): void {
  if (subresource === undefined) {
    // Across all namespaces, objects can only be read.
    const everywhere = type.namespaced && namespace === undefined && verb !== 'list'
    if (everywhere || !type.verbs.includes(verb)) throw methodNotAllowed()
    return
  }
  const known = type.subresources.find((one) => one.name === subresource)
  if (known === undefined) throw noSuchPath()
  if (!known.verbs.includes(verb)) throw methodNotAllowed()
}

const orphansPods =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning'
