import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, LadingError, readGivenFile } from '../core/index.ts'
import type { PackedArtifact } from '../oci/index.ts'
import { pathFrom } from './connect.ts'
import type { Io } from './io.ts'
import type { ContentFlags } from './options/release-options.ts'

/** A chart as a registry keeps it, and the reference that it goes to. */
export interface PackedChart {
  readonly packed: PackedArtifact
  /** With the chart's name and version, where the reference had no tag. */
  readonly reference: string
}

/** Flags that say something about objects, not about a chart. */
interface ObjectFlags extends ContentFlags {
  readonly source?: string
  readonly revision?: string
  readonly recipient?: readonly string[]
}

/** Whether a source is a chart: a folder with Chart.yaml, or an archive. */
export async function isChart(io: Io, source: string): Promise<boolean> {
  if (source === '-' || source.includes('://')) return false
  const path = pathFrom(io, source)
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) return found !== undefined && /\.(?:tgz|tar\.gz)$/.test(path)
  const has = async (name: string) => (await stat(join(path, name)).catch(() => undefined)) !== undefined
  return (await has('Chart.yaml')) && !(await has('kustomization.yaml'))
}

/** Packs a chart as `helm push` does; to a reference without a tag, its name and version are added. */
export async function packChartSource(
  io: Io,
  reference: string,
  source: string,
  flags: ObjectFlags,
  ctx: Context,
): Promise<PackedChart> {
  refuseObjectFlags(flags)
  const { isTag, packChart, sourceDate, unpackTar } = await import('../oci/index.ts')
  const { packageChart, readChartArchive, readChartFolder } = await import('../render/helm/index.ts')
  const path = pathFrom(io, source)
  const created = sourceDate(io.env)
  const time = created === undefined ? {} : { created }
  const isFolder = (await stat(path)).isDirectory()
  const archive = isFolder
    ? packageChart(
        await readChartFolder(path, { followLinks: flags.followLinks === true, log: ctx.log }),
        created === undefined ? {} : { modified: created },
      ).archive
    : await readGivenFile(path, { maxBytes: 100 * 1024 * 1024, signal: io.signal })
  if (!isFolder && (await unpackTar(archive).catch(() => undefined))?.has('Pack.yaml') === true) {
    const problem = `${source} is a pack, which Sherpack pushes: give --render to push the objects that it renders to`
    throw new LadingError('source.unsupported', problem, { source })
  }
  const { name, version } = readChartArchive(archive).metadata
  const provenance = isFolder ? undefined : await readGivenFile(`${path}.prov`).catch(() => undefined)
  const packed = await packChart(archive, { ...time, ...(provenance === undefined ? {} : { provenance }) })
  if (hasTag(reference)) return { packed, reference }
  if (!reference.startsWith('oci://'))
    throw new LadingError('usage.invalid', `give a tag to ${reference}, such as :${version}`)
  // A tag has no plus: Helm writes an underscore for it.
  const tag = version.replaceAll('+', '_')
  if (!isTag(tag)) throw new LadingError('oci.reference-invalid', `the version ${version} cannot be a tag`)
  return { packed, reference: `${reference.replace(/\/+$/, '')}/${name}:${tag}` }
}

function hasTag(reference: string): boolean {
  const last = reference.replace(/^oci:\/\//, '')
  return /:[^/]*$/.test(last.slice(last.indexOf('/'))) && last.includes('/')
}

// Nothing is rendered, so values would change nothing.
function refuseObjectFlags({
  values,
  set,
  setString,
  setFile,
  setJson,
  setLiteral,
  recursive,
  source,
  revision,
  recipient,
}: ObjectFlags): void {
  const given = Object.entries({
    '--values': values,
    '--set': set,
    '--set-string': setString,
    '--set-file': setFile,
    '--set-json': setJson,
    '--set-literal': setLiteral,
    '--recursive': recursive,
    '--source': source,
    '--revision': revision,
    '--recipient': recipient,
  }).filter(([, value]) => value !== undefined)
  if (given.length === 0) return
  const names = given.map(([name]) => name).join(', ')
  throw new LadingError(
    'usage.invalid',
    `a chart is pushed as it is, ${names} would do nothing: give --render to push its objects`,
  )
}
