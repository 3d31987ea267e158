import { GoInt } from '../../gotemplate/value.ts'

/**
 * A number by its decimal digits: `digits` divided by ten to the power of `places`. Helm's validator compares numbers this
 * way, so that int64 values of `--set` and limits of a schema past 2^53 keep every digit, and 0.3 is a multiple of 0.1.
 */
export interface ExactNumber {
  readonly digits: bigint
  readonly places: number
}

/** The exact value of a number of any kind; undefined if it is none. */
export function exactNumber(value: unknown): ExactNumber | undefined {
  if (value instanceof GoInt) return { digits: value.value, places: 0 }
  if (typeof value === 'bigint') return { digits: value, places: 0 }
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const places = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 }
}

/** Negative where the first number is the smaller one, 0 where they are equal. */
export function compareExact(a: ExactNumber, b: ExactNumber): number {
  const [left, right] = aligned(a, b)
  return left < right ? -1 : left > right ? 1 : 0
}

/** Whether a number is a whole multiple of another. */
export function isMultiple(value: ExactNumber, of: ExactNumber): boolean {
  const [dividend, divisor] = aligned(value, of)
  return divisor !== 0n && dividend % divisor === 0n
}

/** The number as a double. */
export function toDouble(value: ExactNumber): number {
  return Number(`${value.digits}e${-value.places}`)
}

function aligned(a: ExactNumber, b: ExactNumber): [bigint, bigint] {
  const places = Math.max(a.places, b.places)
  return [a.digits * 10n ** BigInt(places - a.places), b.digits * 10n ** BigInt(places - b.places)]
}
