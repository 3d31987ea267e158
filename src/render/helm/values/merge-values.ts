import { isTable, newValues, type Values } from './values.ts'

/** One values file over another, as `helm -f a -f b` does: maps merge, all else is replaced, null included. */
export function mergeValues(below: Values, above: Values): Values {
  const merged = newValues()
  for (const key in below) merged[key] = below[key]
  for (const key in above) {
    const value = above[key]
    const under = merged[key]
    merged[key] = isTable(value) && isTable(under) ? mergeValues(under, value) : value
  }
  return merged
}
