import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Context, isLadingError, LadingError, stringifyJson } from '../../../core/index.ts'
import type { Fetch } from './fetch.ts'
import { type HelmHome } from './helm-home.ts'
import { maxIndexBytes, readIndex, type RepositoryIndex } from './index-file.ts'
import { checkRepositoryName, readRepositories, type RepositoryEntry, writeRepositories } from './repositories-file.ts'
import { httpUrl, requestFrom, resolveUrl, shown } from './repository-request.ts'
import { writeAtomically } from './write-atomically.ts'

/** The chart repositories of a user, shared with Helm. */
export interface Repositories {
  list(): Promise<RepositoryEntry[]>
  /** Adds a repository once its index was read; says whether anything changed. */
  add(entry: RepositoryEntry, options: { readonly forceUpdate?: boolean }, ctx: Context): Promise<'added' | 'unchanged'>
  remove(name: string): Promise<void>
  /** Fetches the index of the named repositories, or of all; what fails is told, not thrown. */
  update(names: readonly string[], ctx: Context): Promise<UpdateOutcome[]>
  /** The cached index of a repository; fetched where there is none yet. */
  index(entry: RepositoryEntry, ctx: Context): Promise<RepositoryIndex>
  find(name: string): Promise<RepositoryEntry>
}

/** What came of an update. */
export interface UpdateOutcome {
  readonly name: string
  readonly url: string
  readonly charts?: number
  readonly problem?: string
}

/** Opens the repositories that Helm's files describe; whatever is fetched is fetched by the function handed in. */
export function openRepositories(home: HelmHome, fetch: Fetch): Repositories {
  const cachePath = (name: string) => join(home.cache, `${name}-index.yaml`)

  async function fetchIndex(entry: RepositoryEntry, ctx: Context): Promise<RepositoryIndex> {
    const data = await fetchIndexData(fetch, entry, ctx)
    const index = readIndex(data, shown(entry.url))
    await writeAtomically(cachePath(entry.name), data)
    await writeAtomically(
      join(home.cache, `${entry.name}-charts.txt`),
      [...index.charts.keys()].map((name) => `${name}\n`).join(''),
    )
    return index
  }

  async function find(name: string): Promise<RepositoryEntry> {
    const entries = await readRepositories(home.repositories)
    const entry = entries.find((each) => each.name === name)
    if (entry !== undefined) return entry
    throw new LadingError('repo.not-found', `no repository named ${stringifyJson(name)} was added`, { name })
  }

  return {
    list: () => readRepositories(home.repositories),
    find,
    async add(entry, { forceUpdate = false }, ctx) {
      checkRepositoryName(entry.name)
      httpUrl(entry.url)
      const entries = await readRepositories(home.repositories)
      const known = entries.find(({ name }) => name === entry.name)
      if (known !== undefined && !forceUpdate) {
        if (isDeepStrictEqual(known, entry)) return 'unchanged'
        throw new LadingError('repo.exists', `there is a repository ${entry.name} already, at ${shown(known.url)}`, {
          name: entry.name,
        })
      }
      await fetchIndex(entry, ctx)
      await writeRepositories(home.repositories, [...entries.filter(({ name }) => name !== entry.name), entry])
      return 'added'
    },
    async remove(name) {
      await find(name)
      const entries = await readRepositories(home.repositories)
      await writeRepositories(
        home.repositories,
        entries.filter((entry) => entry.name !== name),
      )
      await rm(cachePath(name), { force: true })
      await rm(join(home.cache, `${name}-charts.txt`), { force: true })
    },
    async update(names, ctx) {
      const entries = await readRepositories(home.repositories)
      for (const name of names) if (!entries.some((entry) => entry.name === name)) await find(name)
      const chosen = names.length === 0 ? entries : entries.filter(({ name }) => names.includes(name))
      return Promise.all(
        chosen.map(async (entry): Promise<UpdateOutcome> => {
          const row = { name: entry.name, url: shown(entry.url) }
          try {
            return { ...row, charts: (await fetchIndex(entry, ctx)).charts.size }
          } catch (error) {
            if (!isLadingError(error) || ctx.signal.aborted) throw error
            return { ...row, problem: error.message }
          }
        }),
      )
    },
    async index(entry, ctx) {
      const cached = await readFile(cachePath(entry.name)).catch(() => undefined)
      return cached === undefined ? fetchIndex(entry, ctx) : readIndex(cached, shown(entry.url))
    },
  }
}

/** The index of a repository that may not be a named one. */
export async function fetchIndexData(
  fetch: Fetch,
  entry: Omit<RepositoryEntry, 'name'>,
  ctx: Context,
): Promise<Uint8Array> {
  return requestFrom(fetch, entry, resolveUrl(entry.url, 'index.yaml'), maxIndexBytes, ctx)
}
