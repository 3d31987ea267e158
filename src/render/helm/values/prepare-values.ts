import { goString } from '../../gotemplate/index.ts'
import type { Chart } from '../chart/chart.ts'
import { coalesceChart, type CoalesceOptions } from './coalesce.ts'
import { enableDependencies } from './enable-dependencies.ts'
import { importValues } from './import-values.ts'
import type { Values } from './values.ts'
import { type WorkingChart, workingChart } from './working-chart.ts'

/** What templates of a chart are rendered with. */
export interface Prepared {
  /** The chart with the subcharts that are enabled, under their aliases. */
  readonly working: WorkingChart
  readonly values: Values
}

/** Decides on dependencies, imports their values and lays what is given over the defaults, in Helm's order. */
export function prepareValues(chart: Chart, given: Values, warn: (message: string) => void): Prepared {
  const options: CoalesceOptions = { keepNulls: false, warn, show: goString }
  const working = workingChart(chart)
  enableDependencies(working, given, '', options)
  importValues(working, options)
  return { working, values: coalesceChart(working, given, options) }
}
