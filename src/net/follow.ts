import type { WireAnswer, WireRequest } from './exchange.ts'
import type { Explain, RedirectProblem } from './failure.ts'
import type { Reach } from './host-guard.ts'
import type { Network } from './network.ts'
import { dump } from './read-body.ts'

/** A request that follows redirects. */
export interface FollowedRequest extends Omit<WireRequest, 'body'> {
  /** Bytes, or a stream that is opened anew for each address. */
  readonly body?: Uint8Array | (() => AsyncIterable<Uint8Array>) | undefined
  /** Headers for the home of the request alone: no redirect to another scheme, host or port carries them, not even back home. */
  readonly credentials?: Readonly<Record<string, string>> | undefined
}

/** How redirects are followed. */
export interface FollowOptions {
  /** Where the credentials belong (default: the URL of the request). */
  readonly home?: URL | undefined
  /** Who named the URL (default: the URL itself). A host of the internet must not send anybody into a private network. */
  readonly namedBy?: URL | undefined
  /** Connects to other origins than the home, without its client certificate (default: the same network). */
  readonly elsewhere?: Network | undefined
  /** Also redirects requests that are neither GET nor HEAD; their method and body stay (default: false). */
  readonly resend?: boolean | undefined
  /** Statuses that are answers although they are redirects. */
  readonly expect?: readonly number[] | undefined
  /** Called with the target of a redirect before it is followed; throws to refuse it. */
  readonly onRedirect?: ((url: URL) => void) | undefined
}

const maxRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

/** Sends a request and follows its redirects; gives the last answer. */
export async function follow(
  network: Network,
  request: FollowedRequest,
  options: FollowOptions,
  explain: Explain,
  signal: AbortSignal,
): Promise<WireAnswer> {
  const { home = request.url, elsewhere = network } = options
  const reachOf = reachRule(network, options.namedBy ?? request.url)
  let { url } = request
  let left = url.origin !== home.origin
  for (let hops = 0; ; hops++) {
    const reach = await reachOf(url)
    const answer = await (left ? elsewhere : network).send(requestTo(url, request, left), reach, signal)
    const location = locationOf(answer, request, options)
    if (location === undefined) return answer
    await dump(answer)
    if (hops >= maxRedirects) throw explain({ kind: 'redirect', url: request.url, problem: 'too-many' })
    url = redirectTarget(location, url, home, explain)
    options.onRedirect?.(url)
    left ||= url.origin !== home.origin
  }
}

/** Which addresses a request to a URL may reach: only public ones, if another host named it that is not on a private network. */
function reachRule(network: Network, namedBy: URL): (url: URL) => Promise<Reach> {
  return async (url) => (url.host === namedBy.host || (await network.isPrivate(namedBy.hostname)) ? 'any' : 'public')
}

function requestTo(url: URL, { method, headers, body, credentials }: FollowedRequest, left: boolean): WireRequest {
  return {
    method,
    url,
    headers: left ? headers : { ...headers, ...credentials },
    body: typeof body === 'function' ? body() : body,
  }
}

/**
 * Where a server sends its clients, if they may go there. A server behind a proxy that ends TLS often names itself with http://:
 * its home stays encrypted, any other change from https to http is refused.
 */
export function redirectTarget(location: string, from: URL, home: URL, explain: Explain): URL {
  const to = URL.parse(location, from.href)
  const refuse = (problem: RedirectProblem) => explain({ kind: 'redirect', url: from, problem, to: to ?? undefined })
  if (to === null || (to.protocol !== 'https:' && to.protocol !== 'http:')) throw refuse('not-http')
  if (to.username !== '' || to.password !== '') throw refuse('user')
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    if (to.hostname !== home.hostname) throw refuse('unencrypted')
    to.protocol = 'https:'
    to.port = home.port
  }
  to.hash = ''
  return to
}

/** Where a redirect leads; undefined if the answer is not one that is followed. */
function locationOf(
  { status, headers: { location } }: WireAnswer,
  { method }: FollowedRequest,
  { expect, resend }: FollowOptions,
): string | undefined {
  if (!redirects.has(status) || expect?.includes(status) === true) return undefined
  if (resend !== true && method !== 'GET' && method !== 'HEAD') return undefined
  return Array.isArray(location) ? location[0] : location
}
