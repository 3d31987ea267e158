import { goType, type GoList, type GoMap, type GoValue } from '../../../gotemplate/value.ts'

/** Go's nil map: empty to everything but JSON, where it is null, and `set`, which it refuses. */
export const nilMap: GoMap = Object.freeze(Object.create(null) as GoMap)

/** Go's nil `[]interface {}`: empty to everything but JSON, where it is null. */
export const nilList: GoList = Object.freeze([]) as unknown as GoList

/** Go's nil `[]string`. */
export const nilStrings: GoList = Object.freeze(Object.assign([], { [goType]: '[]string' }))

/** Go's nil `map[string]string`. */
export const nilStringMap: GoMap = Object.freeze(
  Object.assign(Object.create(null) as GoMap, { [goType]: 'map[string]string' }),
)

/** Whether a value is one of Go's nil maps or lists. */
export function isNilCollection(value: GoValue): boolean {
  return value === nilMap || value === nilStringMap || value === nilList || value === nilStrings
}
