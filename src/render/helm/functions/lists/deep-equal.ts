import { isGoMap } from '../../../gotemplate/type-name.ts'
import { GoInt, GoObject, goType, type GoValue } from '../../../gotemplate/value.ts'
import { isList } from '../dicts/make-value.ts'
import { isNilCollection } from '../dicts/nil-values.ts'

/** Go's `reflect.DeepEqual`: types count, so that an int is never a float, and a nil list is no empty list. */
export function deepEqual(a: GoValue, b: GoValue, depth = 0): boolean {
  const [left, right] = [a ?? null, b ?? null]
  if (left instanceof GoInt) return right instanceof GoInt && left.kind === right.kind && left.value === right.value
  if (left === right) return true
  if (isNilCollection(left) || isNilCollection(right)) return false
  // Deeper than this, only what holds itself is.
  if (depth > 5000) return false
  if (isList(left)) return isList(right) && left[goType] === right[goType] && sameItems(left, right, depth)
  if (isGoMap(left)) return isGoMap(right) && left[goType] === right[goType] && sameEntries(left, right, depth)
  return left instanceof GoObject && right instanceof GoObject && sameObjects(left, right, depth)
}

function sameObjects(left: GoObject, right: GoObject, depth: number): boolean {
  const [one, other] = [left.underlying(), right.underlying()]
  if (left.typeName !== right.typeName || one === undefined || other === undefined) return false
  return deepEqual(one, other, depth + 1)
}

function sameItems(left: readonly GoValue[], right: readonly GoValue[], depth: number): boolean {
  return left.length === right.length && left.every((item, at) => deepEqual(item, right[at], depth + 1))
}

function sameEntries(left: Record<string, GoValue>, right: Record<string, GoValue>, depth: number): boolean {
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every((key) => key in right && deepEqual(left[key], right[key], depth + 1))
}
