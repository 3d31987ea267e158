import type { Cause } from '../status-error.ts'

/** A cause for a value that is not allowed. */
export function invalidValue(field: string, value: unknown, why: string): Cause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${why}`, field }
}

/** A cause for a value that is missing. */
export function required(field: string, why = ''): Cause {
  return { reason: 'FieldValueRequired', message: why === '' ? 'Required value' : `Required value: ${why}`, field }
}

/** A cause for a value that is none of those there are. */
export function notSupported(field: string, value: unknown, supported: readonly unknown[]): Cause {
  const list = supported.map((one) => JSON.stringify(one)).join(', ')
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`
  return { reason: 'FieldValueNotSupported', message, field }
}

/** A cause for a value that stands there twice. */
export function duplicate(field: string, value: unknown): Cause {
  return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${JSON.stringify(value)}`, field }
}

/** A cause for a value that must not be set, or not be changed. */
export function forbiddenField(field: string, why: string): Cause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field }
}

/** A cause for a reference to something that is not there. */
export function notFoundValue(field: string, value: unknown): Cause {
  return { reason: 'FieldValueNotFound', message: `Not found: ${JSON.stringify(value)}`, field }
}

/** What the API says of a field that cannot change. */
export const immutable = 'field is immutable'
