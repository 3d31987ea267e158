import { createHash } from 'node:crypto'
import { compareText, isDnsLabel, isDnsSubdomain, LadingError, stringifyJson } from '../../core/index.ts'
import type { RevisionKey, RevisionSummary } from './release-store.ts'

/** The longest name that still fits a part of a record below the 253 characters of an object's name. */
const longestName = 140

/** Refuses names that no object and no file could carry, before they become part of a path. */
export function checkName(name: string, namespace: string): void {
  if (!isDnsSubdomain(name) || name.length > longestName) {
    const rule = `lower-case letters, digits, dashes and dots, at most ${longestName} characters`
    throw new LadingError('usage.invalid', `${stringifyJson(name)} is no name for a release: ${rule}`, { name })
  }
  checkNamespace(namespace)
}

/** Refuses what is not a valid name of a namespace. */
export function checkNamespace(namespace: string): void {
  if (isDnsLabel(namespace)) return
  throw new LadingError('usage.invalid', `${stringifyJson(namespace)} is no name of a namespace`, { namespace })
}

/** Refuses a key that cannot be stored. */
export function checkKey(key: RevisionKey): void {
  checkName(key.name, key.namespace)
  if (Number.isSafeInteger(key.version) && key.version > 0) return
  throw new LadingError('usage.invalid', `${key.version} is no revision: they are counted from 1`, {
    version: key.version,
  })
}

/** Whether two keys name the same revision. */
export function sameRevision(a: RevisionKey, b: RevisionKey): boolean {
  return a.name === b.name && a.namespace === b.namespace && a.version === b.version
}

/** Refuses an update that would turn one revision into another. */
export function checkSameRevision(before: RevisionKey, next: RevisionKey): void {
  if (sameRevision(before, next)) return
  const message = `an update cannot turn ${before.namespace}/${before.name} v${before.version} into ${next.namespace}/${next.name} v${next.version}`
  throw new LadingError('internal', message)
}

/** Orders summaries by namespace, name and number of the revision: v10 after v9. */
export function inOrder(summaries: readonly RevisionSummary[]): RevisionSummary[] {
  return summaries.toSorted(
    (a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name) || a.version - b.version,
  )
}

/** A text as the value of a label, which holds 63 characters: longer ones end in a hash of the whole. */
export function labelValue(text: string): string {
  if (text.length <= 63) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${text.slice(0, 46)}-${hash}`
}
