import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { type Context, LadingError, stringifyJson } from '../../../core/index.ts'
import type { Chart, Dependency } from '../chart/chart.ts'
import { readChartFolder, type ReadFolderOptions } from '../chart/read-chart-folder.ts'
import { isInRange, isVersion } from '../chart/version-range.ts'
import { parseConstraint } from '../semver/constraint.ts'
import { newestVersion } from '../semver/newest-version.ts'
import { chooseEntry } from '../repository/choose-entry.ts'
import { isChartName, readIndex, type RepositoryIndex } from '../repository/index-file.ts'
import { fetchIndexData } from '../repository/open-repositories.ts'
import { readRepositories, type RepositoryEntry } from '../repository/repositories-file.ts'
import { shown } from '../repository/repository-request.ts'
import type { ChartAccess } from '../repository/resolve-chart.ts'

/** A dependency whose repository is an address, with what is known of that repository. */
export interface PlacedDependency {
  readonly dependency: Dependency
  readonly place: 'charts' | 'folder' | 'registry' | 'repository'
  readonly repository?: Omit<RepositoryEntry, 'name'>
}

/** Says where each dependency comes from; `@name` and `alias:name` become the address of the repository of that name. */
export async function placeDependencies(chart: Chart, { home }: ChartAccess): Promise<PlacedDependency[]> {
  const known = await readRepositories(home.repositories)
  return chart.metadata.dependencies.map((dependency) => place(dependency, known))
}

function place(dependency: Dependency, known: readonly RepositoryEntry[]): PlacedDependency {
  const { name, repository } = dependency
  if (!isChartName(name)) {
    throw new LadingError('chart.refused', `the dependency ${stringifyJson(name)} has no name that a file may have`, {
      name,
    })
  }
  if (repository === '') return { dependency, place: 'charts' }
  if (repository.startsWith('file://')) return { dependency, place: 'folder' }
  if (repository.startsWith('oci://')) return { dependency, place: 'registry' }
  const [, alias] = /^(?:@|alias:)(.+)$/.exec(repository) ?? []
  const entry = known.find((each) => (alias === undefined ? sameUrl(each.url, repository) : each.name === alias))
  if (entry !== undefined)
    return {
      dependency: { ...dependency, repository: alias === undefined ? repository : entry.url },
      place: 'repository',
      repository: entry,
    }
  if (alias === undefined && /^https?:\/\//i.test(repository))
    return { dependency, place: 'repository', repository: { url: repository } }
  const problem = `the dependency ${name} is in the repository ${stringifyJson(repository)}, which was not added`
  throw new LadingError('repo.not-found', problem, { name, repository })
}

/** Locks every dependency to a version, as Helm chooses it. */
export async function lockDependencies(
  folder: string,
  placed: readonly PlacedDependency[],
  links: Pick<ReadFolderOptions, 'followLinks'>,
  access: ChartAccess,
  ctx: Context,
): Promise<Dependency[]> {
  const indexes = new Map<string, Promise<RepositoryIndex>>()
  const locked: Dependency[] = []
  for (const each of placed) {
    const { name, repository, version } = each.dependency
    if (typeof parseConstraint(version) === 'string') {
      throw new LadingError(
        'chart.invalid',
        `the dependency ${name} has an invalid version: ${stringifyJson(version)}`,
        { name, version },
      )
    }
    const chosen = await chooseVersion(folder, each, links, indexes, access, ctx)
    locked.push({
      name,
      repository,
      version: chosen,
      condition: '',
      tags: [],
      enabled: false,
      importValues: [],
      alias: '',
    })
  }
  return locked
}

async function chooseVersion(
  folder: string,
  { dependency, place: kind, repository }: PlacedDependency,
  links: Pick<ReadFolderOptions, 'followLinks'>,
  indexes: Map<string, Promise<RepositoryIndex>>,
  access: ChartAccess,
  ctx: Context,
): Promise<string> {
  const { name, version } = dependency
  if (kind === 'charts') {
    await localFolder(folder, `charts/${name}`)
    return version
  }
  if (kind === 'folder') return localVersion(folder, dependency, links)
  if (kind === 'registry') return registryVersion(dependency, access, ctx)
  const entry = repository ?? { url: dependency.repository }
  const index =
    indexes.get(entry.url) ?? fetchIndexData(access.fetch, entry, ctx).then((data) => readIndex(data, shown(entry.url)))
  indexes.set(entry.url, index)
  return chooseEntry(await index, name, { version }, shown(entry.url)).version
}

async function localVersion(
  folder: string,
  { name, repository, version }: Dependency,
  links: Pick<ReadFolderOptions, 'followLinks'>,
): Promise<string> {
  const found = await localFolder(folder, repository.slice('file://'.length))
  const { metadata } = await readChartFolder(found, links)
  if (isInRange(version, metadata.version)) return metadata.version
  throw noVersion(name, repository, version)
}

async function registryVersion(
  { name, repository, version }: Dependency,
  { registry }: ChartAccess,
  ctx: Context,
): Promise<string> {
  if (isVersion(version)) return version
  if (registry === undefined)
    throw new LadingError('source.unsupported', `registries are not reached here: ${repository}`)
  const tags = await registry.tags(`${repository}/${name}`, ctx)
  // A tag has no plus: Helm writes an underscore for it.
  const found = newestVersion(
    tags.map((tag) => tag.replaceAll('_', '+')),
    version,
  )
  if (found === undefined) throw noVersion(name, repository, version)
  return found
}

/** The folder that a `file://` repository names, from the chart's own. */
export async function localFolder(folder: string, path: string): Promise<string> {
  const found = isAbsolute(path) ? path : join(folder, path)
  if ((await stat(found).catch(() => undefined))?.isDirectory() === true) return found
  throw new LadingError('chart.dependency', `directory ${found} not found`, { path: found })
}

function noVersion(name: string, repository: string, version: string): LadingError {
  const problem = `no version of ${name} in ${repository} fits ${stringifyJson(version)}`
  return new LadingError('chart.not-found', problem, { name, repository, version })
}

function sameUrl(a: string, b: string): boolean {
  return a.replace(/\/+$/, '') === b.replace(/\/+$/, '')
}
