import { gunzipSync } from 'node:zlib'
import { LadingError, stringifyJson } from '../../../core/index.ts'
import { readTar, type TarEntry } from '../../../core/tar/index.ts'
import { countEntry, countFile } from '../chart/chart-budget.ts'
import type { ChartBudget } from '../chart/chart-limits.ts'
import { withoutBom } from '../chart/without-bom.ts'

const tarOverhead = 1024

/** The files of a chart's .tgz by their paths below the chart's folder; never touches the disk. */
export function unpackChart(archive: Uint8Array, budget: ChartBudget): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  for (const entry of readTar(gunzip(archive, budget), { strict: false })) {
    if (entry.type === 'folder' || entry.type === 'device' || entry.type === 'unknown') {
      countEntry(budget, entry.name)
      continue
    }
    const path = pathBelowChart(entry)
    countFile(budget, entry.name, entry.content.length)
    if (files.has(path)) throw refused(`has ${stringifyJson(path)} twice`, entry.name)
    files.set(path, withoutBom(entry.content))
  }
  if (files.size === 0) throw new LadingError('archive.invalid', 'no files in chart archive')
  return files
}

function gunzip(archive: Uint8Array, budget: ChartBudget): Uint8Array {
  if (archive[0] !== 0x1f || archive[1] !== 0x8b) {
    throw new LadingError('archive.invalid', 'the chart does not appear to be a gzipped archive')
  }
  const maxOutputLength = budget.maxBytes - budget.bytes + tarOverhead * budget.maxEntries
  try {
    return gunzipSync(archive, { maxOutputLength })
  } catch (error) {
    if (error instanceof RangeError) {
      const problem = `decompressed chart is larger than the maximum size ${budget.maxBytes}`
      throw new LadingError('input.too-large', problem, { maxBytes: budget.maxBytes }, { cause: error })
    }
    throw new LadingError('archive.invalid', 'the chart archive is damaged', {}, { cause: error })
  }
}

function pathBelowChart({ name, type }: TarEntry): string {
  if (type === 'symlink' || type === 'hardlink') throw refused('holds a link', name)
  const parts = name.replaceAll('\\', '/').split('/')
  if (parts[0] === '') throw refused('contains absolute paths', name)
  if (parts[0] === 'Chart.yaml') throw refused('has its Chart.yaml not in a base directory', name)
  if (parts.includes('..')) throw refused('references a parent directory', name)
  const below = parts.slice(1)
  if (below[0] === '' && below.length > 1) throw refused('contains absolute paths', name)
  const path = below.filter((part) => part !== '' && part !== '.').join('/')
  if (path === '') throw refused('contains content outside the base directory', name)
  if (/^[a-zA-Z]:\//.test(path) || path.includes('\0')) throw refused('contains illegally named files', name)
  return path
}

function refused(problem: string, entry: string): LadingError {
  return new LadingError('archive.refused', `the chart archive ${problem}: ${stringifyJson(entry)}`, { entry })
}
