import type { Chart } from '../chart/chart.ts'
import { type ChartLimits, newBudget } from '../chart/chart-limits.ts'
import { loadUnpacked } from '../chart/load-chart.ts'
import { unpackChart } from './unpack-chart.ts'

/** Loads a chart from the bytes of its .tgz, within limits and in memory. */
export function readChartArchive(bytes: Uint8Array, limits: ChartLimits = {}): Chart {
  const budget = newBudget(limits)
  return loadUnpacked(unpackChart(bytes, budget), budget)
}
