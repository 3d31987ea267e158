import { isRecord, type KubeObject } from '../../../core/index.ts'
import type { Chart, RenderedChart, RenderOptions } from '../../../render/helm/index.ts'
import type { Job } from '../../../render/stoppable/index.ts'
import type { LookupQuery } from '../cluster-view.ts'
import { type RenderSeed, renderWorld } from '../../../render/world/index.ts'
import { answerLookup, type LookupAnswers } from './lookup-answers.ts'
import { attempt, type Outcome } from './outcome.ts'

/** What a chart is rendered from: data alone. */
export interface ChartInput {
  readonly chart: Chart
  readonly options: Omit<RenderOptions, 'environment' | 'postRender' | 'limits' | 'cache'>
  readonly seed: RenderSeed
  /** What lookups found so far; without a cluster there is none, and lookups find nothing. */
  readonly answers: LookupAnswers | undefined
  /** Folder of a kustomization that everything rendered is passed through. */
  readonly postRenderKustomize: string | undefined
}

/** What of a rendering a release needs; its objects, or why its documents are no objects. */
export type ChartResult = Omit<RenderedChart, 'values' | 'objects'> & {
  readonly objects: Outcome<readonly KubeObject[]>
}

/** What came of one rendering. */
export interface ChartOutput {
  /** What the templates looked up and was not known. */
  readonly asked: ReadonlyMap<string, LookupQuery>
  readonly used: RenderSeed
  readonly rendered: Outcome<ChartResult>
}

/** Renders a chart once, with the lookups that are known. */
export const chartJob: Job<ChartInput, ChartOutput> = {
  module: import.meta.url,
  name: 'chartJob',
  async prepare({ chart, options, seed, answers, postRenderKustomize }) {
    const { renderChart, toValues } = await import('../../../render/helm/index.ts')
    const postRender = postRenderKustomize === undefined ? undefined : await postRenderer(postRenderKustomize)
    return () => {
      const world = renderWorld(seed)
      const asked = new Map<string, LookupQuery>()
      const lookup: Lookup = (apiVersion, kind, namespace, name) => {
        const found = answerLookup(answers ?? new Map(), asked, { apiVersion, kind, namespace, name })
        return toValues(withIntegers(found) as Record<string, unknown>)
      }
      const environment = { ...world.begin(), ...(answers === undefined ? {} : { lookup }) }
      const rendered = attempt(() => {
        const found = renderChart(chart, { ...options, environment, ...(postRender && { postRender }) })
        const { manifests, hooks, notes, crds, warnings, processed } = found
        return { manifests, hooks, notes, crds, warnings, processed, objects: attempt(() => found.objects) }
      })
      return { asked, used: world.used(), rendered }
    }
  },
}

type Lookup = NonNullable<NonNullable<RenderOptions['environment']>['lookup']>

async function postRenderer(path: string): Promise<(stream: string) => string> {
  const { kustomizePostRenderer } = await import('../kustomize-post-renderer.ts')
  return kustomizePostRenderer(path)
}

// Go reads the API server's whole numbers as int64, which templates print without an exponent.
function withIntegers(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(withIntegers)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withIntegers(item)]))
}
