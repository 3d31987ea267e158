import { isRecord, type KubeObject } from '../../core/index.ts'
import type { Backend, WriteOptions } from '../backend.ts'
import { badRequest, StatusError } from '../status-error.ts'
import { readBody } from './create.ts'
import type { RequestInfo } from './request-info.ts'
import { stored } from './update.ts'
import { storeChanged } from './write.ts'

/** PATCH by JSON patch, merge patch or strategic merge patch. */
export function patch(
  backend: Backend,
  info: RequestInfo,
  contentType: string,
  body: unknown,
  options: WriteOptions,
): KubeObject {
  const old = stored(backend, info)
  const patched = patched_(info, contentType, old, body)
  if (!isRecord(patched)) throw badRequest('the patch does not leave an object')
  const object = readBody(info, patched, options)
  return storeChanged(backend, info.type, old, object, undefined, options)
}

function patched_(info: RequestInfo, contentType: string, old: KubeObject, body: unknown): unknown {
  switch (contentType.split(';')[0]?.trim()) {
    case 'application/merge-patch+json':
      return mergePatch(old, body)
    default:
      throw new StatusError(
        415,
        'UnsupportedMediaType',
        `the body of the request was in an unknown format - ${contentType}`,
        {},
      )
  }
}

/** RFC 7386. */
export function mergePatch(target: unknown, change: unknown): unknown {
  if (!isRecord(change)) return change
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete result[key]
    else result[key] = mergePatch(result[key], value)
  }
  return result
}
