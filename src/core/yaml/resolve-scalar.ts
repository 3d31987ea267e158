import { integerShape, isFloatShape, isPointFirst, withoutLeadingZeros } from './number-shape.ts'

/** Stands for an integer that neither 64 bits nor a double can hold exactly. */
export const inexactInteger = Symbol('inexact integer')

/** What an untagged plain scalar means; infinities and NaN are numbers here. */
export type Resolved = null | boolean | number | bigint | string | typeof inexactInteger

const words = new Map<string, null | boolean | number>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
])
const longestWord = 5

// Most scalars are told to be strings by their first character alone; 0 stands for the empty one.
const mayResolve = new Uint8Array(0x7f)
mayResolve[0] = 1
for (const first of '~.+-0123456789yYnNtTfFoO') mayResolve[first.charCodeAt(0)] = 1

const shortDecimal = /^(?:0|-?[1-9][0-9]{0,14})$/
const strayUnderscore = /_(?![0-9])/

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n
const maxUint64 = 2n ** 64n - 1n

/**
 * Reads a plain scalar as Kubernetes does: sigs.k8s.io/yaml on go-yaml v2, that is YAML 1.1 words and `0777`, also `0o17`
 * and `1e3`, underscores anywhere in a number, no base 60, and timestamps as strings.
 */
export function resolvePlain(text: string): Resolved {
  const first = text.length === 0 ? 0 : text.charCodeAt(0)
  if (first > 0x7e || mayResolve[first] === 0) return text
  if (text.length <= longestWord) {
    const word = words.get(text)
    if (word !== undefined) return word
  }
  if (first === 0x2e)
    // Without a digit in front it is Go's own reader, which takes underscores between digits only.
    return isPointFirst(text) && !strayUnderscore.test(text) ? resolveFloat(text, text.replaceAll('_', '')) : text
  const isDigit = first >= 0x30 && first <= 0x39
  if (!isDigit && first !== 0x2b && first !== 0x2d) return text
  if (shortDecimal.test(text)) return Number(text)
  return resolveNumber(text, text.includes('_') ? text.replaceAll('_', '') : text)
}

/** Whether an integer fits the 64 bits that Kubernetes gives it. */
export function fits64Bits(value: bigint): boolean {
  return value >= minInt64 && value <= maxUint64
}

/** The number for an integer past 64 bits, if a double holds it exactly. */
export function asExactDouble(value: bigint): number | undefined {
  const double = Number(value)
  return Number.isFinite(double) && BigInt(double) === value ? double : undefined
}

function resolveNumber(text: string, plain: string): Resolved {
  const shape = integerShape(plain)
  if (shape !== undefined) {
    const { sign, prefix, digits } = shape
    // More digits are more than 64 bits, and reading thousands of them takes long.
    if (digits.length > 64) return resolveFloat(text, plain)
    const size = BigInt(prefix + digits)
    const value = sign === '-' ? -size : size
    if (value >= minInt64 && (value <= maxInt64 || (sign === '' && value <= maxUint64))) return narrow(value)
  }
  return resolveFloat(text, plain)
}

// go-yaml tries a float on whatever was no 64-bit integer, and leaves a string where the float overflows.
function resolveFloat(text: string, plain: string): Resolved {
  if (!isFloatShape(plain)) return text
  const value = Number(plain)
  if (!Number.isFinite(value)) return text
  if (isOnlyDigits(plain) && BigInt(value) !== exactInteger(plain)) return inexactInteger
  return value + 0
}

// What is finite has few digits but for zeros in front.
function exactInteger(plain: string): bigint {
  const size = BigInt(withoutLeadingZeros(plain.replace(/^[-+]/, '')))
  return plain.startsWith('-') ? -size : size
}

// Spelled with a point or an exponent it is a float, however large.
function isOnlyDigits(plain: string): boolean {
  return !/[.eE]/.test(plain)
}

function narrow(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
