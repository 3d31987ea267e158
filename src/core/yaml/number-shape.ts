// Counted by hand: a pattern keeps a place to go back to for each digit, and millions of digits run out of stack.

/** An integer as it is spelled: its sign, the base that its prefix names, and its digits without zeros in front. */
export interface IntegerShape {
  readonly sign: string
  readonly prefix: '' | '0x' | '0o' | '0b'
  readonly digits: string
}

/** The parts of an integer of YAML 1.1, with `0o17` too; undefined if the text is not an integer. */
export function integerShape(text: string): IntegerShape | undefined {
  const start = afterSign(text, 0)
  const sign = text.slice(0, start)
  if (text[start] !== '0') return shapeOf(text, sign, '', start, isDecimal)
  const mark = text[start + 1]
  if (mark === undefined) return { sign, prefix: '', digits: '0' }
  if (mark === 'x' || mark === 'X') return shapeOf(text, sign, '0x', start + 2, isHex)
  if (mark === 'b' || mark === 'B') return shapeOf(text, sign, '0b', start + 2, isBinary)
  return shapeOf(text, sign, '0o', mark === 'o' || mark === 'O' ? start + 2 : start + 1, isOctal)
}

/** Whether a text is spelled as a decimal number, with a point, an exponent or neither. */
export function isFloatShape(text: string): boolean {
  const start = afterSign(text, 0)
  const whole = skip(text, start, isDecimal)
  const point = text[whole] === '.'
  const mantissa = point ? skip(text, whole + 1, isDecimal) : whole
  // `.` alone is no number, and `1.` is one.
  if (whole === start && (!point || mantissa === whole + 1)) return false
  return isExponent(text, mantissa, isDecimal)
}

/** Whether a text begins with a point as Go's own reader of floats has it, with underscores after the first digit. */
export function isPointFirst(text: string): boolean {
  if (text[0] !== '.' || !isDecimal(text.charCodeAt(1))) return false
  return isExponent(text, skip(text, 1, isDecimalOrUnderscore), isDecimalOrUnderscore)
}

/** Whether a number is spelled as an integer: `1e3` and `1.0` are floats, though their value is whole. */
export function isWrittenAsInteger(text: string): boolean {
  const start = afterSign(text, 0)
  if (text[start] === '0' && 'xXoObB'.includes(text[start + 1] ?? '-')) return true
  return start < text.length && skip(text, start, isDecimalOrUnderscore) === text.length
}

/** The digits of a number without the zeros in front, of which the last one stays. */
export function withoutLeadingZeros(digits: string): string {
  return digits.slice(Math.min(skip(digits, 0, isZero), digits.length - 1))
}

type Kind = (code: number) => boolean

function shapeOf(
  text: string,
  sign: string,
  prefix: IntegerShape['prefix'],
  start: number,
  kind: Kind,
): IntegerShape | undefined {
  if (start >= text.length || skip(text, start, kind) !== text.length) return undefined
  return { sign, prefix, digits: withoutLeadingZeros(text.slice(start)) }
}

/** Whether nothing or only an exponent follows. */
function isExponent(text: string, at: number, kind: Kind): boolean {
  if (at === text.length) return true
  if (text[at] !== 'e' && text[at] !== 'E') return false
  const start = afterSign(text, at + 1)
  return isDecimal(text.charCodeAt(start)) && skip(text, start, kind) === text.length
}

function afterSign(text: string, at: number): number {
  return text[at] === '-' || text[at] === '+' ? at + 1 : at
}

function skip(text: string, from: number, kind: Kind): number {
  let at = from
  while (at < text.length && kind(text.charCodeAt(at))) at += 1
  return at
}

const isZero: Kind = (code) => code === 0x30
const isBinary: Kind = (code) => code === 0x30 || code === 0x31
const isOctal: Kind = (code) => code >= 0x30 && code <= 0x37
const isDecimal: Kind = (code) => code >= 0x30 && code <= 0x39
const isDecimalOrUnderscore: Kind = (code) => isDecimal(code) || code === 0x5f
const isHex: Kind = (code) => isDecimal(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66)
