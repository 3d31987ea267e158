import { rootCertificates } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import { type Context, LadingError } from '../../core/index.ts'
import { isPrivateHost, publicLookup } from './private-address.ts'
import { privateTarget, wireError } from './wire-error.ts'

/** One HTTP request. */
export interface WireRequest {
  readonly method: Dispatcher.HttpMethod
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>
}

/** The answer to one request; its body has to be read to the end or dumped. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Dispatcher.ResponseData['body']
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
}

/** Connections over undici: keep-alive HTTP/1.1. */
export function createNetwork(options: NetworkOptions): Network {
  const open = agent(options, false)
  let guardedAgent: Agent | undefined
  return {
    async send({ method, url, headers, body }, guarded, ctx) {
      // Literal addresses are not looked up, so the guard of names does not see them.
      if (guarded && /^[\d.]+$|^\[/.test(url.hostname) && (await isPrivateHost(url.hostname))) {
        throw privateTarget(url.hostname)
      }
      const dispatcher = guarded ? (guardedAgent ??= agent(options, true)) : open
      try {
        const answer = await dispatcher.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method,
          headers,
          body: body ?? null,
          signal: ctx.signal,
        } as Dispatcher.RequestOptions)
        return { status: answer.statusCode, headers: answer.headers, body: answer.body, url }
      } catch (error) {
        throw wireError(error, url.host, ctx.signal)
      }
    },
    isPrivate: isPrivateHost,
    async close() {
      await Promise.all([open.destroy(), guardedAgent?.destroy()])
    },
  }
}

function agent({ ca, insecure, connectTimeoutMs, timeoutMs }: NetworkOptions, guarded: boolean): Agent {
  if (ca !== undefined && !ca.includes('-----BEGIN ')) {
    throw new LadingError('oci.tls', 'the certificate authority is no PEM')
  }
  return new Agent({
    allowH2: false,
    pipelining: 1,
    connections: 16,
    headersTimeout: timeoutMs ?? 120_000,
    bodyTimeout: timeoutMs ?? 120_000,
    keepAliveTimeout: 30_000,
    connect: {
      timeout: connectTimeoutMs ?? 15_000,
      rejectUnauthorized: insecure !== true,
      ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
      ...(guarded && { lookup: publicLookup }),
    },
  })
}
