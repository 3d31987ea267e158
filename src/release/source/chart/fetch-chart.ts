import type { Context } from '../../../core/index.ts'
import { type ChartAccess, resolveChart, type ResolvedChart, type ResolveOptions } from '../../../render/helm/index.ts'
import { chartAccess } from './chart-access.ts'

/** Which chart is fetched, and from where. */
export interface FetchChartOptions extends ResolveOptions {
  /** Where charts are looked for (default: `chartAccess()`). */
  readonly access?: ChartAccess | undefined
}

/** Fetches the chart that a text names: REPO/CHART, https://….tgz, oci://…, or a name with `repository`. */
export function fetchChart(
  text: string,
  { access = chartAccess(), ...options }: FetchChartOptions,
  ctx: Context,
): Promise<ResolvedChart> {
  return resolveChart(text, options, access, ctx)
}
