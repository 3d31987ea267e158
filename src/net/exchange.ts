import { type ClientRequest, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Agents } from './agents.ts'

/** One HTTP request. */
export interface WireRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined
}

/** The answer to one request; its body has to be read to the end or dumped. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readable
  readonly url: URL
}

/** How long a connection may take. */
export interface TimeLimits {
  readonly connectTimeoutMs: number
  /** How long a server may stay silent. */
  readonly timeoutMs: number
}

/** Sends one request over pooled connections; follows no redirect. */
export function exchange(
  { method, url, headers, body }: WireRequest,
  agents: Agents,
  { connectTimeoutMs, timeoutMs }: TimeLimits,
  signal: AbortSignal,
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const parts = { method, headers: { ...headers }, signal }
    const outgoing =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...parts, agent: agents.https })
        : httpRequest(url, { ...parts, agent: agents.http })
    outgoing.once('response', (answer) => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: answer, url })
    })
    outgoing.on('error', reject)
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(timeout()))
    outgoing.once('socket', (socket) => limitConnecting(socket, outgoing, connectTimeoutMs))
    if (body === undefined || body instanceof Uint8Array) outgoing.end(body)
    else pipeline(Readable.from(body), outgoing).catch(reject)
  })
}

function limitConnecting(socket: Socket, outgoing: ClientRequest, ms: number): void {
  if (!socket.connecting) return
  const timer = setTimeout(() => outgoing.destroy(timeout()), ms)
  const clear = (): void => clearTimeout(timer)
  socket.once('connect', clear)
  socket.once('close', clear)
}

function timeout(): Error {
  return Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })
}
