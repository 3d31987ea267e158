import { quote } from '../../../gotemplate/format/quote.ts'
import { typeName } from '../../../gotemplate/type-name.ts'
import { GoError, GoInt, type GoValue } from '../../../gotemplate/value.ts'
import { parseFloat64 } from '../math/cast-number.ts'
import { define, type Definition, type FunctionFamily } from '../define-function.ts'
import { formatValue } from '../formats/format-value.ts'
import { GoDuration, parseDuration, roundTo, truncateTo } from './go-duration.ts'
import { int64 } from '../dicts/make-value.ts'

/** The durations that Helm has since 4.2: text such as 1h30m, or a number of seconds; what is neither is 0. */
export const durationFunctions: FunctionFamily = {
  mustToDuration: define(['any'], (value) => new GoDuration(nanoseconds(value))),
  durationSeconds: inUnit(1e9),
  durationMinutes: inUnit(6e10),
  durationHours: inUnit(3.6e12),
  durationDays: define(['any'], (value) => Number(orZero(value)) / 3.6e12 / 24),
  durationWeeks: define(['any'], (value) => Number(orZero(value)) / 3.6e12 / 24 / 7),
  durationMilliseconds: define(['any'], (value) => int64(orZero(value) / 1_000_000n)),
  durationMicroseconds: define(['any'], (value) => int64(orZero(value) / 1000n)),
  durationNanoseconds: define(['any'], (value) => int64(orZero(value))),
  durationRoundTo: toStep(roundTo),
  durationTruncateTo: toStep(truncateTo),
}

function inUnit(unit: number): Definition {
  return define(['any'], (value) => Number(orZero(value)) / unit)
}

function toStep(change: (duration: bigint, step: bigint) => bigint): Definition {
  return define(['any', 'any'], (value, step) => new GoDuration(change(orZero(value), orZero(step))))
}

function orZero(value: GoValue): bigint {
  try {
    return nanoseconds(value)
  } catch (error) {
    if (error instanceof GoError) return 0n
    throw error
  }
}

function nanoseconds(value: GoValue): bigint {
  if (value === null || value === undefined) throw new GoError('invalid duration')
  if (value instanceof GoDuration) return value.nanoseconds
  if (value instanceof GoInt) return checked(value.value * 1_000_000_000n, value)
  if (typeof value === 'number') return fromSeconds(value)
  if (typeof value !== 'string') throw new GoError(`unsupported duration type ${typeName(value)}`)
  const text = value.trim()
  if (text === '') throw new GoError('empty duration')
  const duration = parseDuration(text)
  if (typeof duration === 'bigint') return duration
  const seconds = parseFloat64(text)
  if (seconds === undefined) throw new GoError(`could not parse duration ${quote(value)}`)
  return fromSeconds(seconds)
}

function fromSeconds(seconds: number): bigint {
  if (!Number.isFinite(seconds)) throw new GoError(`invalid duration seconds: ${formatValue(seconds)}`)
  return checked(BigInt(Math.trunc(seconds * 1e9)), seconds)
}

function checked(duration: bigint, seconds: GoValue): bigint {
  if (BigInt.asIntN(64, duration) === duration) return duration
  throw new GoError(`duration seconds overflow: ${formatValue(seconds)}`)
}
