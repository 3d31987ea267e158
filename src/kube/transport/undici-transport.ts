import type { Dispatcher } from 'undici'
import {
  type Attempts,
  type Context,
  defined,
  LadingError,
  monotonicNow,
  requireLock,
  type RetryPolicy,
  silentLog,
} from '../../core/index.ts'
import { AbortGroups } from './abort-groups.ts'
import type { Connection, Credentials } from '../connect/connection.ts'
import { createDispatchers, type Dispatchers } from './dispatchers.ts'
import { exchange } from './exchange.ts'
import { openStream } from './open-stream.ts'
import { openUpgrade } from './open-upgrade.ts'
import { readRefusal, readResponse, type Reply } from './read-response.ts'
import { requestBody, requestTarget, withoutQuery } from './request-target.ts'
import { defaultRetryPolicy, retryDelay } from './retry.ts'
import type {
  KubeRequest,
  KubeResponse,
  KubeStream,
  Transport,
  UpgradedConnection,
  UpgradeRequest,
} from './transport.ts'
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
  const pools = createDispatchers(connection, options.connections ?? 32, options.connectTimeoutMs ?? 10_000)
  return new UndiciTransport(connection, options, pools)
}

/** A transport over connection pools that somebody else opened, and closes. */
export function createSharedTransport(
  connection: Connection,
  options: TransportOptions,
  pools: Dispatchers,
): Transport {
  return new UndiciTransport(connection, options, { ...pools, close: async () => undefined })
}

type HeaderSet = Record<string, string | string[]>

interface Failure {
  readonly ok: false
  readonly error: LadingError
  readonly sent: boolean
}

