import type { RenderSeed } from '../../world/index.ts'
import { type Decoded, flag, listOf, optional, anything, shape, text } from '../load/decode.ts'

const chartFields = {
  name: text,
  version: text,
  repo: text,
  releaseName: text,
  namespace: text,
  additionalValuesFiles: listOf(text),
  valuesFile: text,
  valuesInline: optional(anything),
  valuesMerge: text,
  includeCRDs: flag,
  skipHooks: flag,
  apiVersions: listOf(text),
  kubeVersion: text,
  nameTemplate: text,
  skipTests: flag,
  debug: flag,
  devel: flag,
}
const globalFields = { chartHome: text, configHome: text }

/** An entry of `helmCharts`. */
export const chartArgs = shape(chartFields)

/** What all charts of a kustomization share; `configHome` is read by no one here, as there is no helm program to hand it to. */
export const helmGlobals = shape(globalFields)

/** The configuration of a `HelmChartInflationGenerator`. */
export const chartGeneratorArgs = shape({ ...globalFields, ...chartFields })

/** An entry of the legacy field `helmChartInflationGenerator`. */
export const legacyChartArgs = shape({
  chartName: text,
  chartVersion: text,
  chartRepoUrl: text,
  chartHome: text,
  chartRepoName: text,
  helmBin: text,
  helmHome: text,
  values: text,
  valuesLocal: optional(anything),
  valuesMerge: text,
  releaseName: text,
  releaseNamespace: text,
  extraArgs: listOf(text),
})

/** An entry of `helmCharts`. */
export type ChartArgs = Decoded<typeof chartArgs>

/** A chart that a kustomization asks for: what `helm template` would be told, with the values merged and the files at hand. */
export interface ChartRequest extends Omit<
  ChartArgs,
  'valuesFile' | 'additionalValuesFiles' | 'valuesInline' | 'valuesMerge'
> {
  /** The chart's folder in the tree. */
  readonly folder: string
  /** The chart's files by their paths from its folder. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Texts of YAML over the chart's own values; later ones win. */
  readonly values: readonly string[]
}

/** Renders a chart to a stream of YAML documents. */
export type InflateChart = (chart: ChartRequest) => string

/** Renders the charts of one build, from a seed; a worker finds it as an export of a module. */
export interface ChartEngine {
  /** The module that exports the engine, as `import.meta.url`. */
  readonly module: string
  /** The name that the module exports it by. */
  readonly name: string
  open(seed: RenderSeed | undefined): { readonly inflateChart: InflateChart; used(): RenderSeed }
}

/** A legacy entry as one of `helmCharts`; it knows fewer fields. */
export function fromLegacy(old: Decoded<typeof legacyChartArgs>): ChartArgs {
  return {
    ...chartArgs({}, { file: '', path: '', strict: false }),
    name: old.chartName,
    version: old.chartVersion,
    repo: old.chartRepoUrl,
    valuesFile: old.values,
    valuesInline: old.valuesLocal,
    valuesMerge: old.valuesMerge,
    releaseName: old.releaseName,
  }
}
