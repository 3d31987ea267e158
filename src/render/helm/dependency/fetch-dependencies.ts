import { join } from 'node:path'
import { type Context, LadingError } from '../../../core/index.ts'
import type { Dependency } from '../chart/chart.ts'
import { readChartFolder } from '../chart/read-chart-folder.ts'
import { isInRange } from '../chart/version-range.ts'
import { packageChart } from '../package/package-chart.ts'
import { type ChartAccess, resolveChart } from '../repository/resolve-chart.ts'
import { localFolder, type PlacedDependency } from './resolve-dependencies.ts'
import type { DependencyOptions } from './update-dependencies.ts'

/** A dependency as it lies in charts/. */
export interface SavedDependency {
  readonly name: string
  readonly version: string
  readonly repository: string
  readonly file: string
}

/** A dependency with its archive. */
export interface FetchedDependency extends SavedDependency {
  readonly archive: Uint8Array
}

/** Fetches the archives of locked dependencies, each once; those that lie in charts/ anyway are only checked. */
export async function fetchDependencies(
  folder: string,
  placed: readonly PlacedDependency[],
  locked: readonly Dependency[],
  options: DependencyOptions,
  access: ChartAccess,
  ctx: Context,
): Promise<FetchedDependency[]> {
  const fetched = new Map<string, FetchedDependency>()
  for (const row of locked) {
    const { name, version, repository } = row
    const known = placed.find(({ dependency }) => dependency.name === name && dependency.repository === repository)
    if (known === undefined)
      throw new LadingError('chart.dependency', `the lock names ${name} of ${repository}, Chart.yaml does not`, {
        name,
        repository,
      })
    const key = `${repository} ${name} ${version}`
    if (fetched.has(key)) continue
    const found = await fetchOne(folder, row, known, options, access, ctx)
    if (found !== undefined)
      fetched.set(key, { name, version: found.version, repository, file: found.fileName, archive: found.archive })
  }
  return [...fetched.values()]
}

async function fetchOne(
  folder: string,
  { name, version, repository }: Dependency,
  known: PlacedDependency,
  options: DependencyOptions,
  access: ChartAccess,
  ctx: Context,
): Promise<{ fileName: string; archive: Uint8Array; version: string } | undefined> {
  const keyring = options.keyring === undefined ? {} : { keyring: options.keyring }
  const links = { followLinks: options.followLinks === true }
  switch (known.place) {
    case 'charts':
      checkVersion(name, version, (await readChartFolder(join(folder, 'charts', name), links)).metadata.version)
      return undefined
    case 'folder': {
      const chart = await readChartFolder(await localFolder(folder, repository.slice('file://'.length)), {
        ...links,
        log: ctx.log,
      })
      checkVersion(name, version, chart.metadata.version)
      const packed = packageChart(chart)
      return { fileName: packed.fileName, archive: packed.archive, version: chart.metadata.version }
    }
    case 'registry': {
      const found = await resolveChart(
        `${repository.replace(/\/+$/, '')}/${name}`,
        { version, ...keyring },
        access,
        ctx,
      )
      checkName(name, found.chart.metadata.name)
      return { fileName: found.fileName, archive: found.archive, version }
    }
    case 'repository': {
      const found = await resolveChart(
        name,
        { version, repository: known.repository ?? { url: repository }, ...keyring },
        access,
        ctx,
      )
      return { fileName: found.fileName, archive: found.archive, version }
    }
  }
}

function checkVersion(name: string, range: string, version: string): void {
  if (isInRange(range, version)) return
  throw new LadingError('chart.dependency', `dependency ${name} at version ${version} does not satisfy ${range}`, {
    name,
    version,
  })
}

function checkName(expected: string, actual: string): void {
  if (expected === actual) return
  throw new LadingError('chart.refused', `asked for the chart ${expected}, and ${actual} came`, { expected, actual })
}
