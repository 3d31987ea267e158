import { isRecord, LadingError } from '../../../core/index.ts'
import { decodeText } from '../../../core/yaml/index.ts'
import type { Build } from '../accumulator.ts'
import type { Loader } from '../load/loader.ts'
import { mergeStrategic } from '../merge/merge-patch.ts'
import { readResources } from '../resource/read-resources.ts'
import { helmGenerated, type Resource } from '../resource/resource.ts'
import { compareKeys } from '../write/compare-keys.ts'
import { writeDocument } from '../write/render-yaml.ts'
import { readDocuments } from '../yaml/read-documents.ts'
import { fromJson, isMap, toJson, type ValueMap } from '../yaml/value.ts'
import type { ChartArgs } from './chart-request.ts'

const defaultHome = 'charts'

/** Makes the objects of a chart with the Helm engine that the build was given. */
export function inflateChart(args: ChartArgs, chartHome: string, loader: Loader, build: Build): Resource[] {
  if (!build.enableHelm) throw refused('charts are only inflated when Helm is enabled (--enable-helm)')
  if (build.inflateChart === undefined) {
    throw refused(
      'this build was given no Helm engine; render the chart on its own and list what it gives as resources',
    )
  }
  checkArgs(args)
  const { valuesFile, additionalValuesFiles, valuesInline, valuesMerge, ...chart } = args
  const home = chartHome === '' ? defaultHome : chartHome
  const path = args.version !== '' && args.repo !== '' ? `${home}/${args.name}-${args.version}` : home
  const folder = `${path}/${args.name}`
  const { root, files, isFetched } = chartFiles(args, folder, loader)
  const own = () => {
    if (valuesFile !== '') return loader.loadText(valuesFile)
    return isFetched
      ? decodeText(files.get('values.yaml') ?? new Uint8Array(), 'values.yaml')
      : loader.loadText(`${folder}/values.yaml`)
  }
  const values = [
    mergedValues(own, valuesInline, valuesMerge),
    ...additionalValuesFiles.map((file) => loader.loadText(file)),
  ]
  const output = build.inflateChart({ ...chart, folder: root, files, values })
  const resources = readResources(output, `helmCharts: ${args.name}`)
  for (const each of resources) each.setTexts('annotations', { ...each.texts('annotations'), [helmGenerated]: 'true' })
  return resources
}

interface ChartFiles {
  readonly root: string
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly isFetched: boolean
}

// As kustomize does: what lies in the chart home is taken, whatever the repository has.
function chartFiles(args: ChartArgs, folder: string, loader: Loader): ChartFiles {
  const found = loader.loadFolder(folder)
  if (found !== undefined) return { ...found, isFetched: false }
  if (args.repo === '') throw missing(args, folder)
  const files = loader.loadChart(args.repo, args.name, args.version)
  if (files === undefined) throw missing(args, folder)
  return { root: `/${folder}`, files, isFetched: true }
}

// `override` lets the inline values win, `merge` the file's; `replace` does without the file.
function mergedValues(own: () => string, inline: unknown, mode: string): string {
  if (!isRecord(inline) || Object.keys(inline).length === 0) return own()
  const given = fromJson(inline) as ValueMap
  if (mode === 'replace') return writeValues(given)
  const text = own()
  const file = readDocuments(text, 'the values file')[0]
  if (!isMap(file)) throw invalid('helmCharts: the values file holds no map of values')
  const merged =
    mode === 'merge' ? mergeStrategic(given, file, () => undefined) : mergeStrategic(file, given, () => undefined)
  return writeValues(merged ?? {})
}

function writeValues(values: ValueMap): string {
  return writeDocument(toJson(values), compareKeys)
}

function checkArgs({ name, releaseName, valuesMerge, valuesInline }: ChartArgs): void {
  if (name === '') throw invalid('helmCharts: chart name cannot be empty')
  for (const [field, value] of Object.entries({ name, releaseName })) {
    if (value.startsWith('-')) throw invalid(`helmCharts: ${field} must not start with '-'`)
  }
  if (name.split('/').includes('..')) throw invalid(`helmCharts: the chart name ${name} leads out of the chart home`)
  if (!['', 'merge', 'override', 'replace'].includes(valuesMerge)) {
    throw invalid(`helmCharts: valuesMerge of ${name} must be one of merge, override, replace`)
  }
  if (valuesInline !== undefined && !isRecord(valuesInline)) {
    throw invalid(`helmCharts: valuesInline of ${name} must be a map`)
  }
}

function missing({ name, repo }: ChartArgs, folder: string): LadingError {
  const host = URL.parse(repo)?.host ?? ''
  const why =
    repo === ''
      ? 'no repo is given to pull it from'
      : `its repository is on another host: give --allow-remote ${host === '' ? 'HOST' : host} to fetch it from there`
  return new LadingError('file.not-found', `helmCharts: no chart ${name} found at ${folder}, and ${why}`, {
    field: 'helmCharts',
    file: folder,
  })
}

function refused(problem: string): LadingError {
  return new LadingError('kustomize.refused', `helmCharts: ${problem}`, { field: 'helmCharts' })
}

function invalid(problem: string): LadingError {
  return new LadingError('kustomize.invalid', problem, { field: 'helmCharts' })
}
