import { GoInt, type GoMap, type GoValue } from '../../gotemplate/value.ts'

/** Values of a chart: maps without a prototype, lists, texts, booleans, null and numbers as Go's float64. */
export type Values = GoMap

/** An empty map. */
export function newValues(): Values {
  return Object.create(null) as Values
}

/** Whether a value is a map of values. */
export function isTable(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlain(value)
}

/**
 * Values of plain JSON; a copy. Numbers are floats, as Helm reads them from files, a bigint is the int64 that `--set`
 * gives, and maps lose their prototype.
 */
export function toValues(input: Readonly<Record<string, unknown>>): Values {
  return toMap(input)
}

/** A deep copy. */
export function copyValues(values: Values): Values {
  const copy = newValues()
  for (const key in values) copy[key] = copyValue(values[key])
  return copy
}

/** A deep copy of anything that values hold. */
export function copyValue(value: GoValue): GoValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyValue)
  return isTable(value) ? copyValues(value) : value
}

/** The value of plain JSON. */
export function toGoValue(input: unknown): GoValue {
  if (Array.isArray(input)) return input.map(toGoValue)
  switch (typeof input) {
    case 'object':
      if (input === null || input instanceof GoInt) return input
      return toMap(input as Readonly<Record<string, unknown>>)
    case 'bigint':
      return new GoInt(input, 'int64')
    case 'string':
    case 'number':
    case 'boolean':
      return input
    default:
      return null
  }
}

function toMap(input: Readonly<Record<string, unknown>>): Values {
  const map = newValues()
  for (const [key, item] of Object.entries(input)) map[key] = toGoValue(item)
  return map
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
