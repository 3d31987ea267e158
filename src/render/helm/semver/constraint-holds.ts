import { comparePrereleases, compareVersions, type Version } from './version.ts'

/** One comparison; its version is open where a part is missing or an x. */
export interface SingleConstraint {
  readonly operator: string
  readonly version: Version
  readonly isOpen: boolean
  readonly isMinorOpen: boolean
  readonly isPatchOpen: boolean
}

/** Whether one comparison holds for a version, by Masterminds' rules. */
export function constraintHolds(version: Version, constraint: SingleConstraint, allowsPrereleases: boolean): boolean {
  if (version.prerelease !== '' && !allowsPrereleases) return false
  const order = compareVersions(version, constraint.version)
  switch (constraint.operator) {
    case '!=':
      return differs(version, constraint)
    case '>':
      return isGreater(version, constraint)
    case '<':
      return order < 0
    case '>=':
    case '=>':
      return order >= 0
    case '<=':
    case '=<':
      return isAtMost(version, constraint)
    case '~':
    case '~>':
      return matchesTilde(version, constraint)
    case '^':
      return matchesCaret(version, constraint)
    default:
      return constraint.isOpen ? matchesTilde(version, constraint) : order === 0
  }
}

function differs(version: Version, { version: other, isOpen, isMinorOpen, isPatchOpen }: SingleConstraint): boolean {
  if (!isOpen) return compareVersions(version, other) !== 0
  if (version.major !== other.major) return true
  if (version.minor !== other.minor && !isMinorOpen) return true
  if (isMinorOpen) return false
  if (version.patch !== other.patch && !isPatchOpen) return true
  if (!isPatchOpen) return compareVersions(version, other) !== 0
  if (version.prerelease === '' && other.prerelease === '') return false
  return comparePrereleases(version.prerelease, other.prerelease) !== 0
}

function isGreater(version: Version, { version: other, isOpen, isMinorOpen, isPatchOpen }: SingleConstraint): boolean {
  if (!isOpen || version.major !== other.major) {
    return isOpen ? version.major > other.major : compareVersions(version, other) > 0
  }
  // No 11.x is greater than 11, and no 11.1.x greater than 11.1.
  if (isMinorOpen) return false
  return isPatchOpen ? version.minor > other.minor : compareVersions(version, other) > 0
}

function isAtMost(version: Version, { version: other, isOpen, isMinorOpen }: SingleConstraint): boolean {
  if (!isOpen) return compareVersions(version, other) <= 0
  if (version.major > other.major) return false
  return !(version.major === other.major && version.minor > other.minor && !isMinorOpen)
}

function matchesTilde(version: Version, { version: other, isMinorOpen, isPatchOpen }: SingleConstraint): boolean {
  if (compareVersions(version, other) < 0) return false
  const isZero = other.major === 0n && other.minor === 0n && other.patch === 0n
  // `~0.0.0` and `*` accept everything.
  if (isZero && !isMinorOpen && !isPatchOpen) return true
  return version.major === other.major && (version.minor === other.minor || isMinorOpen)
}

function matchesCaret(version: Version, { version: other, isMinorOpen, isPatchOpen }: SingleConstraint): boolean {
  if (compareVersions(version, other) < 0) return false
  if (other.major > 0n || isMinorOpen) return version.major === other.major
  if (version.major > 0n) return false
  if (other.minor > 0n || isPatchOpen) return version.minor === other.minor
  return version.minor === 0n && version.patch === other.patch
}
