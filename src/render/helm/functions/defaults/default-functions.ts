import type { GoValue } from '../../../gotemplate/value.ts'
import { deepEqual } from '../lists/deep-equal.ts'
import { define, defineVariadic, type FunctionFamily } from '../define-function.ts'
import { isEmpty } from './empty-value.ts'
import { kindName, typeName } from '../../../gotemplate/type-name.ts'

/** Sprig's functions that choose a value, and those that ask for its type. */
export const defaultFunctions: FunctionFamily = {
  default: defineVariadic(['any'], 'any', (given, fallback) => (isEmpty(given[0]) ? fallback : given[0])),
  empty: define(['any'], isEmpty),
  coalesce: defineVariadic([], 'any', (values) => values.find((value) => !isEmpty(value)) ?? null),
  all: defineVariadic([], 'any', (values) => values.every((value) => !isEmpty(value))),
  any: defineVariadic([], 'any', (values) => values.some((value) => !isEmpty(value))),
  ternary: define(['any', 'any', 'bool'], (whenTrue, whenFalse, condition): GoValue =>
    condition ? whenTrue : whenFalse,
  ),
  typeOf: define(['any'], typeName),
  typeIs: define(['string', 'any'], (type, value) => type === typeName(value)),
  typeIsLike: define(['string', 'any'], (type, value) => type === typeName(value) || `*${type}` === typeName(value)),
  kindOf: define(['any'], kindName),
  kindIs: define(['string', 'any'], (kind, value) => kind === kindName(value)),
  deepEqual: define(['any', 'any'], (a, b) => deepEqual(a, b)),
}
