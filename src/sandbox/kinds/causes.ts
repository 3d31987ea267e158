import { stringifyJson } from '../../core/index.ts'
import type { Cause } from '../status-error.ts'

/** A cause for a value that is not allowed. */
export function invalidValue(field: string, value: unknown, why: string): Cause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${stringifyJson(value)}: ${why}`, field }
}

/** A cause for a value that is missing. */
export function required(field: string, why = ''): Cause {
  return { reason: 'FieldValueRequired', message: why === '' ? 'Required value' : `Required value: ${why}`, field }
}

/** A cause for a value that is none of those there are. */
export function notSupported(field: string, value: unknown, supported: readonly unknown[]): Cause {
  const list = supported.map((one) => stringifyJson(one)).join(', ')
  const message = `Unsupported value: ${stringifyJson(value)}: supported values: ${list}`
  return { reason: 'FieldValueNotSupported', message, field }
}

/** A cause for a value that stands there twice. */
export function duplicate(field: string, value: unknown): Cause {
  return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${stringifyJson(value)}`, field }
}

/** A cause for a value that must not be set, or not be changed. */
export function forbiddenField(field: string, why: string): Cause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field }
}

/** A cause for a reference to something that is not there. */
export function notFoundValue(field: string, value: unknown): Cause {
  return { reason: 'FieldValueNotFound', message: `Not found: ${stringifyJson(value)}`, field }
}

/** What the API says of a field that cannot change. */
export const immutable = 'field is immutable'
