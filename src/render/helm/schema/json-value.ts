import { isRecord } from '../../../core/index.ts'
import { GoInt } from '../../gotemplate/value.ts'
import { compareExact, exactNumber, type ExactNumber } from './exact-number.ts'

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

/** Whether two values are the same JSON. */
export function sameJson(a: unknown, b: unknown): boolean {
  const type = typeOf(a)
  if (type !== typeOf(b)) return false
  if (type === 'number') return sameNumber(exactNumber(a), exactNumber(b))
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  }
  if (!isRecord(a) || !isRecord(b)) return a === b || (type === 'null' && typeOf(b) === 'null')
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}

function sameNumber(a: ExactNumber | undefined, b: ExactNumber | undefined): boolean {
  return a !== undefined && b !== undefined && compareExact(a, b) === 0
}
