import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { type Context, LadingError, parseJson, silentLog } from '../core/index.ts'
import { AbortGroups } from './abort-groups.ts'
import type { Connection, Credentials } from './connect/connection.ts'
import { createDispatchers, type Dispatchers } from './dispatchers.ts'
import { exchange } from './exchange.ts'
import { openStream } from './open-stream.ts'
import { requestBody, requestTarget } from './request-target.ts'
import { type Attempts, defaultRetryPolicy, retryDelay, type RetryPolicy } from './retry.ts'
import { statusError } from './status-error.ts'
import type { KubeRequest, KubeResponse, KubeStream, Transport } from './transport.ts'
import { parseWarnings } from './warnings.ts'
import { cancelled } from './wire-error.ts'

/** Limits of a transport. */
export interface TransportOptions {
  /** Keep-alive connections for requests; streams have their own. */
  readonly connections?: number
  /** Limit for one attempt; above the 60 s after which API servers give up themselves, so that their answer wins. */
  readonly timeoutMs?: number
  /** Limit for opening a connection. */
  readonly connectTimeoutMs?: number
  /** Largest answer that is read. */
  readonly maxBytes?: number
  readonly retry?: Partial<RetryPolicy>
}

/** Carries requests over undici: keep-alive HTTP/1.1, which serves many small objects faster than its HTTP/2. */
export function createTransport(connection: Connection, options: TransportOptions = {}): Transport {
  return new UndiciTransport(connection, options)
}

class UndiciTransport implements Transport {
  readonly server: string
  readonly identity: string
  readonly #connection: Connection
  readonly #dispatchers: Dispatchers
  readonly #aborts = new AbortGroups()
  readonly #retry: RetryPolicy
  readonly #timeoutMs: number
  readonly #maxBytes: number
  readonly #origin: string
  readonly #basePath: string
  #headerSets: { of: Credentials | undefined; sets: Map<string, HeaderSet> } = { of: undefined, sets: new Map() }

  constructor(connection: Connection, options: TransportOptions) {
    this.#connection = connection
    this.server = connection.server
    this.identity = connection.identity
    this.#timeoutMs = options.timeoutMs ?? 75_000
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024
    this.#retry = { ...defaultRetryPolicy, ...options.retry }
    const url = new URL(connection.server)
    this.#origin = url.origin
    this.#basePath = url.pathname.replace(/\/+$/, '')
    this.#dispatchers = createDispatchers(connection, options.connections ?? 32, options.connectTimeoutMs ?? 10_000)
  }

