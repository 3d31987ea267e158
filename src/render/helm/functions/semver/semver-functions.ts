import { GoError, GoFunction, GoInt, GoObject, type GoValue } from '../../../gotemplate/value.ts'
import { parseConstraint, satisfies } from '../../semver/constraint.ts'
import { compareVersions, formatVersion, parseVersion, type Version } from '../../semver/version.ts'
import { define, type FunctionFamily } from '../define-function.ts'

/** Sprig's versions, by the rules of Masterminds/semver. */
export const semverFunctions: FunctionFamily = {
  semver: define(['string'], (text) => new GoVersion(versionOf(text))),
  semverCompare: define(['string', 'string'], (constraint, text) => {
    const parsed = parseConstraint(constraint)
    if (typeof parsed === 'string') throw new GoError(parsed)
    return satisfies(versionOf(text), parsed)
  }),
}

class GoVersion extends GoObject {
  override readonly typeName: string = '*semver.Version'
  readonly version: Version

  constructor(version: Version) {
    super()
    this.version = version
  }

  override text(): string {
    return formatVersion(this.version)
  }

  json(): GoValue {
    return this.text()
  }

  override member(name: string): GoValue {
    const { version } = this
    switch (name) {
      case 'Major':
      case 'Minor':
      case 'Patch':
        return new GoInt(version[name.toLowerCase() as 'major' | 'minor' | 'patch'], 'uint64')
      case 'Prerelease':
        return version.prerelease
      case 'Metadata':
        return version.metadata
      case 'Original':
        return version.original
      case 'String':
        return this.text()
      case 'IncPatch':
      case 'IncMinor':
      case 'IncMajor':
        return new GoVersion(increment(version, name))
      case 'Compare':
        return new GoFunction(name, ['any'], ([other]) => new GoInt(compareVersions(version, versionIn(other))))
      default:
        return comparison(name, version)
    }
  }
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  LessThan: (order) => order < 0,
  LessThanEqual: (order) => order <= 0,
  GreaterThan: (order) => order > 0,
  GreaterThanEqual: (order) => order >= 0,
  Equal: (order) => order === 0,
}

function comparison(name: string, version: Version): GoValue {
  const holds = comparisons[name]
  if (holds === undefined) return undefined
  return new GoFunction(name, ['any'], ([other]) => holds(compareVersions(version, versionIn(other))))
}

function increment(version: Version, method: 'IncPatch' | 'IncMinor' | 'IncMajor'): Version {
  const { major, minor, patch, prerelease } = version
  const released = { ...version, prerelease: '', metadata: '' }
  const next = {
    IncMajor: { ...released, major: major + 1n, minor: 0n, patch: 0n },
    IncMinor: { ...released, minor: minor + 1n, patch: 0n },
    // The release that a prerelease leads to is its next patch.
    IncPatch: { ...released, patch: prerelease === '' ? patch + 1n : patch },
  }[method]
  return { ...next, original: `${version.original.startsWith('v') ? 'v' : ''}${formatVersion(next)}` }
}

function versionOf(text: string): Version {
  const version = parseVersion(text)
  if (typeof version === 'string') throw new GoError(version)
  return version
}

function versionIn(value: GoValue): Version {
  if (value instanceof GoVersion) return value.version
  throw new GoError('wrong type for value; expected *semver.Version')
}
