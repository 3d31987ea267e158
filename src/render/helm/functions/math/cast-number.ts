import { GoInt, type GoValue } from '../../../gotemplate/value.ts'

const lowest = -(2n ** 63n)
const highest = 2n ** 63n - 1n

/** Sprig's `int64`: what is no number is 0; text may be hexadecimal, octal or binary, and end in `.0`. */
export function toInt64(value: GoValue): bigint {
  if (value instanceof GoInt) return BigInt.asIntN(64, value.value)
  switch (typeof value) {
    case 'number':
      return floatToInt(value)
    case 'boolean':
      return value ? 1n : 0n
    case 'string':
      return parseInteger(trimZeroDecimal(value), 0)?.value ?? 0n
    default:
      return 0n
  }
}

/** Sprig's `float64`: what is no number is 0. */
export function toFloat64(value: GoValue): number {
  if (value instanceof GoInt) return Number(value.value)
  switch (typeof value) {
    case 'number':
      return value
    case 'boolean':
      return value ? 1 : 0
    case 'string':
      return parseFloat64(value) ?? 0
    default:
      return 0
  }
}

/** What Go's `strconv.ParseInt` reads; undefined where it says syntax error, and `isOutOfRange` where it cuts to 64 bits. */
export function parseInteger(text: string, base: 0 | 8 | 10): { value: bigint; isOutOfRange: boolean } | undefined {
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
  const magnitude = base === 0 ? parseLiteral(digits) : parseDigits(digits, base)
  if (magnitude === undefined) return undefined
  const value = sign === '-' ? -magnitude : magnitude
  if (value < lowest || value > highest) return undefined
  return { value, isOutOfRange: false }
}

/** Go's `strconv.Atoi` without its error: text that is no number is 0, a number past 64 bits the last one within. */
export function atoi(text: string): bigint {
  const [, sign = '', digits = ''] = /^([+-]?)(\d+)$/.exec(text) ?? []
  if (digits === '') return 0n
  const value = BigInt(digits) * (sign === '-' ? -1n : 1n)
  return value < lowest ? lowest : value > highest ? highest : value
}

/** What Go's `strconv.ParseFloat` reads; undefined for what it refuses. */
export function parseFloat64(text: string): number | undefined {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text)
  if (special !== null)
    return /nan/i.test(text) ? (special[1] === '' ? Number.NaN : undefined) : special[1] === '-' ? -Infinity : Infinity
  if (text.includes('_') && !hasGoodUnderscores(text)) return undefined
  const plain = text.replaceAll('_', '')
  if (/^[+-]?0x/i.test(plain)) return parseHexFloat(plain)
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return undefined
  const value = Number(plain)
  return Number.isFinite(value) ? value : undefined
}

function floatToInt(value: number): bigint {
  // A float that no int64 holds becomes the lowest one on amd64.
  if (!(value >= -(2 ** 63) && value < 2 ** 63)) return lowest
  return BigInt(Math.trunc(value))
}

// `12.00` is 12 to sprig; `.0` is the empty text, and so no number.
function trimZeroDecimal(text: string): string {
  return /\.0+$/.test(text) ? text.replace(/\.0+$/, '') : text
}

function parseLiteral(digits: string): bigint | undefined {
  if (digits.includes('_') && !hasGoodUnderscores(digits)) return undefined
  const plain = digits.replaceAll('_', '').toLowerCase()
  if (/^0x[0-9a-f]+$/.test(plain) || /^0b[01]+$/.test(plain) || /^0o[0-7]+$/.test(plain)) return BigInt(plain)
  if (plain.length > 1 && plain.startsWith('0')) return parseDigits(plain.slice(1), 8)
  return parseDigits(plain, 10)
}

function parseDigits(digits: string, base: 8 | 10): bigint | undefined {
  if (!(base === 8 ? /^[0-7]+$/ : /^\d+$/).test(digits)) return undefined
  return BigInt(base === 8 ? `0o${digits}` : digits)
}

// Underscores stand between digits, or between a prefix and a digit.
function hasGoodUnderscores(text: string): boolean {
  const body = text.replace(/^[+-]/, '')
  const digits = /^0[xbo]/i.test(body) ? `0${body.slice(2)}` : body
  return !/(?:^|[^0-9a-f])_|_(?:$|[^0-9a-f])/i.test(digits)
}

function parseHexFloat(text: string): number | undefined {
  const parts = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)p([+-]?\d+)$/i.exec(text)
  if (parts === null || `${parts[2]}${parts[3]}` === '') return undefined
  const value = Number(BigInt(`0x${parts[2]}${parts[3]}`)) * 2 ** (Number(parts[4]) - 4 * (parts[3] ?? '').length)
  return Number.isFinite(value) ? (parts[1] === '-' ? -value : value) : undefined
}
