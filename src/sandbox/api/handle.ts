import type { KubeObject } from '../../core/index.ts'
import type { Backend, WriteOptions } from '../backend.ts'
import { badRequest, methodNotAllowed, noSuchPath, StatusError } from '../status-error.ts'
import { apply } from './apply.ts'
import { create } from './create.ts'
import { readDeleteOptions, remove, removeObject } from './delete.ts'
import { list, type ListBody, selectorOf } from './list.ts'
import { patch } from './patch.ts'
import type { RequestInfo } from './request-info.ts'
import { handleScale } from './scale.ts'
import { createSubresource } from './subresources.ts'
import { stored, update } from './update.ts'

/** A request for objects, already read. */
export interface ApiRequest {
  readonly method: string
  readonly info: RequestInfo
  readonly query: URLSearchParams
  readonly contentType: string
  readonly userAgent: string
  readonly body: unknown
}

/** What a verb answers. */
export interface ApiAnswer {
  readonly code: number
  readonly body: KubeObject | ListBody | Record<string, unknown>
  readonly warnings: readonly string[]
}

/** Carries out any request for objects but watches. */
export function handle(backend: Backend, request: ApiRequest): ApiAnswer {
  const warnings: string[] = []
  const { info } = request
  checkVerb(info, request.method)
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
      return { code: 201, body: create(backend, info, request.body, writeOptions(request, warnings)) }
    case 'DELETE':
      return { code: 200, body: removeAll(backend, request) }
    default:
      throw methodNotAllowed()
  }
}

function handleObject(backend: Backend, request: ApiRequest, warnings: string[]): Answer {
  const { info } = request
  if (info.subresource === 'scale') {
    return { code: 200, body: handleScale(backend, request, writeOptions(request, warnings)) }
  }
  switch (request.method) {
    case 'POST':
      return { code: 201, body: createSubresource(backend, request, writeOptions(request, warnings)) }
    case 'GET':
      return { code: 200, body: stored(backend, info) }
    case 'PUT':
      return { code: 200, body: update(backend, info, request.body, writeOptions(request, warnings)) }
    case 'PATCH':
      return patchObject(backend, request, writeOptions(request, warnings))
    case 'DELETE':
      return removeOne(backend, request)
    default:
      throw methodNotAllowed()
  }
}

function patchObject(backend: Backend, request: ApiRequest, options: WriteOptions): Answer {
  if (!request.contentType.startsWith('application/apply-patch')) {
    return { code: 200, body: patch(backend, request.info, request.contentType, request.body, options) }
  }
  if (!request.query.has('fieldManager')) {
    const message = 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch'
    const causes = [
      { reason: 'FieldValueRequired', message: 'Required value: is required for apply patch', field: 'fieldManager' },
    ]
    throw new StatusError(422, 'Invalid', message, { group: 'meta.k8s.io', kind: 'PatchOptions', causes })
  }
  const { object, created } = apply(backend, request.info, request.body, options)
  return { code: created ? 201 : 200, body: object }
}

function removeOne(backend: Backend, request: ApiRequest): Answer {
  const { info } = request
  const { object, gone } = remove(backend, info, readDeleteOptions(request.body, request.query))
  if (!gone) return { code: 200, body: object }
  const group = info.type.group === '' ? {} : { group: info.type.group }
  const details = { name: info.name, ...group, kind: info.type.resource, uid: object.metadata.uid }
  // Pods and a few others answer with the object itself; everything else with a Status.
  if (info.type.kind === 'Pod' && info.type.group === '') return { code: 200, body: object }
  return { code: 200, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details } }
}

function removeAll(backend: Backend, request: ApiRequest): ListBody {
  const { info, query } = request
  const options = readDeleteOptions(request.body, query)
  const body = list(backend, info, query)
  const selected = selectorOf(info.type, query)
  for (const object of body.items) {
    if (selected === undefined || selected(object)) removeObject(backend, info.type, object, options)
  }
  return body
}

function writeOptions(request: ApiRequest, warnings: string[]): WriteOptions {
  const { query } = request
  const dryRun = query.getAll('dryRun')
  if (dryRun.some((value) => value !== 'All'))
    throw badRequest(`dryRun: Unsupported value: ${JSON.stringify(dryRun[0])}: supported values: "All"`)
  const validation = query.get('fieldValidation') ?? 'Warn'
  if (validation !== 'Strict' && validation !== 'Warn' && validation !== 'Ignore') {
    throw badRequest(`fieldValidation: Unsupported value: ${JSON.stringify(validation)}`)
  }
  return {
    dryRun: dryRun.includes('All'),
    // Without a name the writer is known by the first word of its user agent.
    fieldManager: query.get('fieldManager') ?? request.userAgent.split('/')[0] ?? '',
    fieldValidation: validation,
    force: query.get('force') === 'true',
    subresource: request.info.subresource ?? '',
    warnings,
  }
}

// A subresource knows only some verbs: an eviction can be made, and not read.
function checkVerb({ type, subresource }: RequestInfo, method: string): void {
  if (subresource === undefined) return
  const known = type.subresources.find(({ name }) => name === subresource)
  if (known === undefined) throw noSuchPath()
  if (!known.verbs.includes(verbs[method] ?? '')) throw methodNotAllowed()
}

const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}