type Attempt<T extends Reply> = (credentials: Credentials, timeoutMs: number) => Promise<T | Failure>

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
  /** The server as messages name it. */
  readonly #label: string
  #headerSets: { of: Credentials | undefined; sets: Map<string, HeaderSet> } = { of: undefined, sets: new Map() }

  constructor(connection: Connection, options: TransportOptions, dispatchers: Dispatchers) {
    this.#connection = connection
    this.#dispatchers = dispatchers
    this.server = connection.server
    this.identity = connection.identity
    this.#timeoutMs = options.timeoutMs ?? 75_000
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024
    this.#retry = { ...defaultRetryPolicy, ...options.retry }
    const { origin, pathname } = new URL(connection.server)
    this.#origin = origin
    this.#basePath = pathname.replace(/\/+$/, '')
    const proxy = connection.proxyUrl
    this.#label = proxy === undefined ? this.server : `${this.server} through the proxy ${new URL(proxy).host}`
  }

  async request(request: KubeRequest, ctx: Context): Promise<KubeResponse> {
    const target = requestTarget(this.#basePath, request)
    const body = requestBody(request.body)
    const maxBytes = request.maxBytes ?? this.#maxBytes
    const reply = await this.#persist(request, ctx, (credentials, timeoutMs) =>
      exchange(this.#dispatchers.request(credentials), this.#options(request, target, body, credentials), {
        server: this.#label,
        timeoutMs,
        maxBytes,
        signal: ctx.signal,
        aborts: this.#aborts,
        ...(isWrite(request) && ctx.fence !== undefined ? { fence: ctx.fence } : {}),
      }),
    )
    return readResponse(reply, request)
  }

  async stream(request: KubeRequest, ctx: Context): Promise<KubeStream> {
    const target = requestTarget(this.#basePath, request)
    const body = requestBody(request.body)
    const opened = await this.#persist(request, ctx, (credentials, timeoutMs) => {
      const options = { ...this.#options(request, target, body, credentials), headersTimeout: timeoutMs }
      return openStream(this.#dispatchers.stream(credentials), options, this.#label, ctx.signal)
    })
    return opened.stream
  }

  async upgrade(request: UpgradeRequest, ctx: Context): Promise<UpgradedConnection> {
    const { protocol, headers, proof, ...rest } = request
    const target = requestTarget(this.#basePath, rest)
    const { socket, headers: answered } = await this.#persist(
      { ...request, repeatable: false },
      ctx,
      (credentials, timeoutMs) => {
        const options = this.#options(rest, target, null, credentials)
        const own = { ...options, upgrade: protocol, headers: { ...this.#headers(rest, credentials), ...headers } }
        const limits = { server: this.#label, timeoutMs, signal: ctx.signal, ...defined({ fence: ctx.fence }) }
        return openUpgrade(this.#dispatchers.stream(credentials), own, limits)
      },
    )
    if (socket !== undefined && answered['sec-websocket-accept'] === proof) {
      const subprotocol = answered['sec-websocket-protocol']
      return { socket, ...(typeof subprotocol === 'string' && { subprotocol }) }
    }
    socket?.destroy()
    const message = `${this.#label} did not switch to ${protocol} for ${rest.method} ${withoutQuery(rest.path)}`
    throw new LadingError('kube.unsupported', message)
  }

  async close(): Promise<void> {
    await this.#dispatchers.close()
  }

  /** Makes attempts until one succeeds or its failure stands. */
  async #persist<T extends Reply>(request: KubeRequest, ctx: Context, attempt: Attempt<T>): Promise<T> {
    const started = monotonicNow(ctx.clock)
    const deadline = request.timeoutMs === undefined ? Infinity : started + request.timeoutMs
    const so: Attempts = { made: 0, elapsedMs: 0 }
    let refreshed = false
    for (;;) {
      if (isWrite(request)) await requireLock(ctx)
      const known = this.#connection.credentials(ctx)
      const credentials = known instanceof Promise ? await known : known
      const left = request.timeoutMs === undefined ? this.#timeoutMs : Math.max(1, deadline - monotonicNow(ctx.clock))
      const reply = await attempt(credentials, Math.min(left, longestTimer))
      so.made += 1
      so.elapsedMs = monotonicNow(ctx.clock) - started
      if (ctx.log !== silentLog) report(request, reply, so, ctx)
      if (reply.ok && reply.status < 300) return reply
      const error = reply.ok ? readRefusal(reply, request) : reply.error
      // It waited for a connection, and too much time has passed meanwhile: whether the lock still holds is asked first.
      if (error.code === 'release.lock-lost' && !ctx.signal.aborted) continue
      if (error.code === 'kube.unauthorized' && !refreshed) {
        refreshed = true
        if ((await this.#connection.refresh?.(credentials, ctx)) === true) continue
      }
      const delay = retryDelay(this.#retry, request, error, reply.ok || reply.sent, so)
      if (delay === undefined || monotonicNow(ctx.clock) + delay >= deadline) throw error
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
      set = { accept, 'user-agent': 'lading', ...credentials.headers }
      if (contentType !== '') set['content-type'] = contentType
      sets.set(key, set)
    }
    return set
  }
}

/** Whether a request changes something: a command in a pod does, whatever its verb. */
function isWrite(request: KubeRequest | UpgradeRequest): boolean {
  return 'protocol' in request || (request.method !== 'GET' && request.query?.['dryRun'] === undefined)
}

/** The longest time that a timer of Node can hold. */
const longestTimer = 2 ** 31 - 1

/** Says what happened without query, body or headers: any of them may hold something secret. */
function report(request: KubeRequest, reply: Reply | Failure, so: Attempts, ctx: Context): void {
  const outcome = reply.ok ? { status: reply.status } : { code: reply.error.code }
  const { method, path } = request
  ctx.log.debug('kube request', { method, path: withoutQuery(path), ...outcome, ms: so.elapsedMs, attempt: so.made })
}

async function sleep(ms: number, ctx: Context): Promise<void> {
  try {
    await ctx.clock.sleep(ms, ctx.signal)
  } catch (error) {
    throw ctx.signal.aborted ? cancelled(ctx.signal.reason) : error
  }
}
