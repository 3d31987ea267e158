import { parseConstraint, satisfies } from './constraint.ts'
import { compareVersions, parseVersion, type Version } from './version.ts'

/** The newest of some versions that lies within a range, as Helm chooses it; prereleases only where the range names one. */
export function newestVersion(versions: readonly string[], range: string): string | undefined {
  const constraint = parseConstraint(range)
  if (typeof constraint === 'string') return undefined
  const fitting = versions
    .map((text) => parseVersion(text))
    .filter((version): version is Version => typeof version !== 'string' && satisfies(version, constraint))
  return fitting.sort(compareVersions).at(-1)?.original
}
