import { toBytes } from './bytes.ts'
import { type Flags, pad } from './flags.ts'
import { type FloatVerb, formatFloat } from './float.ts'
import { canBackquote, quote, quoteRune, unicodeName } from './quote.ts'

const unsignedMask = (1n << 64n) - 1n
const hexByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const floatVerbs: Readonly<Record<string, readonly [verb: FloatVerb, precision: number]>> = {
  v: ['g', -1],
  b: ['b', -1],
  g: ['g', -1],
  G: ['G', -1],
  x: ['x', -1],
  X: ['X', -1],
  f: ['f', 6],
  F: ['f', 6],
  e: ['e', 6],
  E: ['E', 6],
}

/** A text by one verb; undefined where the verb is not for texts. */
export function formatText(text: string, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case 'v':
      return flags.sharpV ? quotedText(text, flags) : pad(truncate(text, flags), flags)
    case 's':
      return pad(truncate(text, flags), flags)
    case 'x':
    case 'X':
      return hexText(text, verb, flags)
    case 'q':
      return quotedText(text, flags)
    default:
      return undefined
  }
}

/** An integer by one verb; undefined where the verb is not for integers. */
export function formatInteger(value: bigint, isSigned: boolean, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case 'v':
      return flags.sharpV && !isSigned ? based(value, 16, 'x', flags, true) : based(value, 10, verb, flags)
    case 'd':
      return based(value, 10, verb, flags)
    case 'b':
      return based(value, 2, verb, flags)
    case 'o':
    case 'O':
      return based(value, 8, verb, flags)
    case 'x':
    case 'X':
      return based(value, 16, verb, flags)
    case 'c':
      return pad(character(value), flags)
    case 'q':
      return pad(quoteRune(runeOf(value), flags.plus), flags)
    case 'U':
      return pad(unicodeName(value & unsignedMask, flags.sharp, flags.precision), flags, false)
    default:
      return undefined
  }
}

/** A float by one verb; undefined where the verb is not for floats. */
export function formatFloatVerb(value: number, verb: string, flags: Flags): string | undefined {
  const known = floatVerbs[verb]
  if (known === undefined) return undefined
  const [floatVerb, standard] = known
  const precision = flags.precision ?? standard
  const text = formatFloat(value, floatVerb, precision)
  const isSigned = text.startsWith('-') || text.startsWith('+')
  const number = isSigned ? text.slice(1) : text
  const written = isSigned ? text.slice(0, 1) : '+'
  const sign = flags.space && written === '+' && !flags.plus ? ' ' : written
  if (!Number.isFinite(value)) {
    const isBare = Number.isNaN(value) && !flags.space && !flags.plus
    return pad(isBare ? number : sign + number, flags, false)
  }
  const shown = flags.sharp && floatVerb !== 'b' ? keepZeros(number, floatVerb, precision) : number
  return signed(sign, shown, flags)
}

// Zeros go between the sign and the number.
function signed(sign: string, number: string, flags: Flags): string {
  if (!flags.plus && sign === '+') return pad(number, flags)
  const missing = (flags.width ?? 0) - number.length - 1
  if (flags.zero && !flags.minus && missing > 0) return sign + '0'.repeat(missing) + number
  return pad(sign + number, flags)
}

/** An integer in a base, with sign, prefix and padding. */
export function based(value: bigint, base: number, verb: string, flags: Flags, isPrefixed = flags.sharp): string {
  const isNegative = value < 0n
  if (flags.precision === 0 && value === 0n) return pad('', flags, false)
  let minimum = flags.precision ?? 0
  if (flags.precision === undefined && flags.zero && !flags.minus && flags.width !== undefined) {
    minimum = flags.width - (isNegative || flags.plus || flags.space ? 1 : 0)
  }
  const lower = (isNegative ? -value : value).toString(base).padStart(minimum, '0')
  const digits = verb === 'X' ? lower.toUpperCase() : lower
  const prefix = (verb === 'O' ? '0o' : '') + (isPrefixed ? basePrefix(base, verb, digits) : '')
  return pad(integerSign(isNegative, flags) + prefix + digits, flags, false)
}

function integerSign(isNegative: boolean, { plus, space }: Flags): string {
  if (isNegative) return '-'
  if (plus) return '+'
  return space ? ' ' : ''
}

function basePrefix(base: number, verb: string, digits: string): string {
  if (base === 2) return '0b'
  if (base === 8) return digits.startsWith('0') ? '' : '0'
  if (base === 16) return verb === 'X' ? '0X' : '0x'
  return ''
}

function quotedText(text: string, flags: Flags): string {
  const cut = truncate(text, flags)
  return pad(flags.sharp && canBackquote(cut) ? `\`${cut}\`` : quote(cut, flags.plus), flags)
}

function truncate(text: string, { precision }: Flags): string {
  if (precision === undefined || text.length <= precision) return text
  return Array.from(text).slice(0, precision).join('')
}

function hexText(text: string, verb: 'x' | 'X', flags: Flags): string {
  const bytes = toBytes(text)
  const shown = flags.precision === undefined ? bytes : bytes.subarray(0, flags.precision)
  if (shown.length === 0) return pad('', flags)
  const prefix = flags.sharp ? '0x' : ''
  const parts = Array.from(shown, (byte) => hexByte[byte] ?? '')
  const hex = prefix + parts.join(flags.space ? ` ${prefix}` : '')
  return pad(verb === 'X' ? hex.toUpperCase() : hex, flags)
}

function runeOf(value: bigint): number {
  const unsigned = value & unsignedMask
  return unsigned > 0x10ffffn ? 0xfffd : Number(unsigned)
}

function character(value: bigint): string {
  const rune = runeOf(value)
  return rune >= 0xd800 && rune <= 0xdfff ? '\uFFFD' : String.fromCodePoint(rune)
}

// `%#g` keeps the point and trailing zeros that `%g` drops.
function keepZeros(number: string, verb: FloatVerb, precision: number): string {
  const isHex = verb === 'x' || verb === 'X'
  const at = number.search(isHex ? /[pP]/ : /[eE]/)
  const tail = at < 0 ? '' : number.slice(at)
  let head = at < 0 ? number : number.slice(0, at)
  let missing = 0
  if (verb === 'g' || verb === 'G' || verb === 'x') missing = precision === -1 ? 6 : precision
  // Go counts from the first digit that is not zero.
  missing -= head.replace('.', '').replace(/^0+/, '').length
  if (!head.includes('.')) {
    if (head === '0') missing--
    head += '.'
  }
  return head + '0'.repeat(Math.max(missing, 0)) + tail
}
