import { createHash } from 'node:crypto'
import { type Context, isLadingError, LadingError, stringifyJson } from '../../../core/index.ts'
import { readChartArchive } from '../archive/read-chart-archive.ts'
import type { Chart } from '../chart/chart.ts'
import { verifyProvenance } from '../provenance/verify-provenance.ts'
import { chooseEntry, type VersionChoice } from './choose-entry.ts'
import type { Fetch } from './fetch.ts'
import type { HelmHome } from './helm-home.ts'
import { type IndexEntry, isChartName, readIndex, type RepositoryIndex } from './index-file.ts'
import { fetchIndexData, openRepositories } from './open-repositories.ts'
import { readRepositories, type RepositoryEntry } from './repositories-file.ts'
import { httpUrl, requestFrom, resolveUrl, shown } from './repository-request.ts'

/** Registries as this room sees them; whoever knows the protocol hands it in. */
export interface ChartRegistry {
  /** The chart at `oci://HOST/PATH/NAME[:TAG]`; of several versions the newest that lies in the range. */
  pull(reference: string, version: string | undefined, ctx: Context): Promise<FetchedChart>
  tags(reference: string, ctx: Context): Promise<readonly string[]>
}

/** An archive and the provenance that came with it. */
export interface FetchedChart {
  readonly archive: Uint8Array
  readonly provenance?: Uint8Array
}

/** Where charts are looked for. */
export interface ChartAccess {
  readonly home: HelmHome
  readonly fetch: Fetch
  readonly registry?: ChartRegistry
  /** Whether a host is on a private network, into which an index of the internet may not lead. */
  readonly isPrivate?: (hostname: string) => Promise<boolean>
}

/** Which chart is meant, and what it has to prove. */
export interface ResolveOptions extends VersionChoice {
  /** The repository in which the text is the name of a chart. */
  readonly repository?: Omit<RepositoryEntry, 'name'>
  /** The bytes of a keyring: the provenance has to be signed by one of its keys. */
  readonly keyring?: Uint8Array
  /** Fetch the provenance, without verifying it. */
  readonly withProvenance?: boolean
}

/** A chart that was fetched and found to be what it was asked for. */
export interface ResolvedChart extends FetchedChart {
  readonly chart: Chart
  /** `NAME-VERSION.tgz`. */
  readonly fileName: string
  /** Where it came from, without credentials. */
  readonly origin: string
  readonly signedBy?: string
}

/** The largest archive that is fetched; what it may unpack to is limited on its own. */
const maxArchiveBytes = 100 * 1024 * 1024
const maxProvenanceBytes = 1024 * 1024

/** Fetches the chart that REPO/NAME, https://….tgz, oci://… or a name with `repository` means; checks digest, name, version and provenance. */
export async function resolveChart(
  text: string,
  options: ResolveOptions,
  access: ChartAccess,
  ctx: Context,
): Promise<ResolvedChart> {
  const found = await locate(text, options, access, ctx)
  const wantsProvenance = options.withProvenance === true || options.keyring !== undefined
  const fetched = await fetchLocated(found, wantsProvenance, access, ctx)
  if (found.entry !== undefined) checkDigest(fetched.archive, found.entry, found.origin)
  const chart = readChartArchive(fetched.archive)
  if (found.entry !== undefined) checkSame(chart, found.entry, found.origin)
  const fileName = `${chart.metadata.name}-${chart.metadata.version}.tgz`
  const signed =
    options.keyring === undefined ? undefined : await verifyFetched(fetched, fileName, options.keyring, found.origin)
  return { ...fetched, chart, fileName, origin: found.origin, ...(signed === undefined ? {} : { signedBy: signed }) }
}

interface Located {
  readonly url: string
  readonly origin: string
  readonly repository: Omit<RepositoryEntry, 'name'>
  readonly entry?: IndexEntry
  readonly version?: string
}

