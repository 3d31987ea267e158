import type { Frame } from './frame.ts'
import { compareExact, exactNumber, type ExactNumber, isMultiple, toDouble } from './exact-number.ts'
import { grouped, quoted, scientific } from './schema-problem.ts'

/** minLength, maxLength and pattern. */
export function evaluateText(frame: Frame): void {
  const { schema, value, evaluation } = frame
  if (typeof value !== 'string') return
  const { minLength, maxLength, pattern } = schema
  const length = minLength === undefined && maxLength === undefined ? 0 : Array.from(value).length
  if (typeof minLength === 'number' && length < minLength) {
    add(frame, `minLength: got ${grouped(length)}, want ${grouped(minLength)}`)
  }
  if (typeof maxLength === 'number' && length > maxLength) {
    add(frame, `maxLength: got ${grouped(length)}, want ${grouped(maxLength)}`)
  }
  if (typeof pattern === 'string' && !evaluation.patterns.matches(pattern, value)) {
    // Helm shows it in any case; what its schema calls a password is for no log.
    const isSecret = schema['writeOnly'] === true || schema['format'] === 'password'
    add(frame, `${isSecret ? 'the value' : quoted(value)} does not match pattern ${quoted(pattern)}`)
  }
}

/** Limits of numbers; in draft 4 `exclusiveMinimum` is a boolean beside `minimum`. */
export function evaluateNumber(frame: Frame): void {
  const { schema } = frame
  const number = exactNumber(frame.value)
  if (number === undefined) return
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum
  const under = exclusiveMaximum === true ? maximum : exclusiveMaximum
  const limit = (keyword: string, wanted: unknown, fits: (want: ExactNumber) => boolean): void => {
    const want = exactNumber(wanted)
    if (want !== undefined && !fits(want)) tell(frame, keyword, number, want)
  }
  if (exclusiveMinimum !== true) limit('minimum', minimum, (want) => compareExact(number, want) >= 0)
  if (exclusiveMaximum !== true) limit('maximum', maximum, (want) => compareExact(number, want) <= 0)
  limit('exclusiveMinimum', above, (want) => compareExact(number, want) > 0)
  limit('exclusiveMaximum', under, (want) => compareExact(number, want) < 0)
  limit('multipleOf', schema['multipleOf'], (want) => isMultiple(number, want))
}

// Helm's messages show doubles, whatever was compared.
function tell(frame: Frame, keyword: string, got: ExactNumber, want: ExactNumber): void {
  add(frame, `${keyword}: got ${scientific(toDouble(got))}, want ${scientific(toDouble(want))}`)
}

function add({ path, outcome }: Frame, message: string): void {
  outcome.problems.push({ path, message, causes: [] })
}
