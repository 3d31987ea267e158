import { isRecord } from '../../../core/index.ts'
import { GoInt } from '../../gotemplate/value.ts'

/** The type that JSON Schema gives a value. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** The JSON type of a value; integers are numbers. */
export function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number')
    return typeof value as JsonType
  return typeof value === 'bigint' || value instanceof GoInt ? 'number' : 'object'
}

/** A number of any kind as a double. */
export function asNumber(value: unknown): number {
  return value instanceof GoInt ? Number(value.value) : Number(value)
}

/** Whether two values are the same JSON. */
export function sameJson(a: unknown, b: unknown): boolean {
  const type = typeOf(a)
  if (type !== typeOf(b)) return false
  if (type === 'number') return asNumber(a) === asNumber(b)
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  }
  if (!isRecord(a) || !isRecord(b)) return a === b || (type === 'null' && typeOf(b) === 'null')
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}

/** Whether a number is a whole multiple of another, by their decimal digits: 0.3 is one of 0.1. */
export function isMultiple(value: number, of: number): boolean {
  const places = Math.max(decimals(value), decimals(of))
  const divisor = scaled(of, places)
  return divisor !== 0n && scaled(value, places) % divisor === 0n
}

function decimals(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent))
}

function scaled(value: number, places: number): bigint {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(places - fraction.length + Number(exponent))
}
