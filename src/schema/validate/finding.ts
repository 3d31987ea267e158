import { stringifyJson } from '../../core/index.ts'

/** Why a value does not fit its type: an unknown field, or a cause's reason in the API server's words. */
export type FindingReason =
  | 'UnknownField'
  | 'FieldValueRequired'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueInvalid'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueDuplicate'

/** One place of an object that does not fit its type. */
export interface Finding {
  /** `spec.containers[0].name`, as the API server writes it. */
  readonly path: string
  readonly reason: FindingReason
  /** In the API server's words: `unknown field "spec.foo"`, or the message of the cause. */
  readonly message: string
}

/** A finding about a value that breaks a rule of its schema. */
export function invalidValue(path: string, value: unknown, rule: string): Finding {
  return { path, reason: 'FieldValueInvalid', message: `Invalid value: ${show(value)}: ${place(path)} in body ${rule}` }
}

/** A finding about a value of another type than the schema's. */
export function wrongType(path: string, value: unknown, expected: string): Finding {
  const actual = jsonType(value)
  const message = `Invalid value: "${actual}": ${place(path)} in body must be of type ${expected}: "${actual}"`
  return { path, reason: 'FieldValueTypeInvalid', message }
}

/** A finding about a field that must be there. */
export function missing(path: string): Finding {
  return { path, reason: 'FieldValueRequired', message: 'Required value' }
}

/** A value as messages show it. */
export function show(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : stringifyJson(value)
}

/** The name of a value's JSON type, telling integers from other numbers. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'bigint') return 'integer'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function place(path: string): string {
  return path === '' ? '<nil>' : path
}

/** A field that the type does not have. */
export function unknownField(path: string): Finding {
  return { path, reason: 'UnknownField', message: `unknown field "${path}"` }
}
