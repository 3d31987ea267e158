import { isRecord } from './json.ts'

/** Applies a JSON merge patch (RFC 7386): maps merge, null removes, everything else replaces. The given value stays as it is. */
export function mergePatch(target: unknown, change: unknown): unknown {
  if (!isRecord(change)) return change
  const fields = new Map(isRecord(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(change)) {
    if (value === null) fields.delete(key)
    else fields.set(key, mergePatch(fields.get(key), value))
  }
  return Object.fromEntries(fields)
}
