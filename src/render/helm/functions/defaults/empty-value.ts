import { isGoMap } from '../../../gotemplate/type-name.ts'
import { GoInt, GoObject, type GoValue } from '../../../gotemplate/value.ts'

/** Sprig's `empty`: nil, false, zero, and whatever has the length zero. A struct never is. */
export function isEmpty(value: GoValue): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === '') return true
  if (value instanceof GoInt) return value.value === 0n
  if (Array.isArray(value)) return value.length === 0
  if (isGoMap(value)) return Object.keys(value).length === 0
  if (!(value instanceof GoObject)) return false
  const underlying = value.underlying()
  return underlying !== undefined && isEmpty(underlying)
}
