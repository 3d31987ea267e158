import { stringifyJson } from '../../core/index.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { RegistryError } from './registry-error.ts'

/** One request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
}

/** Answers with headers, and with JSON where there is a body. */
export function answer(exchange: Exchange, status: number, headers: Record<string, string>, body?: unknown): void {
  const { request, response } = exchange
  const text = body === undefined ? '' : stringifyJson(body)
  const type = body === undefined || 'content-type' in headers ? {} : { 'content-type': 'application/json' }
  // 204 has no body to have a length.
  const length = status === 204 ? {} : { 'content-length': String(Buffer.byteLength(text)) }
  response.writeHead(status, { ...type, ...length, ...headers })
  response.end(request.method === 'HEAD' ? undefined : text)
}

/** Answers with a page of sorted texts after `last`, and with a link to the next page. */
export function answerPage(exchange: Exchange, key: string, all: readonly string[], rest: object = {}): void {
  const { searchParams, pathname } = exchange.url
  const last = searchParams.get('last')
  const size = pageSize(searchParams.get('n'))
  const after = last === null ? all : all.filter((text) => text > last)
  const page = after.slice(0, size)
  const end = page.at(-1)
  const headers: Record<string, string> = {}
  if (end !== undefined && page.length < after.length) {
    headers['link'] = `<${pathname}?${new URLSearchParams({ last: end, n: String(size) }).toString()}>; rel="next"`
  }
  answer(exchange, 200, headers, { ...rest, [key]: page })
}

function pageSize(asked: string | null): number {
  if (asked === null) return Number.POSITIVE_INFINITY
  if (!/^\d{1,9}$/.test(asked)) {
    throw new RegistryError('PAGINATION_NUMBER_INVALID', `n=${asked} is no number of results`)
  }
  return Number(asked)
}

/** Reads a body of a bounded size. */
export async function readBody(request: IncomingMessage, limit: number, what: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of limited(request, limit, what)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A body that fails once it is larger than allowed. */
export async function* limited(request: IncomingMessage, limit: number, what: string): AsyncGenerator<Uint8Array> {
  let size = 0
  // The client is told why, so that its connection has to stay.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limit) {
      throw new RegistryError('SIZE_INVALID', `${what} may have ${limit} bytes at most`, { status: 413 })
    }
    yield chunk
  }
}
