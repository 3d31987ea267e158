import { type Context, LadingError, monotonicNow, type RetryPolicy, toLadingError } from '../../core/index.ts'
import { answerError, header } from './answer-error.ts'
import { Authorizer, type AuthorizerOptions } from './auth/authorize.ts'
import type { Network, WireAnswer, WireRequest } from './network/network.ts'
import { dump } from './network/read-body.ts'
import { retryDelay } from './network/retry.ts'
import { cancelled } from './network/wire-error.ts'

/** A request to a registry. */
export interface RegistryRequest {
  readonly method: WireRequest['method']
  /** Path on the registry, or where the registry itself said to go on. */
  readonly to: string | URL
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes, or a stream that is opened anew for each attempt. */
  readonly body?: Uint8Array | (() => AsyncIterable<Uint8Array>)
  /** What a token must allow. */
  readonly scopes: readonly string[]
  /** The statuses that are answers; all others are errors. */
  readonly expect: readonly number[]
  /** What is done, for messages. */
  readonly what: string
  /** Whether a failed attempt is repeated; true unless told. */
  readonly retry?: boolean
}

/** What a client needs. */
export interface ClientOptions extends AuthorizerOptions {
  readonly retry: RetryPolicy
}

const maxRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

/** Sends requests to one registry: authorised, repeated where that helps, and redirected without its credentials. */
export class RegistryClient {
  readonly origin: URL
  readonly network: Network
  readonly #options: ClientOptions
  readonly #authorizer: Authorizer
  #private: Promise<boolean> | undefined

  constructor(options: ClientOptions) {
    this.#options = options
    this.origin = options.origin
    this.network = options.network
    this.#authorizer = new Authorizer(options)
  }

  async send(request: RegistryRequest, ctx: Context): Promise<WireAnswer> {
    return this.attempts(() => this.#authorised(request, ctx), ctx, request.retry)
  }

  /** Does something until it succeeds, fails for good or has been tried often enough. */
  async attempts<T>(work: (attempt: number) => Promise<T>, ctx: Context, retry = true): Promise<T> {
    const begun = monotonicNow(ctx.clock)
    for (let made = 1; ; made++) {
      try {
        if (ctx.signal.aborted) throw cancelled(ctx.signal.reason)
        return await work(made)
      } catch (thrown) {
        const error = toLadingError(thrown)
        const so = { made, elapsedMs: monotonicNow(ctx.clock) - begun }
        const delay = retry ? retryDelay(this.#options.retry, error, so, ctx.clock) : undefined
        if (delay === undefined || ctx.signal.aborted) throw error
        ctx.log.debug('the registry is asked again', { code: error.code, attempt: made, delayMs: Math.round(delay) })
        await this.#sleep(delay, ctx)
      }
    }
  }

  async #sleep(ms: number, ctx: Context): Promise<void> {
    try {
      await ctx.clock.sleep(ms, ctx.signal)
    } catch {
      throw cancelled(ctx.signal.reason)
    }
  }

  async #authorised(request: RegistryRequest, ctx: Context): Promise<WireAnswer> {
    let authorization = await this.#authorizer.header(request.scopes, ctx)
    // Twice: the first challenge tells how, the second that a remembered token is not good any more.
    for (let renewals = 0; ; renewals++) {
      const answer = await this.#follow(request, authorization, ctx)
      if (request.expect.includes(answer.status)) return answer
      // Read before anything else is asked: answers that wait would keep all connections from the token server.
      const refusal = await answerError(answer, request.what, (text) => this.#authorizer.redact(text))
      // Only the registry itself may ask for its credentials.
      if (answer.status !== 401 || answer.url.origin !== this.origin.origin || renewals >= 2) throw refusal
      const challenge = answer.headers['www-authenticate']
      const renewed = await this.#authorizer.renew(challenge, request.scopes, authorization, ctx)
      if (renewed === undefined) throw refusal
      authorization = renewed
    }
  }

  async #follow(request: RegistryRequest, authorization: string | undefined, ctx: Context): Promise<WireAnswer> {
    const { method, body } = request
    let url = new URL(request.to, this.origin)
    let left = url.origin !== this.origin.origin
    for (let hops = 0; ; hops++) {
      const sent = body === undefined || body instanceof Uint8Array ? body : body()
      const headers = {
        'user-agent': this.#options.userAgent,
        'accept-encoding': 'identity',
        ...request.headers,
        ...(!left && authorization !== undefined && { authorization }),
      }
      const guarded = left && !(await this.#onPrivateNetwork())
      const answer = await this.network.send(
        { method, url, headers, ...(sent !== undefined && { body: sent }) },
        guarded,
        ctx,
      )
      const location = header(answer, 'location')
      if (!redirects.has(answer.status) || request.expect.includes(answer.status) || location === undefined) {
        return answer
      }
      // Content is sent only where the registry's own answers say that uploads go on.
      if (method !== 'GET' && method !== 'HEAD') return answer
      await dump(answer)
      if (hops >= maxRedirects) throw this.#unsafe('redirects too often')
      url = this.elsewhere(location, url)
      // Credentials stay with the registry, also when a redirect comes back to it.
      left ||= url.origin !== this.origin.origin
    }
  }

  /** Where a registry sends its clients, if that is a place to go to. */
  elsewhere(location: string, from: URL): URL {
    const url = URL.parse(location, from.href)
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
      throw this.#unsafe('redirects to what is no http(s) URL')
    }
    if (url.username !== '' || url.password !== '') throw this.#unsafe('redirects to a URL with a user')
    if (from.protocol === 'https:' && url.protocol === 'http:') {
      // Registries behind a proxy that ends TLS often do not know that they are called by https.
      if (url.hostname !== this.origin.hostname) throw this.#unsafe('redirects from https to http')
      url.protocol = 'https:'
      url.port = this.origin.port
    }
    url.hash = ''
    return url
  }

  #onPrivateNetwork(): Promise<boolean> {
    return (this.#private ??= this.network.isPrivate(this.origin.hostname))
  }

  #unsafe(what: string): LadingError {
    return new LadingError('oci.unsafe', `${this.origin.host} ${what}`, { registry: this.origin.host })
  }
}
