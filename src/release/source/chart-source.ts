import { stat } from 'node:fs/promises'
import { type Context, during, isLadingError, type KubeObject, LadingError, readGivenFile } from '../../core/index.ts'
import { readObjects } from '../../core/yaml/index.ts'
import {
  type Chart,
  defaultCapabilities,
  newestVersion,
  readChartArchive,
  readChartFolder,
  templateFiles,
  writeTemplate,
} from '../../render/helm/index.ts'
import type { SourceInfo } from '../record/record.ts'
import { toHelmChart } from '../storage/helm/helm-chart.ts'
import type { ChartRelease } from '../storage/helm/helm-release.ts'
import { composeValues } from '../values/compose-values.ts'
import { chartDigest } from './chart-digest.ts'
import { chartValues } from './chart-values.ts'
import { renderWorld } from '../../render/world/index.ts'
import { type ReleaseChart, renderWithLookups } from './render-with-lookups.ts'
import type { ChartOptions, FetchChart, Rendered, RenderInput, Source, SourceOptions } from './source.ts'

/** The largest archive that is read; what it may unpack to is limited on its own. */
const maxArchiveBytes = 100 * 1024 * 1024

/** A chart's folder or its .tgz as a source; read once, however often it is rendered. */
export function chartSource(path: string, options: SourceOptions): Source {
  let chart: Promise<Chart> | undefined
  return {
    async render(input, ctx) {
      chart ??= loadChart(path, options, ctx)
      return renderChartSource(await chart, path, options.chart ?? {}, input, ctx)
    },
  }
}

/** An archive on the disk as a source: a chart's, or one with Pack.yaml at its root. */
export function archiveSource(path: string, options: SourceOptions): Source {
  let source: Promise<Source> | undefined
  return {
    async render(input, ctx) {
      source ??= recogniseArchive(path, options, ctx)
      return (await source).render(input, ctx)
    },
  }
}

async function recogniseArchive(path: string, options: SourceOptions, ctx: Context): Promise<Source> {
  try {
    const chart = await loadChart(path, options, ctx)
    return { render: (input, ctx) => renderChartSource(chart, path, options.chart ?? {}, input, ctx) }
  } catch (error) {
    if (!isLadingError(error, 'archive.invalid', 'archive.refused', 'chart.invalid')) throw error
    const { unpackTar } = await import('../../oci/index.ts')
    const files = await unpackTar(await readGivenFile(path, { maxBytes: maxArchiveBytes })).catch(() => undefined)
    if (files?.has('Pack.yaml') !== true) throw error
    const { packedPackSource } = await import('./pack-source.ts')
    return packedPackSource(files, path, options)
  }
}

/** A chart of a repository as a source; fetched once. */
export function fetchedChartSource(text: string, { fetchChart, chart: options = {} }: SourceOptions): Source {
  // Sources are recorded, and saved in plans.
  if ([text, options.repo ?? ''].some((address) => /^[a-z]+:\/\/[^/]*@/i.test(address))) {
    const problem = 'the address holds a user or a password: leave them out and log in with `lading repo add`'
    throw new LadingError('usage.invalid', problem)
  }
  let fetched: ReturnType<FetchChart> | undefined
  return {
    async render(input, ctx) {
      if (fetchChart === undefined) throw new LadingError('source.unsupported', 'there is nothing to fetch charts with')
      fetched ??= during(`fetching ${text.replace(/[?#].*$/s, '')}`, ctx, () => fetchChart(text, options, ctx))
      const { chart, origin } = await fetched
      // The version was chosen already, maybe by a range.
      const { version: _, ...rest } = options
      return renderChartSource(chart, origin, rest, input, ctx)
    },
  }
}

/** Renders a chart, wherever it came from, for a release. */
export async function renderChartSource(
  chart: Chart,
  origin: string,
  options: ChartOptions,
  input: RenderInput,
  ctx: Context,
): Promise<Rendered> {
  checkVersion(chart, origin, options)
  const given = input.values ?? {}
  const { chart: own, values } = chartValues(chart, given)
  const rendered = await render(own, values, origin, options, input, ctx)
  const defaults = rendered.processed.values as Readonly<Record<string, unknown>>
  for (const message of rendered.warnings) ctx.log.warn(message, { chart: chart.metadata.name })
  const hooks = rendered.hooks.filter(({ events }) => options.skipTests !== true || !events.includes('test'))
  return {
    // What is printed only need not be objects.
    get objects() {
      return [
        ...rendered.objects,
        ...hooks.flatMap(({ path, text }) => readObjects(text, { file: path, lenient: true })),
      ]
    },
    get crds() {
      return options.skipCrds === true ? [] : crdsOf(rendered)
    },
    info: infoOf(chart, origin),
    values: composeValues({ ...given, defaults, defaultsOf: 'chart' }),
    defaults,
    ...(rendered.notes === '' ? {} : { notes: rendered.notes }),
    chart: releaseOf(own, rendered, hooks),
    writeTemplate: (shown) => writeTemplate(rendered, { skipTests: options.skipTests === true, ...shown }),
    templateFiles: (shown) => templateFiles(rendered, { skipTests: options.skipTests === true, ...shown }),
  }
}

