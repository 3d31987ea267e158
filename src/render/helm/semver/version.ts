/** A semantic version as Masterminds/semver reads it. */
export interface Version {
  readonly major: bigint
  readonly minor: bigint
  readonly patch: bigint
  readonly prerelease: string
  readonly metadata: string
  /** The text it was read from. */
  readonly original: string
}

const loose =
  /^v?([0-9]+)(\.[0-9]+)?(\.[0-9]+)?(-([0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*))?(\+([0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*))?$/
const largest = 2n ** 64n - 1n

/** Reads a version, a leading v and missing parts allowed; a sentence where it is none. */
export function parseVersion(text: string): Version | string {
  const parts = loose.exec(text)
  if (parts === null) return 'invalid semantic version'
  const numbers = [parts[1] ?? '', (parts[2] ?? '').slice(1), (parts[3] ?? '').slice(1)]
  for (const number of numbers) {
    if (number !== '' && BigInt(number) > largest) {
      return `error parsing version segment: strconv.ParseUint: parsing "${number}": value out of range`
    }
  }
  const prerelease = parts[5] ?? ''
  if (prerelease.split('.').some((part) => /^0[0-9]+$/.test(part))) return 'version segment starts with 0'
  const [major = 0n, minor = 0n, patch = 0n] = numbers.map((number) => BigInt(number === '' ? 0 : number))
  return { major, minor, patch, prerelease, metadata: parts[8] ?? '', original: text }
}

/** The version without its leading v, with every part. */
export function formatVersion(version: Version): string {
  const { major, minor, patch, prerelease, metadata } = version
  return `${major}.${minor}.${patch}${prerelease === '' ? '' : `-${prerelease}`}${metadata === '' ? '' : `+${metadata}`}`
}

/** Orders versions; what stands after the plus does not count. */
export function compareVersions(a: Version, b: Version): number {
  for (const part of ['major', 'minor', 'patch'] as const) if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1
  if (a.prerelease === b.prerelease) return 0
  if (a.prerelease === '') return 1
  return b.prerelease === '' ? -1 : comparePrereleases(a.prerelease, b.prerelease)
}

/** Orders what stands after the dash: part by part, numbers before words. */
export function comparePrereleases(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = compareParts(left[at] ?? '', right[at] ?? '')
    if (order !== 0) return order
  }
  return 0
}

function compareParts(a: string, b: string): number {
  if (a === b) return 0
  if (a === '' || b === '') return a === '' ? -1 : 1
  const [left, right] = [asNumber(a), asNumber(b)]
  if (left === undefined && right === undefined) return a > b ? 1 : -1
  if (left === undefined || right === undefined) return left === undefined ? 1 : -1
  return left > right ? 1 : -1
}

function asNumber(part: string): bigint | undefined {
  if (!/^[0-9]+$/.test(part)) return undefined
  const value = BigInt(part)
  return value > largest ? undefined : value
}
