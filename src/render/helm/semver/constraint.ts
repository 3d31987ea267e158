import { constraintHolds, type SingleConstraint } from './constraint-holds.ts'
import { parseVersion, type Version } from './version.ts'

/** A constraint: any of its groups has to hold, and of a group every part. */
export interface Constraint {
  readonly groups: readonly (readonly SingleConstraint[])[]
}

const operators = '!=|>=|=>|<=|=<|~>|=|>|<|~|\\^'
const version =
  'v?([0-9|xX*]+)(\\.[0-9|xX*]+)?(\\.[0-9|xX*]+)?(-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?'
const space = '[\\t\\n\\f\\r ]'
const bare = version.replaceAll(/\((?!\?)/g, '(?:')
const single = new RegExp(`^${space}*(${operators}|)${space}*(${version})${space}*$`)
const range = new RegExp(`${space}*(${bare})${space}+-${space}+(${bare})${space}*`, 'g')
const one = `(?:(?:${operators})${space}*)?${bare}`
const each = new RegExp(one, 'g')
// Written so that no space can be read in two ways: a text of spaces would otherwise take for ever.
const group = new RegExp(`^${space}*${one}(?:(?:${space}+|${space}*,${space}*)${one})*${space}*$`)
const longest = 1000

/** Reads a constraint such as `>=1.2 <2 || ~3.1`; a sentence where it is none. */
export function parseConstraint(text: string): Constraint | string {
  if (text.length > longest) return `improper constraint: it is longer than ${longest} characters`
  const groups: SingleConstraint[][] = []
  for (const part of rewriteRanges(text).split('||')) {
    if (!group.test(part)) return `improper constraint: ${part}`
    const parts: SingleConstraint[] = []
    for (const [found] of part.matchAll(each)) {
      const parsed = parseSingle(found)
      if (typeof parsed === 'string') return parsed
      parts.push(parsed)
    }
    groups.push(parts)
  }
  return { groups }
}

/** Whether a version satisfies a constraint; a prerelease does only where the group asks for one. */
export function satisfies(version: Version, constraint: Constraint, includesPrereleases = false): boolean {
  return constraint.groups.some((parts) => {
    const allowed = includesPrereleases || parts.some((part) => part.version.prerelease !== '')
    return parts.every((part) => constraintHolds(version, part, allowed))
  })
}

// `1.2 - 3` is `>= 1.2, <= 3`.
function rewriteRanges(text: string): string {
  return text.replaceAll(range, (_, from: string, to: string) => `>= ${from}, <= ${to} `)
}

function parseSingle(text: string): SingleConstraint | string {
  const parts = single.exec(text)
  if (parts === null) return `improper constraint: ${text}`
  const [, operator = '', original = '', major = '', minor = '', patch = '', prerelease = ''] = parts
  const isMajorOpen = isOpen(major)
  const isMinorOpen = !isMajorOpen && isOpen(minor.slice(1))
  const isPatchOpen = !isMajorOpen && !isMinorOpen && isOpen(patch.slice(1))
  let closed = original
  if (isMajorOpen) closed = `0.0.0${prerelease}`
  else if (isMinorOpen) closed = `${major}.0.0${prerelease}`
  else if (isPatchOpen) closed = `${major}${minor}.0${prerelease}`
  const version = parseVersion(closed)
  if (typeof version === 'string') return 'constraint parser error'
  return { operator, version, isMinorOpen, isPatchOpen, isOpen: isMajorOpen || isMinorOpen || isPatchOpen }
}

function isOpen(part: string): boolean {
  return part === '' || part === 'x' || part === 'X' || part === '*'
}
