import { compareText, type Context, LadingError, stringifyJson } from '../../../core/index.ts'
import { parseConstraint, satisfies } from '../semver/constraint.ts'
import { parseVersion } from '../semver/version.ts'
import type { IndexEntry } from './index-file.ts'
import type { Repositories } from './open-repositories.ts'

/** What is looked for. */
export interface SearchOptions {
  /** Words that all have to occur in the name, the description or the keywords. */
  readonly words: readonly string[]
  /** A version or a range. */
  readonly version?: string
  readonly devel?: boolean
  /** All versions, not the newest only. */
  readonly versions?: boolean
}

/** A chart that was found; its name is REPO/CHART. */
export interface FoundChart {
  readonly name: string
  readonly version: string
  readonly appVersion: string
  readonly description: string
  readonly deprecated: boolean
}

/** Looks through the cached indexes of all repositories. */
export async function searchCharts(
  repositories: Repositories,
  options: SearchOptions,
  ctx: Context,
): Promise<FoundChart[]> {
  const { words, version, devel = false } = options
  const range = version ?? (devel ? '>0.0.0-0' : '*')
  const constraint = parseConstraint(range)
  if (typeof constraint === 'string')
    throw new LadingError('usage.invalid', `${stringifyJson(range)} is no range of versions`)
  const lower = words.map((word) => word.toLowerCase())
  const found: FoundChart[] = []
  for (const entry of await repositories.list()) {
    const index = await repositories.index(entry, ctx)
    for (const entries of index.charts.values()) {
      const fitting = entries.filter((each) => matches(`${entry.name}/${each.name}`, each, lower) && fits(each.version))
      const shown = options.versions === true ? fitting : fitting.slice(0, 1)
      found.push(...shown.map((each) => rowOf(entry.name, each)))
    }
  }
  return found.sort((a, b) => compareText(a.name, b.name))

  function fits(text: string): boolean {
    const parsed = parseVersion(text)
    return typeof parsed !== 'string' && typeof constraint !== 'string' && satisfies(parsed, constraint)
  }
}

function matches(name: string, { description, keywords }: IndexEntry, words: readonly string[]): boolean {
  const text = `${name}\n${description}\n${keywords.join('\n')}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function rowOf(repository: string, entry: IndexEntry): FoundChart {
  const { name, version, appVersion, description, deprecated } = entry
  return { name: `${repository}/${name}`, version, appVersion, description, deprecated }
}
