import { type Context, isLadingError, LadingError, readGivenFile, stringifyJson } from '../../../core/index.ts'
import type { Fetch, FetchTls } from './fetch.ts'
import type { RepositoryEntry } from './repositories-file.ts'

/** The address of something of a repository; relative ones are meant from its own. */
export function resolveUrl(base: string, reference: string): string {
  const root = httpUrl(base)
  if (!root.pathname.endsWith('/')) root.pathname += '/'
  const found = URL.parse(reference, root.href)
  if (found === null)
    throw new LadingError('repo.invalid', `${stringifyJson(reference)} is no address`, { base: shown(base) })
  const url = httpUrl(found.href)
  // Some servers want the query of the repository, a token for example, for everything.
  if (url.search === '' && url.origin === root.origin) url.search = root.search
  return url.href
}

/** Fetches something of a repository; its user and password go to its own scheme, host and port only, unless it says so. */
export async function requestFrom(
  fetch: Fetch,
  entry: Omit<RepositoryEntry, 'name'>,
  url: string,
  limit: number,
  ctx: Context,
): Promise<Uint8Array> {
  const { username, password } = entry
  const trusted = entry.passCredentialsAll === true || URL.parse(url)?.origin === URL.parse(entry.url)?.origin
  const basic = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')
  const isKnown = username !== undefined || password !== undefined
  return fetch(url, {
    limit,
    signal: ctx.signal,
    namedBy: entry.url,
    ...(isKnown && trusted ? { headers: { authorization: `Basic ${basic}` } } : {}),
    ...(trusted ? { tls: await tlsOf(entry) } : {}),
  })
}

/** An address without user, password and query. */
export function shown(text: string): string {
  const url = URL.parse(text)
  return url === null ? text : `${url.protocol}//${url.host}${url.pathname}`
}

/** Reads an address that charts may come from. */
export function httpUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null) throw new LadingError('usage.invalid', `${stringifyJson(text)} is no address`)
  if (url.protocol === 'oci:') {
    throw new LadingError(
      'usage.invalid',
      'a registry is no chart repository: give oci://… wherever a chart is asked for',
    )
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new LadingError('usage.invalid', `charts are not fetched by ${url.protocol}//, but by https:// and http://`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new LadingError(
      'usage.invalid',
      'user and password do not belong into an address: give --username and --password-stdin',
    )
  }
  return url
}

async function tlsOf(entry: Omit<RepositoryEntry, 'name'>): Promise<FetchTls> {
  const read = async (file: string) =>
    readGivenFile(file, { maxBytes: 1024 * 1024 }).then(String, (error: unknown) => {
      if (isLadingError(error)) throw error
      throw new LadingError('file.unreadable', `${file} cannot be read`, { file }, { cause: error })
    })
  return {
    ...(entry.caFile === undefined ? {} : { ca: await read(entry.caFile) }),
    ...(entry.certFile === undefined ? {} : { cert: await read(entry.certFile) }),
    ...(entry.keyFile === undefined ? {} : { key: await read(entry.keyFile) }),
    ...(entry.insecureSkipTlsVerify === true ? { insecure: true } : {}),
  }
}