  async request(request: KubeRequest, ctx: Context): Promise<KubeResponse> {
    const target = requestTarget(this.#basePath, request)
    const body = requestBody(request.body)
    const maxBytes = request.maxBytes ?? this.#maxBytes
    const answer = await this.#persist(request, ctx, (credentials, timeoutMs) =>
      exchange(this.#dispatchers.request(credentials), this.#options(request, target, body, credentials), {
        server: this.server,
        timeoutMs,
        maxBytes,
        signal: ctx.signal,
        aborts: this.#aborts,
      }),
    )
    return responseOf(answer, request)
  }

  async stream(request: KubeRequest, ctx: Context): Promise<KubeStream> {
    const target = requestTarget(this.#basePath, request)
    const body = requestBody(request.body)
    const opened = await this.#persist(request, ctx, (credentials, timeoutMs) => {
      const options = {
        ...this.#options(request, target, body, credentials),
        headersTimeout: timeoutMs,
        bodyTimeout: 0,
      }
      return openStream(this.#dispatchers.stream(credentials), options, this.server, ctx.signal)
    })
    return opened.stream
  }

  async close(): Promise<void> {
    await this.#dispatchers.close()
  }

  /** Makes attempts until one succeeds or its failure stands. */
  async #persist<T extends Reply>(request: KubeRequest, ctx: Context, attempt: Attempt<T>): Promise<T> {
    const started = ctx.clock.now()
    const deadline = request.timeoutMs === undefined ? Infinity : started + request.timeoutMs
    const so: Attempts = { made: 0, waitedMs: 0 }
    let refreshed = false
    for (;;) {
      const credentials = this.#connection.credentials(ctx)
      const reply = await attempt(
        credentials instanceof Promise ? await credentials : credentials,
        Math.min(this.#timeoutMs, deadline - ctx.clock.now()),
      )
      so.made += 1
      this.#report(request, reply, ctx, ctx.clock.now() - started, so.made)
      if (reply.ok && reply.status < 300) return reply
      const error = reply.ok ? refusal(reply, request) : reply.error
      if (error.code === 'kube.unauthorized' && !refreshed) {
        refreshed = true
        if ((await this.#connection.refresh?.(ctx)) === true) continue
      }
      const delay = retryDelay(this.#retry, request, error, reply.ok || reply.sent, so)
      if (delay === undefined || ctx.clock.now() + delay >= deadline) throw error
      so.waitedMs += delay
      await sleep(delay, ctx)
    }
  }

  #options(
    request: KubeRequest,
    path: string,
    body: string | Uint8Array | null,
    credentials: Credentials,
  ): Dispatcher.DispatchOptions {
    return { origin: this.#origin, method: request.method, path, body, headers: this.#headers(request, credentials) }
  }

  /** Headers are the same for thousands of requests: built once for each content type under the same credentials. */
  #headers(request: KubeRequest, credentials: Credentials): HeaderSet {
    if (this.#headerSets.of !== credentials) this.#headerSets = { of: credentials, sets: new Map() }
    const { sets } = this.#headerSets
    const accept = request.accept ?? 'application/json'
    const contentType = request.body === undefined ? '' : (request.contentType ?? 'application/json')
    const key = `${accept}\n${contentType}`
    let set = sets.get(key)
    if (set === undefined) {
      set = {
        accept,
        'user-agent': 'lading',
        ...(contentType !== '' && { 'content-type': contentType }),
        ...credentials.headers,
      }
      sets.set(key, set)
    }
    return set
  }

  /** Says what happened without query, body or headers: any of them may hold something secret. */
  #report(request: KubeRequest, reply: Reply | Failure, ctx: Context, ms: number, attempt: number): void {
    if (ctx.log === silentLog) return
    const { method, path } = request
    ctx.log.debug('kube request', {
      method,
      path,
      ms,
      attempt,
      ...(reply.ok ? { status: reply.status } : { code: reply.error.code }),
    })
  }
}

type HeaderSet = Record<string, string | string[]>

interface Reply {
  readonly ok: true
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

interface Failure {
  readonly ok: false
  readonly error: LadingError
  readonly sent: boolean
}

type Attempt<T extends Reply> = (credentials: Credentials, timeoutMs: number) => Promise<T | Failure>

async function sleep(ms: number, ctx: Context): Promise<void> {
  try {
    await ctx.clock.sleep(ms, ctx.signal)
  } catch (error) {
    throw ctx.signal.aborted ? cancelled(ctx.signal.reason) : error
  }
}

function responseOf(reply: Reply, request: KubeRequest): KubeResponse {
  const { status, headers } = reply
  const warnings = parseWarnings(headers['warning'])
  return { status, headers: flatten(headers), body: bodyOf(reply, request), warnings }
}

function bodyOf(reply: Reply, request: KubeRequest): unknown {
  if (!isJson(reply.headers)) return reply.text
  try {
    return parseJson(reply.text)
  } catch (cause) {
    const message = `the API server answered ${request.method} ${request.path} with broken JSON`
    throw new LadingError('kube.server-error', message, { status: reply.status }, { cause })
  }
}

function refusal(reply: Reply, request: KubeRequest): LadingError {
  let body: unknown
  try {
    body = isJson(reply.headers) ? parseJson(reply.text) : undefined
  } catch {
    // Something between us and the API server answered; its code is all that counts.
  }
  return statusError(reply.status, body, request, flatten(reply.headers))
}

function isJson(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.includes('json') ?? false
}

function flatten(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  for (const name in headers) {
    const value = headers[name]
    if (Array.isArray(value)) headers[name] = value.join(', ')
  }
  return headers as Record<string, string | undefined>
}
