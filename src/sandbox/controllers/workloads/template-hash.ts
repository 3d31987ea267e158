import { isRecord, stringifyJson } from '../../../core/index.ts'

/** A short name for the content of a template; equal templates have equal hashes, whatever the order of their fields. */
export function templateHash(template: unknown, collisions: number): string {
  const suffix = collisions > 0 ? String(collisions) : ''
  return safeLetters(String(fnv32a(canonical(template) + suffix)))
}

/** JSON with sorted keys. */
export function canonical(value: unknown): string {
  return stringifyJson(withSortedKeys(value))
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, withSortedKeys(item)]))
}

function fnv32a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}

// The alphabet of generated names: no vowels, so that no words come out.
function safeLetters(text: string): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789'
  return Array.from(Buffer.from(text), (byte) => letters[byte % letters.length]).join('')
}
