import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Chart } from '../chart/chart.ts'
import { isInRange } from '../chart/version-range.ts'

/** A dependency and whether charts/ has it. */
export interface DependencyStatus {
  readonly name: string
  readonly version: string
  readonly repository: string
  /** `ok` is in charts/ as an archive, `unpacked` as a folder. */
  readonly status: 'ok' | 'unpacked' | 'missing' | 'wrong version' | 'too many matches'
}

/** Compares the dependencies of Chart.yaml with charts/, as `helm dependency list` does. */
export async function listDependencies(chart: Chart, folder: string): Promise<DependencyStatus[]> {
  const names = await readdir(join(folder, 'charts')).catch((): string[] => [])
  return chart.metadata.dependencies.map(({ name, version, repository }) => ({
    name,
    version,
    repository,
    status: statusOf(chart, name, version, names),
  }))
}

function statusOf(chart: Chart, name: string, range: string, names: readonly string[]): DependencyStatus['status'] {
  const loaded = chart.dependencies.filter(({ metadata }) => metadata.name === name)
  if (loaded.length === 0) return 'missing'
  const isArchived = names.some((file) => file.startsWith(`${name}-`) && file.endsWith('.tgz'))
  const archives = names.filter(
    (file) => file.startsWith(`${name}-`) && /^\d.*\.tgz$/.test(file.slice(name.length + 1)),
  )
  if (archives.length > 1) return 'too many matches'
  const fits = loaded.some(({ metadata }) => range === '' || isInRange(range, metadata.version))
  if (!fits) return 'wrong version'
  return isArchived ? 'ok' : 'unpacked'
}
