import { isGoMap } from '../../../gotemplate/type-name.ts'
import { GoError, type GoMap, GoObject, type GoValue } from '../../../gotemplate/value.ts'
import { isEmpty } from '../defaults/empty-value.ts'

/**
 * Merges a map into another, in place, as mergo does: what the target has stays unless it is empty, or, with
 * `overwrites`, what the source has wins even where that is empty. Maps are merged, lists are taken whole.
 */
export function mergeInto(target: GoMap, source: GoMap, overwrites: boolean, depth = 0): void {
  if (depth > 1000) throw new GoError('maps are nested deeper than 1000 levels')
  for (const key of Object.keys(source)) mergeKey(target, source, key, overwrites, depth)
}

function mergeKey(target: GoMap, source: GoMap, key: string, overwrites: boolean, depth: number): void {
  const [theirs, ours] = [source[key], target[key]]
  if (theirs === null || theirs === undefined) {
    if (overwrites) target[key] = null
    return
  }
  const isPair = isGoMap(theirs) && isGoMap(ours)
  if (isPair && ours !== theirs) mergeInto(ours, theirs, overwrites, depth + 1)
  if (Array.isArray(theirs) && overwrites) target[key] = theirs
  if (!isEmptyDeep(ours) && (Array.isArray(theirs) || isPair)) return
  if (overwrites || isEmptyDeep(ours)) target[key] = theirs
}

// A struct that a key holds is never empty to mergo.
function isEmptyDeep(value: GoValue): boolean {
  return !(value instanceof GoObject) && isEmpty(value)
}
