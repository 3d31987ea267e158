import { GoInt, type GoList, type GoMap, GoObject, goType, type GoValue } from '../../../gotemplate/value.ts'

/** A new, empty map. */
export function newMap(type?: string): GoMap {
  const map = Object.create(null) as GoMap
  if (type !== undefined) Object.defineProperty(map, goType, { value: type })
  return map
}

/** A list of a Go type. */
export function typedList(items: GoValue[], type: string): GoList {
  const list: GoList = items
  Object.defineProperty(list, goType, { value: type })
  return list
}

/** A `[]string`. */
export function strings(items: readonly string[]): GoList {
  return typedList([...items], '[]string')
}

/** An `int`. */
export function int(value: number | bigint): GoInt {
  return new GoInt(value, 'int')
}

/** An `int64`; wraps around as Go's arithmetic does. */
export function int64(value: number | bigint): GoInt {
  return new GoInt(BigInt.asIntN(64, BigInt(value)), 'int64')
}

/** Whether a value is a list. */
export function isList(value: GoValue): value is GoList {
  return Array.isArray(value)
}

/** A map or a list, or what a named type has underneath. */
export function plainValue(value: GoValue): GoValue {
  return value instanceof GoObject ? (value.underlying() ?? value) : value
}
