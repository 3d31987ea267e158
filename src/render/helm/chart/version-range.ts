import { parseConstraint, satisfies } from '../semver/constraint.ts'
import { parseVersion } from '../semver/version.ts'

/** Whether a text is a version that a chart may have. */
export function isVersion(text: string): boolean {
  return typeof parseVersion(text) !== 'string'
}

/** Whether a version lies within a range; what is no range, or no version, never does. */
export function isInRange(range: string, text: string): boolean {
  const version = parseVersion(text)
  const constraint = parseConstraint(range)
  return typeof version !== 'string' && typeof constraint !== 'string' && satisfies(version, constraint)
}
