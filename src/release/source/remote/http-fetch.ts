import { LadingError } from '../../../core/index.ts'
import {
  createNetwork,
  dump,
  type Explain,
  follow,
  type FollowedRequest,
  netError,
  openHostGuard,
  readAtMost,
} from '../../../net/index.ts'
import type { WireAnswer } from '../../../net/index.ts'
import type { Fetch, FetchOptions } from '../../../render/helm/index.ts'

const silenceTimeoutMs = 30_000

/** How a fetch reaches servers. */
export interface HttpFetchOptions {
  /** The environment whose HTTP_PROXY, HTTPS_PROXY and NO_PROXY are followed (default: that of this process). */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Decides whether the host that named an address is on a private network (default: by its addresses); for tests. */
  readonly isPrivate?: ((hostname: string) => Promise<boolean>) | undefined
}

/**
 * Fetches files of chart repositories and git servers, by the rules of the room `net`: within limits, through the proxies of the
 * environment, credentials only to their own origin, and never from the internet into a private network.
 */
export function httpFetch({ env, isPrivate }: HttpFetchOptions = {}): Fetch {
  return async (text, options) => {
    const url = new URL(text)
    const { tls, signal } = options
    const { addresses } = openHostGuard()
    const explain = explainFetch(new URL(options.namedBy ?? text))
    const shared = { env, timeoutMs: silenceTimeoutMs, resolve: addresses }
    const own = createNetwork({ ...shared, ...tls, caOnly: true }, explain)
    const elsewhere = tls === undefined ? own : createNetwork(shared, explain)
    try {
      const network = isPrivate === undefined ? own : { ...own, isPrivate }
      const answer = await follow(network, requestOf(url, options), { ...rulesOf(options), elsewhere }, explain, signal)
      return await readAnswer(answer, options, explain)
    } finally {
      await Promise.all([own.close(), elsewhere.close()])
    }
  }
}

function requestOf(url: URL, { headers = {}, body }: FetchOptions): FollowedRequest {
  const { authorization, ...open } = headers
  return {
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers: { 'user-agent': 'lading', ...open },
    body,
    credentials: authorization === undefined ? {} : { authorization },
  }
}

function rulesOf({ namedBy, onRedirect }: FetchOptions) {
  return {
    namedBy: namedBy === undefined ? undefined : new URL(namedBy),
    onRedirect: onRedirect === undefined ? undefined : (url: URL) => onRedirect(url.href),
    resend: true,
  }
}

async function readAnswer(answer: WireAnswer, { limit, signal }: FetchOptions, explain: Explain): Promise<Uint8Array> {
  const { status, url, body } = answer
  if (status !== 200) {
    await dump(answer)
    throw refusal(url, status)
  }
  const tooLarge = (): LadingError =>
    new LadingError('input.too-large', `${shown(url)} has more than the ${limit} bytes that are allowed`, { limit })
  try {
    return await readAtMost(body, limit, tooLarge)
  } catch (error) {
    throw netError(error, { url }, signal, explain)
  }
}

function refusal(url: URL, status: number): LadingError {
  const details = { url: shown(url), status }
  if (status === 404 || status === 410)
    return new LadingError('chart.not-found', `there is nothing at ${shown(url)}`, details)
  const code = status >= 500 || status === 429 ? 'repo.unreachable' : 'repo.refused'
  return new LadingError(code, `${shown(url)} answers with status ${status}`, details)
}

const explainFetch =
  (from: URL): Explain =>
  (failure) => {
    const url = shown(failure.url)
    switch (failure.kind) {
      case 'cancelled':
        return new LadingError('cancelled', `fetching ${url} was cancelled`, {}, { cause: failure.reason })
      case 'forbidden':
        return new LadingError('repo.unsafe', `${shown(from)} leads into a private network, to ${failure.url.host}`)
      case 'redirect':
        return new LadingError('repo.unsafe', `${url} ${redirectProblem(failure)}`)
      case 'tunnel': {
        const { proxy, status, cause } = failure
        const problem = `${url} cannot be fetched through the proxy ${proxy}, which answers with status ${status}`
        return new LadingError('repo.unreachable', problem, { url, status }, { cause })
      }
      case 'tls':
      case 'timeout':
      case 'unreachable': {
        const { proxy, code = 'unknown', cause } = failure
        const way = proxy === undefined ? '' : ` through the proxy ${proxy}`
        return new LadingError('repo.unreachable', `${url} cannot be fetched${way} (${code})`, { url }, { cause })
      }
    }
  }

function redirectProblem({ problem, to }: Extract<Parameters<Explain>[0], { readonly kind: 'redirect' }>): string {
  switch (problem) {
    case 'too-many':
      return 'redirects too often'
    case 'not-http':
      return to === undefined
        ? 'redirects to what is not a URL'
        : `redirects to ${to.protocol}//, which is not followed`
    case 'user':
      return 'redirects to a URL with a user'
    case 'unencrypted':
      return `redirects to ${to === undefined ? 'a URL' : shown(to)}, where nothing is encrypted`
  }
}

// Queries may hold tokens.
function shown(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}
