import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, LadingError, readGivenFile } from '../../../core/index.ts'
import { isTag, packChart, type PackedArtifact, unpackTar } from '../../../oci/index.ts'
import { packageChart, readChartArchive, readChartFolder } from '../../../render/helm/index.ts'
import { maxChartBytes } from './open-chart.ts'

/** A chart as a registry keeps it, and the reference that it goes to. */
export interface PackedChart {
  readonly packed: PackedArtifact
  /** With the chart's name and version, if the given one had no tag. */
  readonly reference: string
}

/** How a chart is packed. */
export interface PackChartSourceOptions {
  /** The time of its files (default: that of a reproducible archive). */
  readonly created?: Date | undefined
  /** Follows symlinks that lead out of the chart's repository (default: false). */
  readonly followLinks?: boolean | undefined
}

/** Whether a path is a chart: a folder with Chart.yaml, or an archive. */
export async function isChart(path: string): Promise<boolean> {
  if (path === '-' || path.includes('://')) return false
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) return found !== undefined && /\.(?:tgz|tar\.gz)$/.test(path)
  const has = async (name: string) => (await stat(join(path, name)).catch(() => undefined)) !== undefined
  return (await has('Chart.yaml')) && !(await has('kustomization.yaml'))
}

/** Packs a chart as `helm push` does; its name and version are added to a reference without a tag. */
export async function packChartSource(
  reference: string,
  path: string,
  { created, followLinks = false }: PackChartSourceOptions,
  ctx: Context,
): Promise<PackedChart> {
  const isFolder = (await stat(path)).isDirectory()
  const time = created === undefined ? {} : { created }
  const archive = isFolder
    ? packageChart(
        await readChartFolder(path, { followLinks, log: ctx.log }),
        created === undefined ? {} : { modified: created },
      ).archive
    : await readGivenFile(path, { maxBytes: maxChartBytes, signal: ctx.signal })
  if (!isFolder && (await unpackTar(archive).catch(() => undefined))?.has('Pack.yaml') === true) {
    const problem = `${path} is a pack, which Sherpack pushes: give --render to push the objects that it renders to`
    throw new LadingError('source.unsupported', problem, { source: path })
  }
  const { name, version } = readChartArchive(archive).metadata
  const provenance = isFolder ? undefined : await readGivenFile(`${path}.prov`).catch(() => undefined)
  const packed = await packChart(archive, { ...time, ...(provenance === undefined ? {} : { provenance }) })
  return { packed, reference: hasTag(reference) ? reference : referenceFor(reference, name, version) }
}

function referenceFor(reference: string, name: string, version: string): string {
  if (!reference.startsWith('oci://'))
    throw new LadingError('usage.invalid', `give a tag to ${reference}, such as :${version}`)
  // A tag has no plus: Helm writes an underscore for it.
  const tag = version.replaceAll('+', '_')
  if (!isTag(tag)) throw new LadingError('oci.reference-invalid', `the version ${version} cannot be a tag`)
  return `${reference.replace(/\/+$/, '')}/${name}:${tag}`
}

function hasTag(reference: string): boolean {
  const last = reference.replace(/^oci:\/\//, '')
  return /:[^/]*$/.test(last.slice(last.indexOf('/'))) && last.includes('/')
}