async function loadChart(path: string, options: SourceOptions, ctx: Context): Promise<Chart> {
  try {
    return await readChart(path, options, ctx)
  } catch (error) {
    if (!isLadingError(error)) throw error
    throw new LadingError(error.code, `${path}: ${error.message}`, { ...error.details, source: path }, { cause: error })
  }
}

async function readChart(path: string, { chart }: SourceOptions, ctx: Context): Promise<Chart> {
  const found = await stat(path)
  if (found.isDirectory()) {
    return readChartFolder(path, { followLinks: chart?.followLinks === true, log: ctx.log })
  }
  if (found.size > maxArchiveBytes) {
    const problem = `${path} has ${found.size} bytes, the limit is ${maxArchiveBytes}`
    throw new LadingError('input.too-large', problem, { file: path, size: found.size, maxArchiveBytes })
  }
  return readChartArchive(await readGivenFile(path, { maxBytes: maxArchiveBytes, signal: ctx.signal }))
}

async function render(
  chart: Chart,
  values: Readonly<Record<string, unknown>>,
  origin: string,
  options: ChartOptions,
  { release, cluster, world = renderWorld(), inlineMs }: RenderInput,
  ctx: Context,
): Promise<ReleaseChart> {
  const { kubeVersion, apiVersions = [], skipSchemaValidation = false, postRenderKustomize } = options
  const live = await cluster?.capabilities(ctx)
  const known = live ?? defaultCapabilities()
  const { name, namespace, revision, isUpgrade } = release
  const how = {
    values,
    release: { name, namespace, revision },
    isUpgrade,
    capabilities: {
      kubeVersion: kubeVersion ?? known.kubeVersion,
      apiVersions: [...known.apiVersions, ...apiVersions],
    },
    skipSchemaValidation,
  }
  try {
    return await renderWithLookups({ chart, options: how, postRenderKustomize }, world, { cluster, inlineMs }, ctx)
  } catch (error) {
    if (!isLadingError(error, 'chart.dependency')) throw error
    const problem = `${error.message}; run \`lading dependency build ${origin}\` to fetch what Chart.lock names`
    throw new LadingError('chart.dependency', problem, error.details, { cause: error })
  }
}

/** A registry is asked for the version; of what lies on the disk there is only one, and it has to be one that is meant. */
function checkVersion({ metadata }: Chart, origin: string, { version }: ChartOptions): void {
  if (version === undefined || origin.startsWith('oci://') || bare(version) === bare(metadata.version)) return
  if (newestVersion([metadata.version], version) !== undefined) return
  const problem = `${origin} is version ${metadata.version} of ${metadata.name}, not ${version}`
  throw new LadingError('usage.invalid', problem, { source: origin, version: metadata.version, wanted: version })
}

function bare(version: string): string {
  return version.replace(/^v/, '')
}

function crdsOf({ crds }: ReleaseChart): KubeObject[] {
  return crds.flatMap(({ name, data }) =>
    readObjects(Buffer.from(data).toString('utf8'), { file: name, lenient: true }),
  )
}

function infoOf(chart: Chart, origin: string): SourceInfo {
  const { name, version, appVersion } = chart.metadata
  return {
    type: 'chart',
    name,
    version,
    ...(appVersion === '' ? {} : { appVersion }),
    origin,
    digest: chartDigest(chart),
  }
}

function releaseOf(chart: Chart, { manifests, processed }: ReleaseChart, hooks: ReleaseChart['hooks']): ChartRelease {
  return {
    // Only a revision that is written needs it.
    get chart() {
      return toHelmChart({ ...chart, ...processed })
    },
    manifest: manifests.map(({ path, text }) => `---\n# Source: ${path}\n${text}\n`).join(''),
    hooks: hooks.map(({ kind, name, path, text }) => ({ kind, name, path, manifest: text })),
  }
}
