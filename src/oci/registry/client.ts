import { type Context, monotonicNow, type RetryPolicy, toLadingError } from '../../core/index.ts'
import {
  type Explain,
  follow,
  type Network,
  redirectTarget,
  type WireAnswer,
  type WireRequest,
} from '../../net/index.ts'
import { answerError } from './answer-error.ts'
import { Authorizer, type AuthorizerOptions } from './auth/authorize.ts'
import { retryDelay } from './network/retry.ts'
import { cancelled, explainRegistry } from './network/wire-error.ts'

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
  /** Whether a failed attempt is repeated (default: true). */
  readonly retry?: boolean
}

/** What a client needs. */
export interface ClientOptions extends AuthorizerOptions {
  readonly retry: RetryPolicy
}

/** Sends requests to one registry: authorised, repeated where that helps, and redirected without its credentials. */
export class RegistryClient {
  readonly origin: URL
  readonly network: Network
  readonly #options: ClientOptions
  readonly #authorizer: Authorizer
  readonly #explain: Explain

  constructor(options: ClientOptions) {
    this.#options = options
    this.origin = options.origin
    this.network = options.network
    this.#explain = explainRegistry(options.origin)
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

  #follow(request: RegistryRequest, authorization: string | undefined, ctx: Context): Promise<WireAnswer> {
    const { method, to, headers, body, expect } = request
    const own = { 'user-agent': this.#options.userAgent, 'accept-encoding': 'identity' }
    return follow(
      this.network,
      {
        method,
        url: new URL(to, this.origin),
        headers: { ...own, ...headers },
        body,
        credentials: authorization === undefined ? {} : { authorization },
      },
      // Content is sent only where the registry's own answers say that uploads go on: such requests are not redirected.
      { home: this.origin, namedBy: this.origin, expect },
      this.#explain,
      ctx.signal,
    )
  }

  /** Where a registry sends its clients, if they may go there. */
  elsewhere(location: string, from: URL): URL {
    return redirectTarget(location, from, this.origin, this.#explain)
  }
}
