import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LadingError, readGivenFile } from '../../../core/index.ts'
import { unpackChart } from '../archive/unpack-chart.ts'
import type { Chart } from '../chart/chart.ts'
import { newBudget } from '../chart/chart-limits.ts'
import { loadChart } from '../chart/load-chart.ts'
import { readChartFolder } from '../chart/read-chart-folder.ts'

/** A chart that may be no good: its files can be looked at without loading it. */
export interface LintInput {
  /** Where it lies, for the messages. */
  readonly path: string
  kindOf(name: string): Promise<'file' | 'folder' | undefined>
  read(name: string): Promise<Uint8Array | undefined>
  load(): Promise<Chart>
}

/** A chart's folder or archive, to be looked at. */
export async function lintInput(path: string, followLinks = false): Promise<LintInput> {
  const found = await stat(path).catch((error: unknown) => {
    throw new LadingError('file.not-found', `${path} does not exist`, { path }, { cause: error })
  })
  const input = found.isDirectory()
    ? folderInput(path, followLinks)
    : archiveInput(path, unpackChart(await readGivenFile(path, { maxBytes: 100 * 1024 * 1024 }), newBudget()))
  if ((await input.kindOf('Chart.yaml')) !== undefined) return input
  throw new LadingError('chart.invalid', `${path} is no chart: it has no Chart.yaml`, { path })
}

const maxFileBytes = 5 * 1024 * 1024

function folderInput(path: string, followLinks: boolean): LintInput {
  const look = (name: string) => stat(join(path, name)).catch(() => undefined)
  return {
    path,
    async kindOf(name) {
      const found = await look(name)
      return found === undefined ? undefined : found.isDirectory() ? 'folder' : 'file'
    },
    async read(name) {
      const found = await look(name)
      return found?.isFile() === true && found.size <= maxFileBytes ? readFile(join(path, name)) : undefined
    },
    load: () => readChartFolder(path, { followLinks }),
  }
}

function archiveInput(path: string, files: ReadonlyMap<string, Uint8Array>): LintInput {
  const names = [...files.keys()]
  return {
    path,
    async kindOf(name) {
      if (files.has(name)) return 'file'
      return names.some((each) => each.startsWith(`${name}/`)) ? 'folder' : undefined
    },
    read: async (name) => files.get(name),
    load: async () => loadChart(files),
  }
}
