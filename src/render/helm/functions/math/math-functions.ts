import { randomBelow } from '../../../../core/index.ts'
import { GoError, type GoValue } from '../../../gotemplate/value.ts'
import { parseInteger, toFloat64, toInt64 } from './cast-number.ts'
import { add, type Decimal, decimalOf, divide, floatOf, multiply, subtract } from './decimal.ts'
import { define, defineVariadic, type FunctionFamily } from '../define-function.ts'
import { checkCount, type FunctionEnvironment } from '../environment.ts'
import { formatValue } from '../formats/format-value.ts'
import { int, int64, typedList } from '../dicts/make-value.ts'
import { powerOfTen } from './power-of-ten.ts'

/** Sprig's arithmetic: whole numbers are `int64` and wrap around, the ones that end in f go through decimals. */
export function mathFunctions(environment: FunctionEnvironment): FunctionFamily {
  const steps = (start: number, stop: number, step: number) => untilStep(start, stop, step, environment)
  return {
    add1: define(['any'], (value) => int64(toInt64(value) + 1n)),
    add: defineVariadic([], 'any', (values) => int64(values.reduce((sum: bigint, value) => sum + toInt64(value), 0n))),
    sub: define(['any', 'any'], (a, b) => int64(toInt64(a) - toInt64(b))),
    div: define(['any', 'any'], (a, b) => int64(toInt64(a) / divisor(b))),
    mod: define(['any', 'any'], (a, b) => int64(toInt64(a) % divisor(b))),
    mul: defineVariadic(['any'], 'any', (values, first) =>
      int64(values.reduce((product: bigint, value) => BigInt.asIntN(64, product * toInt64(value)), toInt64(first))),
    ),
    max: largest,
    biggest: largest,
    min: defineVariadic(['any'], 'any', (values, first) =>
      int64([first, ...values].map(toInt64).reduce((a, b) => (b < a ? b : a))),
    ),
    maxf: defineVariadic(['any'], 'any', (values, first) => Math.max(...[first, ...values].map(toFloat64))),
    minf: defineVariadic(['any'], 'any', (values, first) => Math.min(...[first, ...values].map(toFloat64))),
    add1f: define(['any'], (value) => floatOf(add(decimal(value), decimalOf(1)))),
    addf: defineVariadic([], 'any', (values) => fold(decimalOf(0), values, add)),
    subf: defineVariadic(['any'], 'any', (values, first) => fold(decimal(first), values, subtract)),
    mulf: defineVariadic(['any'], 'any', (values, first) => fold(decimal(first), values, multiply)),
    divf: defineVariadic(['any'], 'any', (values, first) => fold(decimal(first), values, divide)),
    floor: define(['any'], (value) => Math.floor(toFloat64(value))),
    ceil: define(['any'], (value) => Math.ceil(toFloat64(value))),
    round: defineVariadic(['any', 'int'], 'float64', ([roundOn = 0.5], value, places) =>
      round(toFloat64(value), places, roundOn),
    ),
    until: define(['int'], (count) => steps(0, count, count < 0 ? -1 : 1)),
    untilStep: define(['int', 'int', 'int'], (start, stop, step) => steps(start, stop, step)),
    seq: defineVariadic([], 'int', (bounds) => sequence(bounds, environment).join(' ')),
    int64: define(['any'], (value) => int64(toInt64(value))),
    int: define(['any'], (value) => int(toInt64(value))),
    float64: define(['any'], (value) => toFloat64(value)),
    toDecimal: define(['any'], (value) => int64(parseInteger(formatValue(value), 8)?.value ?? 0n)),
    randInt: define(['int', 'int'], (least, bound) => {
      if (bound <= least) throw new GoError('invalid argument to Intn')
      return int(randomBelow(environment.random, BigInt(bound - least)) + BigInt(least))
    }),
  }
}

const largest = defineVariadic(['any'], 'any', (values, first) =>
  int64([first, ...values].map(toInt64).reduce((a, b) => (b > a ? b : a))),
)

function divisor(value: GoValue): bigint {
  const number = toInt64(value)
  if (number === 0n) throw new GoError('runtime error: integer divide by zero')
  return number
}

function decimal(value: GoValue): Decimal {
  return decimalOf(toFloat64(value))
}

function fold(first: Decimal, values: readonly GoValue[], operation: (a: Decimal, b: Decimal) => Decimal): number {
  return floatOf(values.reduce((result: Decimal, value) => operation(result, decimal(value)), first))
}

// Negative numbers have a negative fraction, which is never above the bound: they are rounded down.
function round(value: number, places: number, roundOn: number): number {
  const power = powerOfTen(places)
  const digit = power * value
  const fraction = Number.isFinite(digit) ? digit - Math.trunc(digit) : Number.NaN
  return (fraction >= roundOn ? Math.ceil(digit) : Math.floor(digit)) / power
}

function untilStep(start: number, stop: number, step: number, environment: FunctionEnvironment): GoValue {
  return typedList(numbers(start, stop, step, environment).map(int), '[]int')
}

function numbers(start: number, stop: number, step: number, environment: FunctionEnvironment): number[] {
  if (stop < start ? step >= 0 : step <= 0) return []
  const count = Math.ceil((stop - start) / step)
  checkCount(count, environment.limits)
  return Array.from({ length: count }, (_, at) => start + at * step)
}

function sequence(bounds: readonly number[], environment: FunctionEnvironment): number[] {
  const [first = 0, second = 0, third = 0] = bounds
  switch (bounds.length) {
    case 1: {
      const step = first < 1 ? -1 : 1
      return numbers(1, first + step, step, environment)
    }
    case 2: {
      const step = second < first ? -1 : 1
      return numbers(first, second + step, step, environment)
    }
    case 3:
      if (third < first && second > 0) return []
      return numbers(first, third + (third < first ? -1 : 1), second, environment)
    default:
      return []
  }
}
