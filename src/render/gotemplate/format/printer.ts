import { GoError, GoFunction, GoInt, type GoList, type GoMap, GoObject, type GoValue } from '../value.ts'
import { elementType, isGoMap, typeName } from '../type-name.ts'
import { compareText, fromBytes, runes, toBytes } from './bytes.ts'
import { type FloatVerb, formatFloat } from './float.ts'
import { canBackquote, quote, quoteRune, unicodeName } from './quote.ts'
import { tooLong } from './too-long.ts'

const unsignedMask = (1n << 64n) - 1n
const hexByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Flags, width and precision of one verb. */
export interface Flags {
  width: number | undefined
  precision: number | undefined
  minus: boolean
  plus: boolean
  sharp: boolean
  space: boolean
  zero: boolean
  plusV: boolean
  sharpV: boolean
}

/** No flags at all, as `print` formats. */
export function noFlags(): Flags {
  return {
    width: undefined,
    precision: undefined,
    minus: false,
    plus: false,
    sharp: false,
    space: false,
    zero: false,
    plusV: false,
    sharpV: false,
  }
}

/** Writes values as Go's fmt package does; one is used for one format string or one print. */
export class Printer {
  flags: Flags = noFlags()
  /** Whether a struct behind a pointer is shown as the struct, as templates do. */
  isIndirect = false
  readonly #parts: string[] = []
  #length = 0
  // While a wrong verb is reported, Go does not ask for an error's text.
  #isErroring = false

  /** What was written so far. */
  text(): string {
    return this.#parts.join('')
  }

  write(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
    if (this.#length > tooLong.limit) tooLong.fail()
  }

  /** One argument by one verb. */
  print(value: GoValue, verb: string): void {
    if (value === null || value === undefined) {
      if (verb === 'T' || verb === 'v') this.#pad('<nil>')
      else this.#badVerb(value, verb)
    } else if (verb === 'T') this.#string(typeName(value))
    else if (verb === 'w' && isContainer(value)) this.#badVerb(value, verb)
    else if (verb === 'p') this.#pointer(value, verb)
    else this.#value(value, verb, 0)
  }

  #value(value: GoValue, verb: string, depth: number): void {
    switch (typeof value) {
      case 'boolean':
        return verb === 't' || verb === 'v' ? this.#pad(String(value)) : this.#badVerb(value, verb)
      case 'string':
        return this.#text(value, verb, value)
      case 'number':
        return this.#float(value, verb, value)
      case 'object':
        return value === null ? this.#nil('interface {}') : this.#object(value, verb, depth)
      default:
        return this.#nil('interface {}')
    }
  }

