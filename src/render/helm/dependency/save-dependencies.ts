import { lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isLadingError, LadingError } from '../../../core/index.ts'
import { readChartArchive } from '../archive/read-chart-archive.ts'
import { writeAtomically } from '../repository/write-atomically.ts'
import type { FetchedDependency } from './fetch-dependencies.ts'

/** Writes archives into charts/ once all of them are there, then removes those that nothing names any more; gives these. */
export async function saveDependencies(
  folder: string,
  fetched: readonly FetchedDependency[],
  local: readonly string[],
): Promise<string[]> {
  const charts = join(folder, 'charts')
  const found = await lstat(charts).catch(() => undefined)
  if (found !== undefined && !found.isDirectory()) {
    throw new LadingError('chart.refused', `${charts} is no folder, or a link: nothing is written there`, {
      path: charts,
    })
  }
  if (found === undefined && fetched.length === 0) return []
  await mkdir(charts, { recursive: true })
  const before = await readdir(charts, { withFileTypes: true })
  const written = new Set(fetched.map(({ file }) => file))
  if (written.size < fetched.length) {
    throw new LadingError(
      'chart.dependency',
      'two dependencies have the same name and version, and come from different places',
    )
  }
  for (const { file, archive } of fetched) await writeAtomically(join(charts, file), archive)
  const removed: string[] = []
  for (const entry of before) {
    if (!entry.isFile() || written.has(entry.name)) continue
    const path = join(charts, entry.name)
    const name = await chartNameOf(path)
    if (name === undefined || local.includes(name)) continue
    await rm(path)
    removed.push(entry.name)
  }
  return removed
}

// What is no chart is not ours to remove.
async function chartNameOf(path: string): Promise<string | undefined> {
  if (!path.endsWith('.tgz')) return undefined
  try {
    return readChartArchive(await readFile(path)).metadata.name
  } catch (error) {
    if (isLadingError(error)) return undefined
    throw error
  }
}
