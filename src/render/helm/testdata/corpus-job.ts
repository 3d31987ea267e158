import { seededRandom } from '../../../core/index.ts'
import type { Job } from '../../stoppable/index.ts'
import type { Chart } from '../chart/chart.ts'
import { renderChart, type RenderedChart, type RenderOptions } from '../render-chart.ts'

/** A chart and how it is rendered. */
export interface CorpusChart {
  readonly chart: Chart
  readonly options: Omit<RenderOptions, 'environment' | 'postRender'>
}

/** What a chart of the corpus came to. */
export type CorpusResult = Omit<RenderedChart, 'values' | 'objects'> | { readonly error: unknown }

/** Renders many charts, all from the same seed and time: a worker for each would take long to start. */
export const corpusJob: Job<readonly CorpusChart[], CorpusResult[]> = {
  module: import.meta.url,
  name: 'corpusJob',
  prepare: (charts) => Promise.resolve(() => charts.map(render)),
}

function render({ chart, options }: CorpusChart): CorpusResult {
  try {
    const environment = { random: seededRandom('corpus'), now: () => new Date(0) }
    const { values: _, objects: _objects, ...rest } = renderLazily(chart, { ...options, environment })
    return rest
  } catch (error) {
    return { error }
  }
}

// Documents of the corpus need not be objects.
function renderLazily(chart: Chart, options: RenderOptions): RenderedChart {
  const { manifests, hooks, notes, crds, warnings, processed, values } = renderChart(chart, options)
  return { manifests, hooks, notes, crds, warnings, processed, values, objects: [] }
}
