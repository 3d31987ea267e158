import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../src/core/index.ts'
import type { Snapshot } from './snapshot.ts'

/** What two snapshots of one step differ in, a line for each object or record. Random texts differ by nature. */
export function firstDifference(theirs: Snapshot, ours: Snapshot, random: boolean): string[] {
  if (theirs.failed !== ours.failed) return [`failed: ${theirs.failed} | ${ours.failed}`]
  return [...differences(theirs.objects, ours.objects, random), ...differences(theirs.records, ours.records, random)]
}

function differences(
  theirs: Readonly<Record<string, unknown>>,
  ours: Readonly<Record<string, unknown>>,
  random: boolean,
): string[] {
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])]
  return names.flatMap((name) => {
    const [a, b] = [theirs[name], ours[name]]
    if (a === undefined || b === undefined)
      return [`${name}: ${a === undefined ? 'missing | there' : 'there | missing'}`]
    const found: string[] = []
    compare(a, b, '', random, found)
    return found.slice(0, 3).map((line) => `${name}${line}`)
  })
}

function compare(a: unknown, b: unknown, path: string, random: boolean, found: string[]): void {
  if (isDeepStrictEqual(a, b)) return
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    a.forEach((item, index) => compare(item, b[index], `${path}[${index}]`, random, found))
  } else if (isRecord(a) && isRecord(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      compare(a[key], b[key], `${path}.${key}`, random, found)
  } else if (!(random && typeof a === 'string' && typeof b === 'string')) {
    found.push(`${path}: ${short(a)} | ${short(b)}`)
  }
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
