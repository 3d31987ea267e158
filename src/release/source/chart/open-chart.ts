import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Context, LadingError, readGivenFile } from '../../../core/index.ts'
import { type Chart, readChartArchive, readChartFolder } from '../../../render/helm/index.ts'
import { fetchChart, type FetchChartOptions } from './fetch-chart.ts'

/** How a chart is opened. */
export interface OpenChartOptions extends FetchChartOptions {
  /** The folder that paths start from (default: the working directory). */
  readonly cwd?: string | undefined
  /** Follows symlinks that lead out of the chart's repository (default: false). */
  readonly followLinks?: boolean | undefined
}

/** The largest archive of a chart that is read. */
export const maxChartBytes = 100 * 1024 * 1024

/** Loads the chart that a text names: a folder, an archive, or whatever `fetchChart` finds. */
export async function openChart(
  text: string,
  { cwd, followLinks = false, ...options }: OpenChartOptions,
  ctx: Context,
): Promise<Chart> {
  const path = cwd === undefined ? text : resolve(cwd, text)
  const isElsewhere = text.includes('://') || options.repository !== undefined
  const found = isElsewhere ? undefined : await stat(path).catch(() => undefined)
  if (found?.isDirectory() === true) return readChartFolder(path, { followLinks, log: ctx.log })
  if (found?.isFile() === true)
    return readChartArchive(await readGivenFile(path, { maxBytes: maxChartBytes, signal: ctx.signal }))
  if (!isElsewhere && !/^[^./][^/]*\/[^/]+$/.test(text))
    throw new LadingError('file.not-found', `there is no chart at ${text}`, { path })
  return (await fetchChart(text, options, ctx)).chart
}
