import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { rootCertificates } from 'node:tls'
import { type Context, LadingError } from '../../../core/index.ts'
import { withLargeReads } from './large-reads.ts'
import { type HostGuard, openHostGuard, type ResolveName } from './host-guard.ts'
import { openProxies, tunnelError } from './proxies.ts'
import { privateTarget, wireError } from './wire-error.ts'

/** One HTTP request. */
export interface WireRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>
}

/** The answer to one request; its body has to be read to the end or dumped. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: IncomingMessage
  readonly url: URL
}

/** The connections of a client. */
export interface Network {
  /** Sends a request; `guarded` ones do not get into private networks. */
  send(request: WireRequest, guarded: boolean, ctx: Context): Promise<WireAnswer>
  /** Whether a host is on a private network. */
  isPrivate(hostname: string): Promise<boolean>
  close(): Promise<void>
}

/** What connections need. */
export interface NetworkOptions {
  /** Certificate authorities to be trusted beside the public ones, as PEM. */
  readonly ca?: string
  /** Takes any certificate. */
  readonly insecure?: boolean
  readonly connectTimeoutMs?: number
  /** Limit for the silence of a registry. */
  readonly timeoutMs?: number
  /** The environment whose HTTP_PROXY, HTTPS_PROXY and NO_PROXY are followed; this process' own unless told. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Finds the addresses of names; the system's resolver unless told. */
  readonly resolve?: ResolveName
}

/**
 * Connections over Node's own client, keep-alive HTTP/1.1: its parser is native, which for a few large bodies costs two thirds
 * of what undici does, and a command that does nothing else starts sooner.
 */
export function createNetwork(options: NetworkOptions): Network {
  const { ca } = options
  if (ca !== undefined && !ca.includes('-----BEGIN ')) {
    throw new LadingError('oci.tls', 'the certificate authority is no PEM')
  }
  const guard = openHostGuard(options.resolve)
  const open = agents(options, guard, 'any')
  const guardedAgents = agents(options, guard, 'public')
  const proxies = openProxies(options)
  return {
    async send(request, guarded, ctx) {
      const { hostname, host } = request.url
      const route = proxies.route(request.url)
      // Literal addresses are not looked up, and a proxy looks names up itself: the guard of names sees neither.
      const unseen = route !== undefined || /^[\d.]+$|^\[/.test(hostname)
      if (guarded && unseen && (await guard.isPrivate(hostname))) throw privateTarget(hostname)
      try {
        return await exchange(request, route?.agents ?? (guarded ? guardedAgents : open), options, ctx)
      } catch (error) {
        if (route === undefined) throw wireError(error, host, ctx.signal)
        throw tunnelError(error, host, route.proxy) ?? wireError(error, `${host} through ${route.proxy}`, ctx.signal)
      }
    },
    isPrivate: guard.isPrivate,
    async close() {
      for (const { http, https } of [open, guardedAgents]) {
        http.destroy()
        https.destroy()
      }
      proxies.close()
    },
  }
}

/** The connections of one kind. */
export interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

function agents({ ca, insecure }: NetworkOptions, guard: HostGuard, only: 'any' | 'public'): Agents {
  const shared = {
    keepAlive: true,
    maxSockets: 16,
    scheduling: 'lifo',
    lookup: guard.lookup(only),
  } as const
  const trust = { rejectUnauthorized: insecure !== true, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) }
  return {
    http: withLargeReads(new HttpAgent(shared)),
    https: withLargeReads(new HttpsAgent({ ...shared, ...trust })),
  }
}

function exchange(request: WireRequest, agents: Agents, options: NetworkOptions, ctx: Context): Promise<WireAnswer> {
  const { method, url, headers, body } = request
  const { connectTimeoutMs = 15_000, timeoutMs = 120_000 } = options
  return new Promise((resolve, reject) => {
    const parts = { method, headers: { ...headers }, signal: ctx.signal }
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
