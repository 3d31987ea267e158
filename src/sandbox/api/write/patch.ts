import { applyJsonPatch, isLadingError, isRecord, type KubeObject, mergePatch } from '../../../core/index.ts'
import { strategicMerge } from '../../../schema/index.ts'
import type { Backend, WriteOptions } from '../../backend.ts'
import type { ResourceType } from '../../resource-type.ts'
import { badRequest, invalid, StatusError } from '../../status-error.ts'
import { readBody } from './create.ts'
import { strictProblem } from './field-validation.ts'
import type { ResourceRequest } from '../resource-request.ts'
import { checkName, stored } from './update.ts'
import { invalidValue } from './validate-meta.ts'
import { apiVersionOf, decodeObject } from './decode-object.ts'
import { storeChanged } from './store-object.ts'

/** PATCH by JSON patch, merge patch or strategic merge patch. */
export function patch(
  backend: Backend,
  info: ResourceRequest,
  contentType: string,
  body: unknown,
  options: WriteOptions,
): KubeObject {
  const merge = patchOf(info.type, contentType)
  const old = stored(backend, info)
  const object = readPatched(info, old, merge(old, body), options)
  return storeChanged(backend, info.type, old, object, undefined, options)
}

/** A way to change an object by a patch document. */
export type Patch = (object: KubeObject, body: unknown) => unknown

/** The way that a content type asks for; custom resources know no strategic merge. */
export function patchOf(type: ResourceType, contentType: string): Patch {
  switch (contentType.split(';')[0]?.trim()) {
    case 'application/json-patch+json':
      return jsonPatched
    case 'application/merge-patch+json':
      return mergePatched
    case 'application/strategic-merge-patch+json':
      if (type.crd === undefined) return (object, body) => strategicPatched(type, object, body)
      break
    default:
  }
  throw unsupportedPatch(type)
}

/** What the patch leaves, as an object of the type that was patched. */
function readPatched(info: ResourceRequest, old: KubeObject, patched: unknown, options: WriteOptions): KubeObject {
  const { type } = info
  if (!isRecord(patched)) throw badRequest('the patch does not leave an object')
  if (patched['apiVersion'] !== apiVersionOf(type) || patched['kind'] !== type.kind) {
    throw refusedPatch(`unable to decode a ${apiVersionOf(type)} ${type.kind} out of what the patch leaves`)
  }
  const problem = options.fieldValidation === 'Strict' ? strictProblem(type, patched) : undefined
  if (problem !== undefined) throw refusedPatch(problem)
  const object = readFitting(info, patched, options)
  const { name, uid } = object.metadata
  checkName(name, info.name ?? '')
  if (uid !== undefined && uid !== old.metadata.uid) {
    const cause = invalidValue('metadata.uid', uid, 'field is immutable')
    throw invalid(type, name, [cause, cause])
  }
  return object
}

// A value of another type is no bad request but a patch that leads nowhere.
function readFitting(info: ResourceRequest, patched: Record<string, unknown>, options: WriteOptions): KubeObject {
  try {
    return readBody(info, patched, options)
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 400 || isDecodable(info.type, patched)) throw error
    throw refusedPatch(error.message)
  }
}

function isDecodable(type: ResourceType, patched: Record<string, unknown>): boolean {
  try {
    decodeObject(type, patched)
    return true
  } catch {
    return false
  }
}

const jsonPatched: Patch = (object, body) => {
  if (!Array.isArray(body)) throw badRequest('error decoding patch: a JSON patch is a list of operations')
  try {
    return applyJsonPatch(object, body, { lenient: true })
  } catch (error) {
    if (!isLadingError(error, 'patch.invalid')) throw error
    throw new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {})
  }
}

const mergePatched: Patch = (object, body) => {
  if (!isRecord(body)) throw badRequest('error decoding patch: a merge patch is a map')
  return mergePatch(object, body)
}

function strategicPatched(type: ResourceType, object: KubeObject, body: unknown): unknown {
  if (!isRecord(body)) throw badRequest('error decoding patch: a strategic merge patch is a map')
  try {
    return strategicMerge(object, body, type.schema)
  } catch (error) {
    if (!isLadingError(error, 'patch.invalid')) throw error
    // The API server takes only some contradictions for the client's fault.
    if (error.details.malformed === undefined) throw new StatusError(500, '', error.message)
    throw badRequest(error.message)
  }
}

/** 422 for a patch whose outcome is no object of the type. */
function refusedPatch(why: string): StatusError {
  const cause = { reason: 'FieldValueInvalid', message: `Invalid value: ${why}`, field: 'patch' }
  return new StatusError(422, 'Invalid', ` "" is invalid: patch: ${cause.message}`, { causes: [cause] })
}

function unsupportedPatch(type: ResourceType): StatusError {
  if (type.crd === undefined) return new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
  const accepted = 'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml'
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`
  return new StatusError(415, 'UnsupportedMediaType', message)
}
