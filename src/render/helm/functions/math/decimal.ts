import { GoError } from '../../../gotemplate/value.ts'

/** A decimal number: `coefficient` × 10^`exponent`. */
export interface Decimal {
  readonly coefficient: bigint
  readonly exponent: number
}

const divisionDigits = 16

/** The shortest decimal that a float stands for. */
export function decimalOf(value: number): Decimal {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
    throw new GoError(`Cannot create a Decimal from ${name}`)
  }
  const [mantissa = '0', power = '0'] = value.toExponential().split('e')
  const fraction = mantissa.split('.')[1] ?? ''
  return { coefficient: BigInt(mantissa.replace('.', '')), exponent: Number(power) - fraction.length }
}

/** The float nearest to a decimal. */
export function floatOf(decimal: Decimal): number {
  return Number(`${decimal.coefficient}e${decimal.exponent}`)
}

/** a + b, exactly. */
export function add(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent)
  return { coefficient: scaled(a, exponent) + scaled(b, exponent), exponent }
}

/** a − b, exactly. */
export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, { coefficient: -b.coefficient, exponent: b.exponent })
}

/** a × b, exactly. */
export function multiply(a: Decimal, b: Decimal): Decimal {
  return { coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent }
}

/** a ÷ b to sixteen places, halves away from zero. */
export function divide(a: Decimal, b: Decimal): Decimal {
  if (b.coefficient === 0n) throw new GoError('decimal division by 0')
  const shift = a.exponent - b.exponent + divisionDigits
  const top = shift >= 0 ? a.coefficient * 10n ** BigInt(shift) : a.coefficient
  const bottom = shift >= 0 ? b.coefficient : b.coefficient * 10n ** BigInt(-shift)
  const quotient = top / bottom
  const rest = magnitude(top % bottom) * 2n
  const sign = top < 0n === bottom < 0n ? 1n : -1n
  return { coefficient: rest >= magnitude(bottom) ? quotient + sign : quotient, exponent: -divisionDigits }
}

function scaled(decimal: Decimal, exponent: number): bigint {
  return decimal.coefficient * 10n ** BigInt(decimal.exponent - exponent)
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}
