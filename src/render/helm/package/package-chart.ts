import { defined, LadingError, parseJson, stringifyJson } from '../../../core/index.ts'
import { writeTgz } from '../archive/write-tgz.ts'
import type { Chart } from '../chart/chart.ts'
import { validateMetadata } from '../chart/validate-metadata.ts'
import { isChartName } from '../repository/index-file.ts'
import { writeChartYaml, writeLock } from './write-metadata.ts'

/** How a chart is packed. */
export interface PackageOptions {
  /** Instead of that of Chart.yaml. */
  readonly version?: string
  readonly appVersion?: string
  /** The time of every file; the beginning of 1980 unless told, so that the same chart gives the same bytes. */
  readonly modified?: Date
}

/** A chart's archive. */
export interface PackagedChart {
  /** `NAME-VERSION.tgz`. */
  readonly fileName: string
  readonly archive: Uint8Array
  /** Its Chart.yaml, as it stands in the archive and in a provenance file. */
  readonly chartYaml: string
  readonly chart: Chart
}

const earliest = new Date('1980-01-01T00:00:00Z')

/** Packs a chart as `helm package` does, the same chart always to the same bytes. */
export function packageChart(
  chart: Chart,
  { version, appVersion, modified = earliest }: PackageOptions = {},
): PackagedChart {
  const metadata = validateMetadata({
    ...chart.metadata,
    ...defined({ version, appVersion }),
  })
  checkDependencies(chart)
  const packed = { ...chart, metadata }
  return {
    fileName: fileNameOf(packed),
    archive: archiveOf(packed, modified),
    chartYaml: writeChartYaml(metadata),
    chart: packed,
  }
}

function fileNameOf({ metadata }: Chart): string {
  return `${metadata.name}-${metadata.version}.tgz`
}

function archiveOf(chart: Chart, modified: Date): Uint8Array {
  const files = new Map<string, Uint8Array>()
  addChart(files, chart, '', modified)
  return writeTgz(files, modified)
}

// Helm's order, subcharts unpacked. Of two versions of one chart Helm makes one folder that is neither: they stay archives.
function addChart(files: Map<string, Uint8Array>, chart: Chart, prefix: string, modified: Date): void {
  const { metadata, lock, raw, schema, templates, files: others, dependencies } = chart
  if (!isChartName(metadata.name)) {
    throw new LadingError('chart.invalid', `${stringifyJson(metadata.name)} is no name for an archive`, {
      chart: metadata.name,
    })
  }
  const base = `${prefix}${metadata.name}`
  const add = (name: string, data: Uint8Array | string) => {
    const path = `${base}/${name}`
    if (files.has(path))
      throw new LadingError('chart.invalid', `two charts of ${prefix} would both be ${path}`, { file: path })
    files.set(path, typeof data === 'string' ? Buffer.from(data) : data)
  }
  add('Chart.yaml', writeChartYaml(metadata))
  if (lock !== undefined && metadata.apiVersion === 'v2') add('Chart.lock', writeLock(lock))
  const values = raw.find(({ name }) => name === 'values.yaml')
  if (values !== undefined) add('values.yaml', values.data)
  if (schema !== undefined) add('values.schema.json', checkedSchema(schema, metadata.name))
  for (const { name, data } of [...templates, ...others]) add(name, data)
  const names = dependencies.map((each) => each.metadata.name)
  for (const dependency of dependencies) {
    const isTwice = names.filter((name) => name === dependency.metadata.name).length > 1
    if (isTwice) add(`charts/${fileNameOf(dependency)}`, archiveOf(dependency, modified))
    else addChart(files, dependency, `${base}/charts/`, modified)
  }
}

function checkedSchema(schema: Uint8Array, chart: string): Uint8Array {
  try {
    parseJson(Buffer.from(schema).toString('utf8'))
    return schema
  } catch (error) {
    throw new LadingError('chart.invalid', 'invalid JSON in values.schema.json', { chart }, { cause: error })
  }
}

function checkDependencies({ metadata, dependencies }: Chart): void {
  const present = new Set(dependencies.map((each) => each.metadata.name))
  const missing = metadata.dependencies.filter(({ name }) => !present.has(name)).map(({ name }) => name)
  if (missing.length === 0) return
  const problem = `found in Chart.yaml, but missing in charts/ directory: ${missing.join(', ')}`
  throw new LadingError('chart.dependency', problem, { chart: metadata.name, missing })
}