  #object(value: GoInt | GoMap | GoList | GoObject | GoFunction | GoError, verb: string, depth: number): void {
    if (value instanceof GoInt) return this.#integer(value.value, !value.kind.startsWith('u'), verb, value)
    if (value instanceof GoFunction) return this.#pointer(value, verb)
    if (value instanceof GoError || value instanceof GoObject) return this.#withMethods(value, verb, depth)
    if (Array.isArray(value)) return this.#list(value, verb, depth, typeName(value))
    this.#map(value as GoMap, verb, depth, typeName(value))
  }

  #withMethods(value: GoObject | GoError, verb: string, depth: number): void {
    const text = value instanceof GoError ? value.message : value.text()
    if (!this.#isErroring) {
      if (verb === 'w') return this.#badVerb(value, verb)
      if (text !== undefined && !this.flags.sharpV && 'vsxXq'.includes(verb)) return this.#text(text, verb, value)
    }
    if (value instanceof GoError) return this.#struct('&', '*errors.errorString', [['s', value.message]], verb, depth)
    const underlying = value.underlying()
    if (underlying === undefined || value.typeName.startsWith('*')) {
      return this.#struct(value.typeName.startsWith('*') ? '&' : '', value.typeName, value.fields(), verb, depth)
    }
    if (Array.isArray(underlying)) return this.#list(underlying, verb, depth, value.typeName)
    if (typeof underlying === 'object' && underlying !== null && !(underlying instanceof GoInt)) {
      return this.#map(underlying as GoMap, verb, depth, value.typeName)
    }
    this.#basic(underlying, verb, value)
  }

  // A basic value under a name: wrong verbs show the name.
  #basic(value: GoValue, verb: string, shown: GoValue): void {
    if (typeof value === 'string') this.#text(value, verb, shown)
    else if (typeof value === 'number') this.#float(value, verb, shown)
    else if (value instanceof GoInt) this.#integer(value.value, !value.kind.startsWith('u'), verb, shown)
    else if (verb === 't' || verb === 'v') this.#pad(String(value))
    else this.#badVerb(shown, verb)
  }

  #struct(
    pointer: string,
    name: string,
    fields: readonly (readonly [string, GoValue])[],
    verb: string,
    depth: number,
  ): void {
    if (pointer !== '' && depth > 0) return this.write('0xc000000000')
    const type = pointer === '' ? name : name.slice(1)
    this.write(`${this.isIndirect ? '' : pointer}${this.flags.sharpV ? type : ''}{`)
    fields.forEach(([field, value], index) => {
      if (index > 0) this.write(this.flags.sharpV ? ', ' : ' ')
      if (this.flags.plusV || this.flags.sharpV) this.write(`${field}:`)
      this.#value(value, verb, depth + 1)
    })
    this.write('}')
  }

  #map(map: GoMap, verb: string, depth: number, type: string): void {
    this.write(this.flags.sharpV ? `${type}{` : 'map[')
    sortedKeys(map).forEach((key, index) => {
      if (index > 0) this.write(this.flags.sharpV ? ', ' : ' ')
      this.#text(key, verb, key)
      this.write(':')
      this.#value(map[key], verb, depth + 1)
    })
    this.write(this.flags.sharpV ? '}' : ']')
  }

  #list(list: GoList, verb: string, depth: number, type: string): void {
    if (elementType(list) === 'uint8' && this.#byteList(list, verb)) return
    // Only bytes on their own go by their other name.
    const name = depth === 0 && type === '[]uint8' ? '[]byte' : type
    this.write(this.flags.sharpV ? `${name}{` : '[')
    list.forEach((value, index) => {
      if (index > 0) this.write(this.flags.sharpV ? ', ' : ' ')
      this.#value(value, verb, depth + 1)
    })
    this.write(this.flags.sharpV ? '}' : ']')
  }

  #byteList(list: GoList, verb: string): boolean {
    if (!'sqxX'.includes(verb)) return false
    const bytes = Uint8Array.from(list, (byte) => (byte instanceof GoInt ? Number(byte.value) : 0))
    this.#text(fromBytes(bytes), verb, list)
    return true
  }

  // A nil inside of something prints as such under every verb.
  #nil(type: string): void {
    this.write(this.flags.sharpV ? `${type}(nil)` : '<nil>')
  }

  #badVerb(value: GoValue, verb: string): void {
    const wasErroring = this.#isErroring
    this.#isErroring = true
    if (value === null || value === undefined) this.write(`%!${verb}(<nil>)`)
    else {
      this.write(`%!${verb}(${typeName(value)}=`)
      this.#value(value, 'v', 0)
      this.write(')')
    }
    this.#isErroring = wasErroring
  }

  #text(text: string, verb: string, value: GoValue): void {
    switch (verb) {
      case 'v':
        return this.flags.sharpV ? this.#quoted(text) : this.#string(text)
      case 's':
        return this.#string(text)
      case 'x':
      case 'X':
        return this.#hexText(text, verb)
      case 'q':
        return this.#quoted(text)
      default:
        return this.#badVerb(value, verb)
    }
  }

  #string(text: string): void {
    this.#pad(this.#truncate(text))
  }

  #quoted(text: string): void {
    const cut = this.#truncate(text)
    if (this.flags.sharp && canBackquote(cut)) this.#pad(`\`${cut}\``)
    else this.#pad(quote(cut, this.flags.plus))
  }

  #truncate(text: string): string {
    const { precision } = this.flags
    if (precision === undefined || text.length <= precision) return text
    return Array.from(text).slice(0, precision).join('')
  }

  #hexText(text: string, verb: 'x' | 'X'): void {
    const { precision, space, sharp, width } = this.flags
    const bytes = toBytes(text)
    const shown = precision === undefined ? bytes : bytes.subarray(0, precision)
    if (shown.length === 0) {
      if (width !== undefined) this.#padding(width)
      return
    }
    const prefix = sharp ? '0x' : ''
    const hex = Array.from(shown, (byte) => (space ? prefix : '') + (hexByte[byte] ?? '')).join(space ? ' ' : '')
    const whole = space ? hex : prefix + hex
    this.#padRaw(verb === 'X' ? whole.toUpperCase() : whole)
  }

  #integer(value: bigint, isSigned: boolean, verb: string, shown: GoValue): void {
    switch (verb) {
      case 'v':
        return this.flags.sharpV && !isSigned ? this.#based(value, 16, 'x', true) : this.#based(value, 10, verb)
      case 'd':
        return this.#based(value, 10, verb)
      case 'b':
        return this.#based(value, 2, verb)
      case 'o':
      case 'O':
        return this.#based(value, 8, verb)
      case 'x':
      case 'X':
        return this.#based(value, 16, verb)
      case 'c':
        return this.#pad(character(value))
      case 'q':
        return this.#pad(quoteRune(runeOf(value), this.flags.plus))
      case 'U':
        return this.#padSpaces(unicodeName(value & unsignedMask, this.flags.sharp, this.flags.precision))
      default:
        return this.#badVerb(shown, verb)
    }
  }

  #based(value: bigint, base: number, verb: string, forceSharp = false): void {
    const { flags } = this
    const isNegative = value < 0n
    if (flags.precision === 0 && value === 0n) return this.#padSpaces('')
    let digits = (isNegative ? -value : value).toString(base)
    let minimum = flags.precision ?? 0
    if (flags.precision === undefined && flags.zero && !flags.minus && flags.width !== undefined) {
      minimum = flags.width - (isNegative || flags.plus || flags.space ? 1 : 0)
    }
    digits = digits.padStart(minimum, '0')
    if (verb === 'X') digits = digits.toUpperCase()
    const prefix = flags.sharp || forceSharp ? basePrefix(base, verb, digits) : ''
    const sign = isNegative ? '-' : flags.plus ? '+' : flags.space ? ' ' : ''
    this.#padSpaces(sign + (verb === 'O' ? '0o' : '') + prefix + digits)
  }

  #float(value: number, verb: string, shown: GoValue): void {
    switch (verb) {
      case 'v':
        return this.#floatBy(value, 'g', -1)
      case 'b':
      case 'g':
      case 'G':
      case 'x':
      case 'X':
        return this.#floatBy(value, verb, -1)
      case 'f':
      case 'F':
        return this.#floatBy(value, 'f', 6)
      case 'e':
      case 'E':
        return this.#floatBy(value, verb, 6)
      default:
        return this.#badVerb(shown, verb)
    }
  }

  #floatBy(value: number, verb: FloatVerb, standard: number): void {
    const { flags } = this
    const precision = flags.precision ?? standard
    let number = formatFloat(value, verb, precision)
    const isSigned = number.startsWith('-') || number.startsWith('+')
    let sign = isSigned ? (number[0] ?? '') : '+'
    if (isSigned) number = number.slice(1)
    if (flags.space && sign === '+' && !flags.plus) sign = ' '
    if (!Number.isFinite(value)) {
      const bare = Number.isNaN(value) && !flags.space && !flags.plus
      const shown = bare || (sign === '+' && !flags.plus) ? '' : sign
      return this.#padSpaces((Number.isNaN(value) ? shown : sign) + number)
    }
    if (flags.sharp && verb !== 'b') number = keepZeros(number, verb, precision)
    if (!flags.plus && sign === '+') return this.#pad(number)
    if (flags.zero && !flags.minus && flags.width !== undefined && flags.width > number.length + 1) {
      this.write(sign + '0'.repeat(flags.width - number.length - 1) + number)
    } else this.#pad(sign + number)
  }

  #pointer(value: GoValue, verb: string): void {
    const isPointer =
      value instanceof GoFunction ||
      value instanceof GoError ||
      (value instanceof GoObject
        ? value.typeName.startsWith('*')
        : typeof value === 'object' && !(value instanceof GoInt))
    if (!isPointer) return this.#badVerb(value, verb)
    // No two runs of a Go program agree on addresses; one stands for all.
    const address = 0xc000000000n
    if (verb === 'v' && this.flags.sharpV) return this.write(`(${typeName(value)})(0x${address.toString(16)})`)
    if (verb === 'v' || verb === 'p') {
      const { sharp } = this.flags
      this.flags.sharp = !sharp
      this.#based(address, 16, 'x')
      this.flags.sharp = sharp
    } else if ('bodxX'.includes(verb)) this.#integer(address, false, verb, value)
    else this.write(`%!${verb}(${typeName(value)}=0x${address.toString(16)})`)
  }

  #pad(text: string): void {
    const { width, minus } = this.flags
    if (width === undefined || width <= text.length - 1) {
      if (width === undefined || width === 0 || width <= runeCount(text)) return this.write(text)
    }
    const missing = (width ?? 0) - runeCount(text)
    if (minus) this.write(text)
    this.#padding(missing)
    if (!minus) this.write(text)
  }

  #padRaw(text: string): void {
    this.#pad(text)
  }

  #padSpaces(text: string): void {
    const { zero } = this.flags
    this.flags.zero = false
    this.#pad(text)
    this.flags.zero = zero
  }

  #padding(count: number): void {
    if (count > 0) this.write((this.flags.zero && !this.flags.minus ? '0' : ' ').repeat(count))
  }
}

