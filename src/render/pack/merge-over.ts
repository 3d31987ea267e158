import { isRecord } from '../../core/index.ts'

/** Lays values over others, maps key by key; anything else replaces what was there. */
export function mergeOver(
  base: Readonly<Record<string, unknown>>,
  overlay: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(overlay)) {
    const below = merged.get(key)
    merged.set(key, isRecord(below) && isRecord(value) ? mergeOver(below, value) : value)
  }
  return Object.fromEntries(merged)
}
