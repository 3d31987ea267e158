import type { Frame } from './frame.ts'
import { asNumber, isMultiple, typeOf } from './json-value.ts'
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
  const { schema, value } = frame
  if (typeOf(value) !== 'number') return
  const number = asNumber(value)
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum
  const under = exclusiveMaximum === true ? maximum : exclusiveMaximum
  if (typeof minimum === 'number' && exclusiveMinimum !== true && number < minimum) {
    tell(frame, 'minimum', number, minimum)
  }
  if (typeof maximum === 'number' && exclusiveMaximum !== true && number > maximum) {
    tell(frame, 'maximum', number, maximum)
  }
  if (typeof above === 'number' && number <= above) tell(frame, 'exclusiveMinimum', number, above)
  if (typeof under === 'number' && number >= under) tell(frame, 'exclusiveMaximum', number, under)
  if (typeof multipleOf === 'number' && !isMultiple(number, multipleOf)) tell(frame, 'multipleOf', number, multipleOf)
}

function tell(frame: Frame, keyword: string, got: number, want: number): void {
  add(frame, `${keyword}: got ${scientific(got)}, want ${scientific(want)}`)
}

function add({ path, outcome }: Frame, message: string): void {
  outcome.problems.push({ path, message, causes: [] })
}