async function locate(text: string, options: ResolveOptions, access: ChartAccess, ctx: Context): Promise<Located> {
  if (text.startsWith('oci://')) {
    return {
      url: text,
      origin: text,
      repository: { url: text },
      ...(options.version === undefined ? {} : { version: options.version }),
    }
  }
  if (options.repository !== undefined) {
    const { repository } = options
    const index = readIndex(await fetchIndexData(access.fetch, repository, ctx), shown(repository.url))
    return locateIn(index, text, options, repository)
  }
  if (/^https?:\/\//i.test(text)) {
    const url = httpUrl(text).href
    return { url, origin: shown(url), repository: await ownerOf(url, access) }
  }
  const [, name = '', chart = ''] = /^([^/]+)\/([^/]+)$/.exec(text) ?? []
  if (name === '') throw new LadingError('usage.invalid', `${stringifyJson(text)} is neither REPO/CHART nor an address`)
  const repositories = openRepositories(access.home, access.fetch)
  const entry = await repositories.find(name)
  return locateIn(await repositories.index(entry, ctx), chart, options, entry)
}

function locateIn(
  index: RepositoryIndex,
  name: string,
  choice: VersionChoice,
  repository: Omit<RepositoryEntry, 'name'>,
): Located {
  if (!isChartName(name)) throw new LadingError('usage.invalid', `${stringifyJson(name)} is no name of a chart`)
  const entry = chooseEntry(index, name, choice, shown(repository.url))
  const [first = ''] = entry.urls
  const isRegistry = first.startsWith('oci://')
  const url = isRegistry ? first : resolveUrl(repository.url, first)
  return { url, origin: isRegistry ? first : shown(url), repository, entry }
}

// A repository's credentials serve for an address of its own too.
async function ownerOf(url: string, { home }: ChartAccess): Promise<Omit<RepositoryEntry, 'name'>> {
  const entries = await readRepositories(home.repositories)
  return entries.find((entry) => url.startsWith(entry.url.endsWith('/') ? entry.url : `${entry.url}/`)) ?? { url }
}

async function fetchLocated(
  found: Located,
  withProvenance: boolean,
  access: ChartAccess,
  ctx: Context,
): Promise<FetchedChart> {
  if (found.url.startsWith('oci://')) {
    if (access.registry === undefined)
      throw new LadingError('source.unsupported', `registries are not reached here: ${found.url}`)
    if (found.entry !== undefined) await refusePrivate(found, access)
    return access.registry.pull(found.url, found.version, ctx)
  }
  const archive = await requestFrom(access.fetch, found.repository, found.url, maxArchiveBytes, ctx)
  if (!withProvenance) return { archive }
  const url = new URL(found.url)
  url.pathname += '.prov'
  try {
    return { archive, provenance: await requestFrom(access.fetch, found.repository, url.href, maxProvenanceBytes, ctx) }
  } catch (error) {
    if (isLadingError(error, 'chart.not-found')) return { archive }
    throw error
  }
}

async function refusePrivate({ url, repository }: Located, { isPrivate }: ChartAccess): Promise<void> {
  const registry = URL.parse(url.replace(/^oci:/, 'https:'))?.hostname ?? ''
  if (isPrivate === undefined || !(await isPrivate(registry))) return
  if (await isPrivate(httpUrl(repository.url).hostname)) return
  throw new LadingError('repo.unsafe', `${shown(repository.url)} leads into a private network, to ${registry}`)
}

function checkDigest(archive: Uint8Array, { digest, name, version }: IndexEntry, origin: string): void {
  if (digest === '') return
  const actual = createHash('sha256').update(archive).digest('hex')
  if (digest.replace(/^sha256:/, '').toLowerCase() === actual) return
  const problem = `${origin} is not ${name} ${version} as the index describes it: the digest is sha256:${actual}, not ${digest}`
  throw new LadingError('oci.digest-mismatch', problem, { name, version, actual, expected: digest })
}

// An index that offers one chart under the name of another would get past every rule about names.
function checkSame({ metadata }: Chart, { name, version }: IndexEntry, origin: string): void {
  if (metadata.name === name && bare(metadata.version) === bare(version)) return
  const problem = `${origin} holds ${metadata.name} ${metadata.version}, the index says ${name} ${version}`
  throw new LadingError('chart.refused', problem, { name, version })
}

function bare(version: string): string {
  return version.replace(/^v/, '')
}

async function verifyFetched(
  { archive, provenance }: FetchedChart,
  fileName: string,
  keyring: Uint8Array,
  origin: string,
): Promise<string> {
  if (provenance === undefined) {
    throw new LadingError('chart.unverified', `there is no provenance for ${origin}`, { origin })
  }
  return (await verifyProvenance(archive, provenance, fileName, keyring)).signedBy
}
