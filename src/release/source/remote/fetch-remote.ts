import { type Context, during, isLadingError, LadingError } from '../../../core/index.ts'
import type { ChartAccess, Fetch } from '../../../render/helm/index.ts'
import type {
  FetchedRemote,
  FetchRemote,
  RemoteFile,
  RemoteRecord,
  RemoteRepository,
} from '../../../render/kustomize/index.ts'
import { fetchRepository } from '../git/fetch-repository.ts'
import type { PackLimits } from '../git/read-pack.ts'
import { type AllowedHosts, allowedHosts, guardFetch, shown } from './allowed-hosts.ts'
import { fetchRemoteChart } from './fetch-remote-chart.ts'
import { checkExpected, describeRemote, digestOf } from './remote-record.ts'
import { withTimeout } from './with-timeout.ts'

/** What a build may fetch from other hosts. */
export interface RemoteOptions {
  /** Hosts, or hosts with their port. */
  readonly hosts: readonly string[]
  /** Take branches of repositories, and ranges of versions of charts, as they are now. */
  readonly allowUnpinned?: boolean
  /** What an earlier build recorded: the same addresses have to give the same commits and content. */
  readonly expected?: readonly RemoteRecord[]
}

/** How other hosts are reached; the same as for charts. */
export interface RemoteAccess extends Pick<ChartAccess, 'home' | 'registry' | 'isPrivate'> {
  readonly fetch: Fetch
  readonly limits?: PackLimits
}

/** Opens other hosts for a build; whoever has a network hands it in. */
export type OpenRemote = (options: RemoteOptions) => Promise<FetchRemote>

const maxFileBytes = 32 * 1024 * 1024
const defaultTimeoutMs = 5 * 60_000

/** Fetches what kustomizations refer to from allowed hosts: folders of repositories, files and charts. */
export function remoteFetcher(options: RemoteOptions, access: RemoteAccess): FetchRemote {
  const hosts = allowedHosts(options.hosts)
  const guarded = { ...access, fetch: guardFetch(access.fetch, hosts) }
  return async (request, ctx) => {
    const address = request.type === 'chart' ? request.repo : request.url
    hosts.demand(address)
    const timeoutMs = (request.type === 'git' ? request.timeoutMs : undefined) ?? defaultTimeoutMs
    const fetching = (limited: Context): Promise<FetchedRemote> => {
      switch (request.type) {
        case 'git':
          return repository(request, options, hosts, guarded, limited)
        case 'file':
          return file(request, guarded, limited)
        case 'chart':
          return fetchRemoteChart(request, options.allowUnpinned === true, hosts, guarded, limited)
      }
    }
    const found = await during(`fetching ${shown(address)}`, ctx, () =>
      named(address, () => withTimeout(shown(address), timeoutMs, ctx, fetching)),
    )
    checkExpected(found.record, options.expected ?? [])
    ctx.log.info(`fetched ${describeRemote(found.record)}`, { remote: found.record })
    return found
  }
}

async function repository(
  request: RemoteRepository,
  { allowUnpinned = false }: RemoteOptions,
  hosts: AllowedHosts,
  { fetch, limits }: RemoteAccess,
  ctx: Context,
): Promise<FetchedRemote> {
  const access = {
    fetch,
    isAllowed: (url: string) => hosts.has(url),
    allowUnpinned,
    ...(limits === undefined ? {} : { limits }),
  }
  const { tree, commit } = await fetchRepository(request, access, ctx)
  return { type: 'git', tree, record: { type: 'git', url: shown(request.url), ref: request.ref, commit } }
}

async function file({ url, namedBy }: RemoteFile, { fetch }: RemoteAccess, ctx: Context): Promise<FetchedRemote> {
  const named = namedBy === undefined ? {} : { namedBy }
  const content = await fetch(url, { limit: maxFileBytes, signal: ctx.signal, ...named })
  return { type: 'file', content, record: { type: 'file', url: shown(url), digest: digestOf(content) } }
}

// Nobody who builds a kustomization asked for a chart.
async function named<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isLadingError(error, 'chart.not-found') || error.details.status === undefined) throw error
    throw new LadingError('file.not-found', `${shown(address)}: ${error.message}`, error.details, { cause: error })
  }
}
