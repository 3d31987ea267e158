import type { Chart, ChartMetadata, Dependency } from '../chart/chart.ts'
import type { Values } from './values.ts'

/** A chart while it is rendered: dependencies are enabled, aliased and dropped here, the loaded chart stays as it is. */
export interface WorkingChart {
  readonly chart: Chart
  /** The name it is known by, which an alias changes. */
  name: string
  metadata: ChartMetadata
  /** Rows of `dependencies`; after processing only those that are enabled, renamed to their aliases. */
  requirements: Dependency[]
  values: Values
  dependencies: WorkingChart[]
  parent: WorkingChart | undefined
}

/** A copy to work on; values are shared until something replaces them. */
export function workingChart(chart: Chart, parent?: WorkingChart): WorkingChart {
  const working: WorkingChart = {
    chart,
    name: chart.metadata.name,
    metadata: chart.metadata,
    requirements: [...chart.metadata.dependencies],
    values: chart.values,
    dependencies: [],
    parent,
  }
  working.dependencies = chart.dependencies.map((dependency) => workingChart(dependency, working))
  return working
}

/** Where a chart's templates are named to be: `parent/charts/child`. */
export function fullPath(chart: WorkingChart): string {
  return chart.parent === undefined ? chart.name : `${fullPath(chart.parent)}/charts/${chart.name}`
}
