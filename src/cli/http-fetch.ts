import { Agent, type Dispatcher, ProxyAgent, request } from 'undici'
import { isLadingError, LadingError, proxyFor } from '../core/index.ts'
import { type HostGuard, openHostGuard } from '../oci/index.ts'
import type { Fetch, FetchOptions, FetchTls } from '../render/helm/index.ts'

const maxRedirects = 5
const connectTimeoutMs = 15_000
const silenceTimeoutMs = 30_000

/**
 * Fetches over HTTP within limits, through the proxies that the environment names; credentials stay with their scheme, host and port,
 * and redirects out of private networks.
 */
export function httpFetch(
  judge?: (hostname: string) => Promise<boolean>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Fetch {
  return async (url, options) => {
    const guard = openHostGuard()
    const isPrivate = judge ?? guard.isPrivate
    const first = new URL(url)
    const namedBy = new URL(options.namedBy ?? url)
    const startedPrivate = await isPrivate(namedBy.hostname)
    let at = first
    let carried = options
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const guarded = !startedPrivate && (hops > 0 || namedBy.host !== first.host)
      if (guarded && (await isPrivate(at.hostname))) throw privateTarget(namedBy, at)
      const next = await fetchOnce(at, first, guard.lookup(guarded ? 'public' : 'any'), carried, proxyFor(at, env))
      if (next instanceof Uint8Array) return next
      checkRedirect(at, next)
      options.onRedirect?.(next.href)
      // Who was sent elsewhere carries no credentials any more, not even when he is sent back.
      if (next.origin !== first.origin) carried = withoutCredentials(options)
      at = next
    }
    throw new LadingError('repo.unsafe', `${shown(first)} redirects more than ${maxRedirects} times`)
  }
}

function withoutCredentials({ tls: _, headers, ...rest }: FetchOptions): FetchOptions {
  const { authorization: __, ...open } = headers ?? {}
  return { ...rest, headers: open }
}

// The body, or where it is said to be.
async function fetchOnce(
  url: URL,
  first: URL,
  lookup: Lookup,
  options: FetchOptions,
  proxy: URL | undefined,
): Promise<Uint8Array | URL> {
  const agent = agentFor(lookup, options.tls, proxy)
  try {
    const answer = await request(url, {
      dispatcher: agent,
      signal: options.signal,
      headers: { 'user-agent': 'lading', ...options.headers },
      ...(options.body === undefined ? {} : { method: 'POST', body: options.body }),
    })
    const location = answer.headers['location']
    if ([301, 302, 303, 307, 308].includes(answer.statusCode) && typeof location === 'string') {
      await answer.body.dump()
      const next = URL.parse(location, url.href)
      if (next === null) throw new LadingError('repo.unsafe', `${shown(url)} redirects to what is no address`)
      return next
    }
    return await readAnswer(url, answer, options.limit)
  } catch (error) {
    if (isLadingError(error)) throw error
    if (options.signal.aborted)
      throw new LadingError('cancelled', `fetching ${shown(url)} was cancelled`, {}, { cause: error })
    const { code } = error as NodeJS.ErrnoException
    if (code === 'LADING_PRIVATE_ADDRESS') throw privateTarget(first, url)
    const way = proxy === undefined ? '' : ` through the proxy ${proxy.host}`
    const problem = `${shown(url)} cannot be fetched${way} (${code ?? 'unknown'})`
    throw new LadingError('repo.unreachable', problem, { url: shown(url) }, { cause: error })
  } finally {
    await agent.destroy()
  }
}

async function readAnswer(url: URL, { statusCode, body }: Dispatcher.ResponseData, limit: number): Promise<Uint8Array> {
  if (statusCode !== 200) {
    await body.dump()
    throw refusal(url, statusCode)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > limit)
      throw new LadingError('input.too-large', `${shown(url)} has more than the ${limit} bytes that are allowed`, {
        limit,
      })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function refusal(url: URL, status: number): LadingError {
  const details = { url: shown(url), status }
  if (status === 404 || status === 410)
    return new LadingError('chart.not-found', `there is nothing at ${shown(url)}`, details)
  const code = status >= 500 || status === 429 ? 'repo.unreachable' : 'repo.refused'
  return new LadingError(code, `${shown(url)} answers with status ${status}`, details)
}

function checkRedirect(from: URL, to: URL): void {
  if (to.protocol !== 'https:' && to.protocol !== 'http:') {
    throw new LadingError('repo.unsafe', `${shown(from)} redirects to ${to.protocol}//, which is not followed`)
  }
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new LadingError('repo.unsafe', `${shown(from)} redirects to ${shown(to)}, where nothing is encrypted`)
  }
}

type Lookup = ReturnType<HostGuard['lookup']>

function agentFor(lookup: Lookup, tls: FetchTls | undefined, proxy: URL | undefined): Agent | ProxyAgent {
  const silence = { headersTimeout: silenceTimeoutMs, bodyTimeout: silenceTimeoutMs }
  const trust = {
    timeout: connectTimeoutMs,
    ...(tls?.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls?.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls?.key === undefined ? {} : { key: tls.key }),
    ...(tls?.insecure === true ? { rejectUnauthorized: false } : {}),
  }
  // The proxy's own name is the operator's choice and often private; what it is asked for was judged before.
  if (proxy !== undefined) return new ProxyAgent({ uri: proxy.href, ...silence, requestTls: trust })
  return new Agent({ ...silence, connect: { ...trust, lookup } })
}

function privateTarget(from: URL, to: URL): LadingError {
  return new LadingError('repo.unsafe', `${shown(from)} leads into a private network, to ${to.host}`)
}

// Queries may hold tokens.
function shown(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}
