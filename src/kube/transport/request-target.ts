import { stringifyJson } from '../../core/index.ts'
import type { KubeRequest } from './transport.ts'

/** The path of a request with its query, below the base path of the server's URL. */
export function requestTarget(basePath: string, request: KubeRequest): string {
  let target = basePath + request.path
  if (request.query === undefined) return target
  let separator = target.includes('?') ? '&' : '?'
  for (const name in request.query) {
    const value = request.query[name]
    if (value === undefined) continue
    target += `${separator}${encodeURIComponent(name)}=${encodeURIComponent(value)}`
    separator = '&'
  }
  return target
}

/** The bytes of a request's body; apply patches go as JSON, which is YAML and needs no writer. */
export function requestBody(body: unknown): string | Uint8Array | null {
  if (body === undefined) return null
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  return stringifyJson(body)
}

/** A path without what may follow it: a query may hold something that a log must not. */
export function withoutQuery(path: string): string {
  const mark = path.indexOf('?')
  return mark < 0 ? path : path.slice(0, mark)
}
