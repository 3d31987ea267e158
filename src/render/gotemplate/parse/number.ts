import { quote } from '../format/quote.ts'
import type { NumberNode } from './node.ts'
import type { Token } from './token.ts'
import { unquoteChar } from './unquote.ts'

const maxInt = (1n << 63n) - 1n
const minInt = -(1n << 63n)
const maxUint = (1n << 64n) - 1n

/** Reads a number or a character constant; the text of what is wrong where it is neither. */
export function parseNumber({ kind, pos, text }: Token): NumberNode | string {
  if (kind === 'charConstant') return parseCharacter(pos, text)
  if (kind === 'complex' || text.endsWith('i')) return `complex numbers are not supported: ${quote(text)}`
  const integer = parseInteger(text)
  const uint = integer !== undefined && !/^[+-]/.test(text) && integer >= 0n && integer <= maxUint
  const int = integer !== undefined && integer >= minInt && integer <= maxInt ? integer : undefined
  if (int !== undefined || uint) {
    return { kind: 'number', pos, text, int, isUint: uint || int === 0n, float: Number(integer) }
  }
  const float = parseFloatLiteral(text)
  if (float === undefined) return `illegal number syntax: ${quote(text)}`
  if (!/[.eEpP]/.test(text)) return `integer overflow: ${quote(text)}`
  const isWhole = Number.isInteger(float)
  const asInt = isWhole && Math.abs(float) < 2 ** 63 ? BigInt(float) : undefined
  const isUint = isWhole && float >= 0 && float < 2 ** 64
  return { kind: 'number', pos, text, int: float === -(2 ** 63) ? minInt : asInt, isUint, float }
}

function parseCharacter(pos: number, text: string): NumberNode | string {
  const char = unquoteChar(text, 1, "'")
  if (char === undefined) return 'invalid syntax'
  if (text.slice(char.next) !== "'") return `malformed character constant: ${text}`
  return { kind: 'number', pos, text, int: BigInt(char.rune), isUint: true, float: char.rune }
}

// Go's base 0: 0x, 0o, 0b, a leading 0 for octal, and underscores between digits.
function parseInteger(text: string): bigint | undefined {
  const match = /^([+-]?)(0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|0[0-7_]*|[1-9][0-9_]*)$/.exec(text)
  if (match === null || !areUnderscoresGood(match[2] ?? '')) return undefined
  const digits = (match[2] ?? '').replaceAll('_', '')
  const isOldOctal = /^0[0-7]+$/.test(digits)
  const size = BigInt(isOldOctal ? `0o${digits.slice(1)}` : digits)
  return match[1] === '-' ? -size : size
}

function parseFloatLiteral(text: string): number | undefined {
  if (!areUnderscoresGood(text.replace(/^[+-]/, ''))) return undefined
  const plain = text.replaceAll('_', '')
  if (/^[+-]?0[xX]/.test(plain)) return parseHexFloat(plain)
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(plain)) return undefined
  const value = Number(plain)
  return Number.isFinite(value) ? value : undefined
}

function parseHexFloat(text: string): number | undefined {
  const match = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)$/.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', power = '0'] = match
  if (whole + fraction === '' || power.length > 6) return undefined
  const exponent = Number(power) - 4 * fraction.length
  const mantissa = BigInt(`0x${whole}${fraction}`)
  const value = scale(mantissa, exponent)
  if (!Number.isFinite(value)) return undefined
  return sign === '-' ? -value : value
}

// mantissa × 2^exponent with one rounding only.
function scale(mantissa: bigint, exponent: number): number {
  if (mantissa === 0n || exponent < -100_000) return 0
  if (exponent > 2000) return Number.POSITIVE_INFINITY
  if (exponent >= 0) return Number(mantissa << BigInt(exponent))
  const bits = mantissa.toString(2).length
  // The lowest bit that a float64 of this size keeps.
  const lowest = Math.max(bits + exponent - 53, -1074)
  const drop = BigInt(lowest - exponent)
  if (drop <= 0n) return Number(mantissa) * 2 ** Math.max(exponent, -1074)
  const half = 1n << (drop - 1n)
  const rest = mantissa & ((1n << drop) - 1n)
  let kept = mantissa >> drop
  if (rest > half || (rest === half && (kept & 1n) === 1n)) kept++
  return Number(kept) * 2 ** lowest
}

// An underscore stands between digits, or after the prefix of the base.
function areUnderscoresGood(text: string): boolean {
  return (
    !text.includes('_') || (!/__|_$|^_/.test(text) && !/_[.eEpP+-]|[.pP+-]_/.test(text) && !/^0*[^xX]*[eE]_/.test(text))
  )
}
