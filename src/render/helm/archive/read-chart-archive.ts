import type { Chart } from '../chart/chart.ts'
import { type ChartLimits, newBudget } from '../chart/chart-limits.ts'
import { loadUnpacked } from '../chart/load-chart.ts'
import { unpackChart } from './unpack-chart.ts'

/** The files of a chart's .tgz by their paths from the chart's folder, within limits. */
export function chartArchiveFiles(bytes: Uint8Array, limits: ChartLimits = {}): ReadonlyMap<string, Uint8Array> {
  return unpackChart(bytes, newBudget(limits))
}

/** Loads a chart from the bytes of its .tgz, within limits and in memory. */
export function readChartArchive(bytes: Uint8Array, limits: ChartLimits = {}): Chart {
  const budget = newBudget(limits)
  return loadUnpacked(unpackChart(bytes, budget), budget)
}
