import { stat } from 'node:fs/promises'
import { type Context, LadingError, readGivenFile } from '../core/index.ts'
import type { Chart } from '../render/helm/index.ts'
import { type ChartFlags, fetchChart } from './chart-access.ts'
import { pathFrom } from './connect.ts'
import type { Io } from './io.ts'

interface OpenFlags extends ChartFlags {
  readonly followLinks?: boolean
}

/** Loads the chart that a text names: a folder, an archive, or whatever `fetchChart` finds. */
export async function openChart(io: Io, text: string, flags: OpenFlags, ctx: Context): Promise<Chart> {
  const { readChartArchive, readChartFolder } = await import('../render/helm/index.ts')
  const path = pathFrom(io, text)
  const found = text.includes('://') || flags.repo !== undefined ? undefined : await stat(path).catch(() => undefined)
  if (found?.isDirectory() === true) {
    return readChartFolder(path, { followLinks: flags.followLinks === true, log: ctx.log })
  }
  if (found?.isFile() === true)
    return readChartArchive(await readGivenFile(path, { maxBytes: 100 * 1024 * 1024, signal: io.signal }))
  const isRemote = text.includes('://') || flags.repo !== undefined || /^[^./][^/]*\/[^/]+$/.test(text)
  if (!isRemote) throw new LadingError('file.not-found', `there is no chart at ${text}`, { path })
  return (await fetchChart(io, text, flags, {}, ctx)).chart
}
