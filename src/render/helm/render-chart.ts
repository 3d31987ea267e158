import { defined, type KubeObject, LadingError } from '../../core/index.ts'
import type { Limits, TreeCache } from '../gotemplate/index.ts'
import type { GoValue } from '../gotemplate/value.ts'
import type { Chart, ChartFile } from './chart/chart.ts'
import { checkInstallable } from './chart/check-installable.ts'
import { isInRange } from './chart/version-range.ts'
import { chartTemplates } from './engine/chart-templates.ts'
import { renderTemplates } from './engine/render-templates.ts'
import { type FunctionEnvironment, functionEnvironment } from './functions/environment.ts'
import { functionTable } from './functions/function-table.ts'
import type { ChartHook } from './manifests/chart-hook.ts'
import { postRenderFiles } from './manifests/post-render.ts'
import { type Manifest, sortManifests } from './manifests/sort-manifests.ts'
import { type Capabilities, capabilitiesObject, defaultCapabilities, parseKubeVersion } from './objects/capabilities.ts'
import { validateValues } from './schema/validate-values.ts'
import { prepareValues } from './values/prepare-values.ts'
import { toValues } from './values/values.ts'
import { fullPath, type WorkingChart } from './values/working-chart.ts'
import { manifestObjects } from './manifests/manifest-objects.ts'

/** What a chart is rendered with. */
export interface RenderOptions {
  /** Laid over the chart's own; numbers are floats as in a values file, a bigint is an integer as `--set` makes it. */
  readonly values?: Readonly<Record<string, unknown>>
  readonly release: { readonly name: string; readonly namespace?: string; readonly revision?: number }
  readonly isUpgrade?: boolean
  /** The capabilities of the cluster (default: those that helm 4.1 assumes). */
  readonly capabilities?: Capabilities
  /** Time, randomness and what `lookup` finds (default: the machine's own clock and randomness). */
  readonly environment?: Partial<FunctionEnvironment>
  /** A key that is missing fails the rendering. */
  readonly strict?: boolean
  readonly skipSchemaValidation?: boolean
  /** Notes of subcharts after those of the chart. */
  readonly subchartNotes?: boolean
  /** Changes the whole rendered stream, hooks included, before it is sorted. */
  readonly postRender?: (stream: string) => string
  readonly limits?: Limits
  /** Keeps parsed templates from one rendering to the next. */
  readonly cache?: TreeCache
}

/** What a chart gave. */
export interface RenderedChart {
  /** Documents in the order in which Helm installs them, hooks apart. */
  readonly manifests: readonly { readonly path: string; readonly text: string }[]
  /** The objects of the manifests, lists expanded; reading it refuses documents that are no objects. */
  readonly objects: readonly KubeObject[]
  readonly hooks: readonly ChartHook[]
  readonly notes: string
  /** Files of crds/, which Helm installs first and never templates. */
  readonly crds: readonly ChartFile[]
  readonly warnings: readonly string[]
  /** What Helm keeps of the chart in a release: its dependencies decided on, and its values with those of the subcharts below. */
  readonly processed: Pick<Chart, 'metadata' | 'values'>
  /** The values that the templates of the chart saw. */
  readonly values: Readonly<Record<string, GoValue>>
}

/** Renders a chart as `helm template` of Helm 4 does, in process. */
export function renderChart(chart: Chart, options: RenderOptions): RenderedChart {
  const warnings = new Set<string>(chart.warnings)
  const warn = (message: string) => void warnings.add(message)
  checkInstallable(chart, options.release.name)
  const capabilities = options.capabilities ?? defaultCapabilities()
  const { working, values } = prepareValues(chart, toValues(options.values ?? {}), warn)
  if (options.skipSchemaValidation !== true) validateValues(working, values, warn)
  checkKubeVersion(chart, capabilities)
  const files = renderFiles(working, values, capabilities, options)
  const notes = takeNotes(files, working, options.subchartNotes ?? false)
  const given = options.postRender === undefined ? files : postRenderFiles(files, options.postRender)
  const { manifests, hooks } = sortManifests(given, warn)
  const processed = { metadata: working.metadata, values: working.values }
  return result({ manifests, hooks, notes, crds: crdFiles(working), warnings: [...warnings], processed, values })
}

function checkKubeVersion({ metadata }: Chart, capabilities: Capabilities): void {
  const { version, normalized } = parseKubeVersion(capabilities.kubeVersion)
  if (metadata.kubeVersion === '' || isInRange(metadata.kubeVersion, normalized)) return
  const problem = `chart requires kubeVersion: ${metadata.kubeVersion} which is incompatible with Kubernetes ${version}`
  throw new LadingError('chart.invalid', problem, { chart: metadata.name, kubeVersion: version })
}

function renderFiles(
  chart: WorkingChart,
  values: RenderedChart['values'],
  capabilities: Capabilities,
  options: RenderOptions,
): Map<string, string> {
  const environment = functionEnvironment(options.environment)
  const functions = functionTable(environment)
  const { name, namespace = 'default', revision = 1 } = options.release
  const templates = chartTemplates(chart, values, {
    release: { name, namespace, revision, isUpgrade: options.isUpgrade ?? false },
    capabilities: capabilitiesObject(capabilities),
    toYaml: (value) => functions['toYaml']!.call([value]) as string,
  })
  const { strict = false, limits, cache } = options
  return renderTemplates(templates, {
    environment,
    functions,
    strict,
    ...defined({ limits, cache }),
  })
}

// Notes are text for people: they are never part of the release, a subchart's only where asked for.
function takeNotes(files: Map<string, string>, chart: WorkingChart, withSubcharts: boolean): string {
  const own = `${chart.name}/templates/NOTES.txt`
  const notes: string[] = []
  for (const [path, text] of [...files].sort(([a], [b]) => Number(b === own) - Number(a === own))) {
    if (!path.endsWith('NOTES.txt')) continue
    files.delete(path)
    if (path === own || withSubcharts) notes.push(text)
  }
  return notes.filter((text) => text !== '').join('\n')
}

function crdFiles(chart: WorkingChart): ChartFile[] {
  const path = fullPath(chart)
  const own = chart.chart.files
    .filter(({ name }) => name.startsWith('crds/') && /\.(?:yaml|yml|json)$/i.test(name))
    .map(({ name, data }) => ({ name: `${path}/${name}`, data }))
  return [...own, ...chart.dependencies.flatMap(crdFiles)]
}

function result(
  parts: Omit<RenderedChart, 'objects' | 'manifests'> & { readonly manifests: readonly Manifest[] },
): RenderedChart {
  let objects: KubeObject[] | undefined
  return {
    ...parts,
    manifests: parts.manifests.map(({ path, text }) => ({ path, text })),
    get objects() {
      objects ??= manifestObjects(parts.manifests)
      return objects
    },
  }
}
