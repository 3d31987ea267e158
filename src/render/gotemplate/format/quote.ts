import { runes } from './bytes.ts'

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u
const shortEscapes: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
}

/** Whether Go shows a character as itself in a quoted text. */
export function isPrint(rune: number): boolean {
  if (rune < 0x7f) return rune >= 0x20
  if (rune > 0x10ffff || (rune >= 0xd800 && rune <= 0xdfff)) return false
  return printable.test(String.fromCodePoint(rune))
}

/** A text as a Go string literal; `ascii` escapes what is beyond ASCII too (`%+q`). */
export function quote(text: string, ascii = false): string {
  let out = '"'
  for (const { rune, text: char, isByte } of runes(text)) {
    out += isByte ? `\\x${hex(char.charCodeAt(0) - 0xdc00, 2)}` : escapeRune(rune, '"', ascii)
  }
  return `${out}"`
}

/** A character as a Go character literal. */
export function quoteRune(rune: number, ascii = false): string {
  const valid = rune <= 0x10ffff && (rune < 0xd800 || rune > 0xdfff) ? rune : 0xfffd
  return `'${escapeRune(valid, "'", ascii)}'`
}

/** Whether a text can stand between back quotes, as `%#q` prefers. */
export function canBackquote(text: string): boolean {
  for (const { rune, isByte } of runes(text)) {
    if (isByte || rune === 0xfeff || rune === 0x60 || rune === 0x7f || (rune < 0x20 && rune !== 9)) return false
  }
  return true
}

/** A code point as `%U` shows it, and with `sharp` the character too. */
export function unicodeName(rune: bigint, sharp: boolean, digits = 4): string {
  const name = `U+${rune.toString(16).toUpperCase().padStart(Math.max(digits, 4), '0')}`
  return sharp && rune <= 0x10ffffn && isPrint(Number(rune)) ? `${name} '${String.fromCodePoint(Number(rune))}'` : name
}

function escapeRune(rune: number, quoteMark: string, ascii: boolean): string {
  const char = String.fromCodePoint(rune)
  if (char === quoteMark || char === '\\') return `\\${char}`
  if (isPrint(rune) && (!ascii || rune < 0x80)) return char
  const short = shortEscapes[rune]
  if (short !== undefined) return short
  if (rune < 0x20 || rune === 0x7f) return `\\x${hex(rune, 2)}`
  return rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0')
}
