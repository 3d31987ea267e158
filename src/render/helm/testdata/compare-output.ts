import { isDeepStrictEqual } from 'node:util'
import { parseDocuments } from '../../../core/yaml/index.ts'

/** What a rendering ended with: the text that `helm template` prints, or its error without the `Error: ` in front. */
export type Outcome = { readonly text: string } | { readonly error: string }

/** How alike two outcomes are, best first. */
export type Likeness = 'same-bytes' | 'same-objects' | 'same-error' | 'same-place' | 'different'

/** Compares what Lading made with what helm made; `again` is another run of helm, whose differences are chance. */
export function compareOutcomes(ours: Outcome, theirs: Outcome, again?: Outcome): Likeness {
  if ('error' in ours || 'error' in theirs) {
    if (!('error' in ours) || !('error' in theirs)) return 'different'
    if (ours.error.trim() === theirs.error.trim()) return 'same-error'
    return sortedLines(ours.error) === sortedLines(theirs.error)
      ? 'same-error'
      : errorPlace(ours.error) === errorPlace(theirs.error)
        ? 'same-place'
        : 'different'
  }
  if (ours.text === theirs.text) return 'same-bytes'
  if (again !== undefined && 'text' in again) return compareMasked(ours.text, theirs.text, again.text)
  return sameObjects(ours.text, theirs.text) ? 'same-objects' : 'different'
}

/** Where an error says it happened, and of which family it is. */
export function errorPlace(error: string): string {
  const yaml = /YAML parse error on ([^:]+):/.exec(error)
  if (yaml !== null) return `yaml ${yaml[1]}`
  const place = /([\w.-]+\/[^\s:()]+:\d+(?::\d+)?)/.exec(error)
  if (place !== null) return `template ${place[1]}`
  const kind = /^(values don't meet|found in Chart|an error occurred while checking|chart requires kubeVersion|(?:chart dependencies processing failed: )?type mismatch on [^:]+|[a-z]+ charts are not|cannot load [\w.]+)/.exec(error)
  if (kind === null) return `other ${error.trim()}`
  const alike = kind[1]?.replace('an error occurred while checking', 'found in Chart')
  return `kind ${alike?.replace('chart dependencies processing failed: ', '')}`
}

// Lines that differ between two runs of helm hold random passwords, certificates and times.
function compareMasked(ours: string, theirs: string, again: string): Likeness {
  const [a, b, c] = [ours.split('\n'), theirs.split('\n'), again.split('\n')] as const
  if (a.length !== b.length || b.length !== c.length) return maskedObjects(ours, theirs, again) ? 'same-objects' : 'different'
  return b.every((line, at) => line === a[at] || line !== c[at])
    ? 'same-bytes'
    : maskedObjects(ours, theirs, again)
      ? 'same-objects'
      : 'different'
}

function maskedObjects(ours: string, theirs: string, again: string): boolean {
  const [a, b, c] = [values(ours), values(theirs), values(again)]
  return a !== undefined && b !== undefined && c !== undefined && sameMasked(a, b, c)
}

function sameMasked(a: unknown, b: unknown, c: unknown): boolean {
  if (isDeepStrictEqual(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b) && Array.isArray(c)) {
    return a.length === b.length && a.every((item, at) => sameMasked(item, b[at], c[at]))
  }
  if (isMap(a) && isMap(b) && isMap(c)) {
    const keys = Object.keys(b)
    return keys.length === Object.keys(a).length && keys.every((key) => key in a && sameMasked(a[key], b[key], c[key]))
  }
  return !isDeepStrictEqual(b, c) && typeof a === typeof b
}

function sameObjects(ours: string, theirs: string): boolean {
  const [a, b] = [values(ours), values(theirs)]
  return a !== undefined && isDeepStrictEqual(a, b)
}

function values(text: string): unknown[] | undefined {
  try {
    return parseDocuments(text, { lenient: true }).map(({ value }) => value)
  } catch {
    return undefined
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sortedLines(text: string): string {
  return text.trim().split('\n').sort().join('\n')
}