/** Keys of a map in Go's order. */
export function sortedKeys(map: GoMap): string[] {
  return Object.keys(map).sort(compareText)
}

function isContainer(value: GoValue): boolean {
  return Array.isArray(value) ? elementType(value) !== 'uint8' : isGoMap(value)
}

function runeCount(text: string): number {
  let count = 0
  for (const _ of runes(text)) count++
  return count
}

function runeOf(value: bigint): number {
  const unsigned = value & unsignedMask
  return unsigned > 0x10ffffn ? 0xfffd : Number(unsigned)
}

function character(value: bigint): string {
  const rune = runeOf(value)
  return rune >= 0xd800 && rune <= 0xdfff ? '\uFFFD' : String.fromCodePoint(rune)
}

function basePrefix(base: number, verb: string, digits: string): string {
  if (base === 2) return '0b'
  if (base === 8) return digits.startsWith('0') ? '' : '0'
  if (base === 16) return verb === 'X' ? '0X' : '0x'
  return ''
}

// `%#g` keeps the point and trailing zeros that `%g` drops.
function keepZeros(number: string, verb: FloatVerb, precision: number): string {
  const isHex = verb === 'x' || verb === 'X'
  const at = number.search(isHex ? /[pP]/ : /[eE]/)
  const tail = at < 0 ? '' : number.slice(at)
  let head = at < 0 ? number : number.slice(0, at)
  let missing = 0
  if (verb === 'g' || verb === 'G' || verb === 'x') missing = precision === -1 ? 6 : precision
  // The digits of "0x" are counted as Go counts them: from the first that is not zero.
  missing -= head.replace('.', '').replace(/^0+/, '').length
  if (!head.includes('.')) {
    if (head === '0') missing--
    head += '.'
  }
  return head + '0'.repeat(Math.max(missing, 0)) + tail
}
