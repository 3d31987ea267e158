import { join } from 'node:path'
import { type Context, context, LadingError, stringifyJson } from '../core/index.ts'
import type { FetchedChart, ResolvedChart } from '../render/helm/index.ts'
import { type ChartFlags, fetchChart, keyringOf } from './chart-access.ts'
import { pathFrom } from './connect.ts'
import type { Io } from './io.ts'
import { lineLog } from './print/line-log.ts'
import { withTarget } from './open-target.ts'
import { printData } from './print/print-data.ts'

/** What becomes of a chart that was pulled. */
export interface SaveFlags extends ChartFlags {
  readonly outputDir?: string
  readonly untar?: boolean
  readonly prov?: boolean
}

type Pulled = Pick<ResolvedChart, 'archive' | 'provenance' | 'chart' | 'fileName' | 'signedBy'>

/** Fetches a chart of a repository, held to the keyring that was given. */
export async function fetchAsked(io: Io, text: string, flags: SaveFlags): Promise<Pulled> {
  const keyring = flags.keyring === undefined ? {} : { keyring: await keyringOf(io, flags.keyring) }
  return fetchChart(io, text, flags, { ...keyring, withProvenance: flags.prov === true }, contextOf(io, flags))
}

/** Reads a chart that came out of a registry, and holds it to the keyring that was given. */
export async function checkChart(io: Io, text: string, fetched: FetchedChart, flags: SaveFlags): Promise<Pulled> {
  const { readChartArchive, verifyProvenance } = await import('../render/helm/index.ts')
  const chart = readChartArchive(fetched.archive)
  const fileName = `${chart.metadata.name}-${chart.metadata.version}.tgz`
  if (flags.keyring === undefined) return { ...fetched, chart, fileName }
  if (fetched.provenance === undefined) throw new LadingError('chart.unverified', `there is no provenance for ${text}`)
  const { signedBy } = await verifyProvenance(
    fetched.archive,
    fetched.provenance,
    fileName,
    await keyringOf(io, flags.keyring),
  )
  return { ...fetched, chart, fileName, signedBy }
}

/** The reference with the tag of the newest version in the range of `--version`; without one, `latest` wins where it is there. */
export async function withVersion(io: Io, text: string, flags: SaveFlags): Promise<string> {
  const { version, devel } = flags
  return withTarget(io, text, flags, async ({ target, tag, reference }) => {
    const isAsked = version !== undefined || devel === true
    if (tag !== undefined || reference?.digest !== undefined || reference === undefined) {
      if (!isAsked) return text
      throw new LadingError('usage.invalid', `${text} names what is meant already: leave --version out`)
    }
    const { newestVersion } = await import('../render/helm/index.ts')
    const range = version ?? (devel === true ? '>0.0.0-0' : '*')
    const tags = await target.tags(contextOf(io, flags))
    if (!isAsked && tags.includes('latest')) return text
    // A tag has no plus: Helm writes an underscore for it.
    const found = newestVersion(
      tags.map((each) => each.replaceAll('_', '+')),
      range,
    )
    if (found !== undefined) return `${text}:${found.replaceAll('+', '_')}`
    if (!isAsked) return text
    throw new LadingError('chart.not-found', `no version of ${text} fits ${stringifyJson(range)}`)
  })
}

/** Says so where options of charts are given for something else. */
export function refuseChartFlags(flags: SaveFlags, text: string): void {
  if (flags.untar !== true && flags.prov !== true && flags.keyring === undefined) return
  throw new LadingError('usage.invalid', `${text} is no chart: --untar, --prov and --keyring are for charts`)
}

/** Writes a chart as its archive, or as a folder; nothing that is there is touched. */
export async function saveChart(io: Io, text: string, flags: SaveFlags, pulled: Pulled): Promise<void> {
  const { writeNewFiles } = await import('./files/write-new-files.ts')
  const folder = pathFrom(io, flags.outputDir ?? '.')
  const { name, version } = pulled.chart.metadata
  if (flags.prov === true && pulled.provenance === undefined)
    throw new LadingError('chart.not-found', `there is no provenance for ${text}`)
  const files = new Map<string, { readonly content: Uint8Array }>()
  if (flags.untar === true)
    for (const file of pulled.chart.raw) files.set(join(name, file.name), { content: file.data })
  else files.set(pulled.fileName, { content: pulled.archive })
  if (flags.prov === true && pulled.provenance !== undefined)
    files.set(`${pulled.fileName}.prov`, { content: pulled.provenance })
  await writeNewFiles(folder, files)
  const { digestOf } = await import('../oci/index.ts')
  const row = {
    name,
    version,
    file: join(folder, flags.untar === true ? name : pulled.fileName),
    digest: digestOf(pulled.archive),
    ...(pulled.signedBy === undefined ? {} : { signedBy: pulled.signedBy }),
  }
  await printData(io, flags.output, row, { rows: [row], columns: ['name', 'version', 'file'] })
}

function contextOf(io: Io, flags: SaveFlags): Context {
  return context({ signal: io.signal, log: lineLog(flags.logLevel, io) })
}
