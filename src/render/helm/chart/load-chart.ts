import { isLadingError, LadingError, stringifyJson } from '../../../core/index.ts'
import { unpackChart } from '../archive/unpack-chart.ts'
import { readValues } from '../values/read-values.ts'
import { newValues } from '../values/values.ts'
import type { Chart, ChartFile, ChartLock, ChartMetadata } from './chart.ts'
import { type ChartBudget, type ChartLimits, newBudget } from './chart-limits.ts'
import { readLock, readMetadata, readRequirements } from './read-metadata.ts'
import { validateMetadata } from './validate-metadata.ts'

/** The files of a chart by their paths below it, with slashes. */
export type ChartFiles = ReadonlyMap<string, Uint8Array>

/** Makes a chart of its files, subcharts in charts/ (folders and archives) included; refuses what Helm refuses. */
export function loadChart(files: ChartFiles, limits: ChartLimits = {}): Chart {
  return loadUnpacked(files, newBudget(limits))
}

/** Like `loadChart`, spending from a budget that reading the files already drew on. */
export function loadUnpacked(files: ChartFiles, budget: ChartBudget): Chart {
  return loadFiles(files, budget, 0)
}

function loadFiles(files: ChartFiles, budget: ChartBudget, depth: number): Chart {
  if (depth > budget.maxDepth) {
    throw new LadingError('input.too-large', `charts are nested deeper than ${budget.maxDepth}`, { depth })
  }
  const chartYaml = files.get('Chart.yaml')
  if (chartYaml === undefined) throw new LadingError('chart.invalid', 'Chart.yaml file is missing', {})
  const parts = sortFiles(files, readMetadata(chartYaml, ''))
  if (!/^v[12]$/.test(parts.metadata.apiVersion)) {
    const problem = `unsupported chart version ${stringifyJson(parts.metadata.apiVersion)}: apiVersion must be v1 or v2`
    throw new LadingError('chart.invalid', problem, { chart: parts.metadata.name, file: 'Chart.yaml' })
  }
  const metadata = validateMetadata(parts.metadata)
  const dependencies = [...parts.subcharts].flatMap(([name, below]) =>
    loadSubchart(name, below, metadata.name, budget, depth),
  )
  const raw = [...files].map(([name, data]) => ({ name, data }))
  return { ...parts, metadata, dependencies, raw }
}

interface Parts {
  metadata: ChartMetadata
  lock: ChartLock | undefined
  values: Chart['values']
  schema: Uint8Array | undefined
  readonly templates: ChartFile[]
  readonly files: ChartFile[]
  readonly subcharts: Map<string, Map<string, Uint8Array>>
  readonly warnings: string[]
}

function sortFiles(files: ChartFiles, metadata: ChartMetadata): Parts {
  const parts: Parts = {
    metadata,
    lock: undefined,
    values: newValues(),
    schema: undefined,
    templates: [],
    files: [],
    subcharts: new Map(),
    warnings: [],
  }
  for (const [name, data] of files) {
    if (name.startsWith('templates/')) parts.templates.push({ name, data })
    else if (name.startsWith('charts/') && !name.endsWith('.prov')) addSubchartFile(parts, name, data)
    else if (!addKnownFile(parts, name, data)) parts.files.push({ name, data })
  }
  return parts
}

function addKnownFile(parts: Parts, name: string, data: Uint8Array): boolean {
  switch (name) {
    case 'Chart.yaml':
      return true
    case 'Chart.lock':
      parts.lock = readLock(data, name, parts.metadata.name)
      return true
    case 'values.yaml':
      parts.values = loadDefaultValues(data, parts.metadata.name)
      return true
    case 'values.schema.json':
      parts.schema = data
      return true
    case 'requirements.yaml':
      parts.metadata = readRequirements(data, parts.metadata, parts.metadata.name)
      return keepsOldFile(parts, 'Dependencies are handled in Chart.yaml', 'migrating dependencies to Chart.yaml')
    case 'requirements.lock':
      parts.lock = readLock(data, name, parts.metadata.name)
      return keepsOldFile(parts, 'Dependency locking is handled in Chart.lock', 'migrating to Chart.lock')
    default:
      return false
  }
}

// Files of Helm 2 are read in v2 charts as well, with a warning; only in v1 charts do templates see them.
function keepsOldFile(parts: Parts, fact: string, advice: string): boolean {
  if (parts.metadata.apiVersion === 'v1') return false
  parts.warnings.push(`Warning: ${fact} since apiVersion "v2". We recommend ${advice}.`)
  return true
}

function loadDefaultValues(data: Uint8Array, chart: string): Chart['values'] {
  try {
    return readValues(data)
  } catch (error) {
    if (!isLadingError(error)) throw error
    throw new LadingError(
      error.code,
      `cannot load values.yaml: ${error.message}`,
      { ...error.details, chart },
      { cause: error },
    )
  }
}

function addSubchartFile(parts: Parts, name: string, data: Uint8Array): void {
  const path = name.slice('charts/'.length)
  const slash = path.indexOf('/')
  const chart = slash < 0 ? path : path.slice(0, slash)
  const files = parts.subcharts.get(chart) ?? new Map<string, Uint8Array>()
  parts.subcharts.set(chart, files.set(slash < 0 ? '' : path.slice(slash + 1), data))
}

function loadSubchart(
  name: string,
  files: ReadonlyMap<string, Uint8Array>,
  parent: string,
  budget: ChartBudget,
  depth: number,
): Chart[] {
  if (name.startsWith('_') || name.startsWith('.')) return []
  try {
    if (!name.endsWith('.tgz')) return [loadFiles(withoutPlainFile(files), budget, depth + 1)]
    const archive = files.get('')
    if (archive === undefined) throw new LadingError('chart.invalid', `${name} is a folder, expected an archive`)
    return [loadFiles(unpackChart(archive, budget), budget, depth + 1)]
  } catch (error) {
    if (!isLadingError(error)) throw error
    const problem = `error unpacking subchart ${name} in ${parent}: ${error.message}`
    throw new LadingError(error.code, problem, { ...error.details, subchart: name }, { cause: error })
  }
}

// A file that lies in charts/ itself is no chart: without a Chart.yaml it is refused, as in Helm.
function withoutPlainFile(files: ReadonlyMap<string, Uint8Array>): ChartFiles {
  const below = new Map(files)
  below.delete('')
  return below
}
