import { LadingError, stringifyJson } from '../../../core/index.ts'
import { type Constraint, parseConstraint, satisfies } from '../semver/constraint.ts'
import { parseVersion } from '../semver/version.ts'
import type { IndexEntry, RepositoryIndex } from './index-file.ts'

/** Which version of a chart is meant. */
export interface VersionChoice {
  /** A version or a range; the newest that is no prerelease unless given. */
  readonly version?: string
  /** Prereleases count too. */
  readonly devel?: boolean
}

/** The newest version of a chart that fits, as Helm chooses it. */
export function chooseEntry(
  index: RepositoryIndex,
  name: string,
  { version = '', devel = false }: VersionChoice,
  source: string,
): IndexEntry {
  const entries = index.charts.get(name) ?? []
  if (entries.length === 0)
    throw new LadingError('chart.not-found', `there is no chart ${name} in ${source}`, { name, source })
  const range = version === '' ? (devel ? '>0.0.0-0' : '*') : version
  const constraint = parseConstraint(range)
  // A version that is written out is taken as it is, what stands after its plus included.
  const found = entries.find((entry) => entry.version === version) ?? newest(entries, constraint)
  if (found === undefined) {
    const problem = `no version of ${name} in ${source} fits ${stringifyJson(range)}; the newest is ${entries[0]!.version}`
    throw new LadingError('chart.not-found', problem, { name, source, version: range })
  }
  if (found.urls.length === 0) {
    throw new LadingError('repo.invalid', `${source} has no address for ${name} ${found.version}`, { name, source })
  }
  refuseDoubles(entries, found, source)
  return found
}

function newest(entries: readonly IndexEntry[], constraint: Constraint | string): IndexEntry | undefined {
  if (typeof constraint === 'string') return undefined
  return entries.find(({ version, urls }) => {
    const parsed = parseVersion(version)
    return urls.length > 0 && typeof parsed !== 'string' && satisfies(parsed, constraint)
  })
}

// Of two rows for one version somebody may have added one: which is meant cannot be told.
function refuseDoubles(entries: readonly IndexEntry[], found: IndexEntry, source: string): void {
  const other = entries.find(
    (entry) =>
      entry !== found &&
      entry.version === found.version &&
      (entry.digest !== found.digest || entry.urls[0] !== found.urls[0]),
  )
  if (other === undefined) return
  const problem = `${source} lists ${found.name} ${found.version} twice, with different content`
  throw new LadingError('repo.invalid', problem, { name: found.name, version: found.version, source })
}
