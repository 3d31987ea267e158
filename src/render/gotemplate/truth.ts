import { GoError, GoFunction, GoInt, GoObject, type GoValue } from './value.ts'

/** Whether a value is true to `if`, `with`, `and`, `or` and `not`: not the zero of its type; structs always are. */
export function truth(value: GoValue): boolean {
  switch (typeof value) {
    case 'boolean':
      return value
    case 'string':
      return value.length > 0
    case 'number':
      // NaN is not equal to zero.
      return value !== 0
    case 'object':
      return value !== null && objectTruth(value)
    default:
      return false
  }
}

function objectTruth(value: object): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof GoInt) return value.value !== 0n
  if (value instanceof GoObject) {
    const underlying = value.typeName.startsWith('*') ? undefined : value.underlying()
    return underlying === undefined || truth(underlying)
  }
  if (value instanceof GoFunction || value instanceof GoError) return true
  for (const _ in value) return true
  return false
}
