import { join } from 'node:path'
import { type Context, LadingError } from '../../../core/index.ts'
import { digestOf, openTarget, pullVerified, type PulledArtifact, type RegistryOptions } from '../../../oci/index.ts'
import {
  type FetchedChart,
  readChartArchive,
  type ResolvedChart,
  verifyProvenance,
} from '../../../render/helm/index.ts'
import { fetchChart, type FetchChartOptions } from './fetch-chart.ts'
import { noVersion, versionTag } from './registry-charts.ts'

/** A chart that was pulled, not yet written anywhere. */
export type PulledChart = Pick<ResolvedChart, 'archive' | 'provenance' | 'chart' | 'fileName' | 'signedBy'>

/** How a chart, or another artifact, is pulled. */
export interface PullChartOptions extends FetchChartOptions {
  /** How registries are reached. */
  readonly registry?: RegistryOptions | undefined
  /** The folder that the path of a layout starts from (default: the working directory). */
  readonly cwd?: string | undefined
  /** Public keys, in PEM: an artifact of a registry that none of them signed is refused. */
  readonly verifyKeys?: readonly string[] | undefined
  /** Identities of age for encrypted artifacts. */
  readonly identities?: readonly string[] | undefined
}

/** What a text named: a chart, or an artifact of a registry that is not a chart. */
export type Pulled =
  | { readonly type: 'chart'; readonly chart: PulledChart }
  | { readonly type: 'artifact'; readonly artifact: PulledArtifact }

/**
 * Pulls what a text names, and verifies it with the given keys: a chart as `fetchChart` finds it, or an artifact of a registry or an
 * image layout, which may be a chart.
 */
export async function pullChart(text: string, options: PullChartOptions, ctx: Context): Promise<Pulled> {
  if (!/^oci(?:-layout)?:/.test(text) || options.repository !== undefined) {
    return { type: 'chart', chart: await fetchChart(text, options, ctx) }
  }
  const { registry = {}, cwd, verifyKeys = [], identities = [] } = options
  const { target, name, tag, reference } = openTarget(text, { registry, cwd })
  try {
    const isNamed = tag !== undefined || reference?.digest !== undefined || reference === undefined
    const wanted = isNamed ? named(text, name, options) : newest(text, await target.tags(ctx), options)
    const artifact = await pullVerified(target, wanted ?? name, { verifyKeys, identities }, ctx)
    if (artifact.chart === undefined) return { type: 'artifact', artifact }
    return { type: 'chart', chart: await checkChart(text, artifact.chart, options.keyring) }
  } finally {
    await target.close()
  }
}

/** How a pulled chart is written. */
export interface ChartFilesOptions {
  /** As a folder of the chart's name instead of an archive (default: false). */
  readonly untar?: boolean | undefined
  /** With its provenance file (default: false). */
  readonly provenance?: boolean | undefined
}

/** The files to write for a pulled chart, by their path, and what to report about it. */
export function chartFiles(
  text: string,
  pulled: PulledChart,
  { untar = false, provenance = false }: ChartFilesOptions,
) {
  const { name, version } = pulled.chart.metadata
  const files = new Map<string, { readonly content: Uint8Array }>()
  if (untar) for (const file of pulled.chart.raw) files.set(join(name, file.name), { content: file.data })
  else files.set(pulled.fileName, { content: pulled.archive })
  if (provenance) {
    if (pulled.provenance === undefined) throw new LadingError('chart.not-found', `there is no provenance for ${text}`)
    files.set(`${pulled.fileName}.prov`, { content: pulled.provenance })
  }
  const { signedBy } = pulled
  const summary = { name, version, file: untar ? name : pulled.fileName, digest: digestOf(pulled.archive) }
  return { files, summary: { ...summary, ...(signedBy !== undefined && { signedBy }) } }
}

function named(text: string, name: string, { version, devel }: PullChartOptions): string {
  if (version === undefined && devel !== true) return name
  throw new LadingError('usage.invalid', `${text} names what is meant already: leave --version out`)
}

/** The newest version in the range that was asked for; without one, `latest` wins where it is there. */
function newest(text: string, tags: readonly string[], { version, devel }: PullChartOptions): string | undefined {
  const isAsked = version !== undefined || devel === true
  if (!isAsked && tags.includes('latest')) return undefined
  const range = version ?? (devel === true ? '>0.0.0-0' : '*')
  const found = versionTag(tags, range)
  if (found === undefined && isAsked) throw noVersion(text, range)
  return found
}

/** Reads a chart that came out of a registry, and verifies it with the keyring that was given. */
async function checkChart(text: string, fetched: FetchedChart, keyring: Uint8Array | undefined): Promise<PulledChart> {
  const chart = readChartArchive(fetched.archive)
  const fileName = `${chart.metadata.name}-${chart.metadata.version}.tgz`
  if (keyring === undefined) return { ...fetched, chart, fileName }
  if (fetched.provenance === undefined) throw new LadingError('chart.unverified', `there is no provenance for ${text}`)
  const { signedBy } = await verifyProvenance(fetched.archive, fetched.provenance, fileName, keyring)
  return { ...fetched, chart, fileName, signedBy }
}
