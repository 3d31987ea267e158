import { fromBytes, toBytes } from '../format/bytes.ts'

const simple: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 }
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** What a Go string literal (double or back quoted) stands for, or undefined where it is malformed. */
export function unquote(literal: string): string | undefined {
  const inner = literal.slice(1, -1)
  if (literal.startsWith('`')) return inner.replaceAll('\r', '')
  if (!inner.includes('\\')) return inner.isWellFormed() && !inner.includes('"') ? inner : unescape(inner)
  return unescape(inner)
}

/** One character of a literal and where the next begins; a byte escape is not a character. */
export function unquoteChar(
  text: string,
  start: number,
  quoteMark: string,
): { readonly rune: number; readonly isByte: boolean; readonly next: number } | undefined {
  const char = String.fromCodePoint(text.codePointAt(start) ?? 0)
  if (start >= text.length || char === quoteMark) return undefined
  if (char !== '\\') {
    const rune = char.codePointAt(0) ?? 0
    // Go decodes what is not UTF-8 to the replacement character.
    return { rune: rune >= 0xdc80 && rune <= 0xdcff ? 0xfffd : rune, isByte: false, next: start + char.length }
  }
  const letter = text[start + 1] ?? ''
  const plain = simple[letter] ?? (letter === quoteMark ? letter.charCodeAt(0) : undefined)
  if (plain !== undefined) return { rune: plain, isByte: false, next: start + 2 }
  return numericEscape(text, start + 1, letter)
}

function numericEscape(text: string, at: number, letter: string): ReturnType<typeof unquoteChar> {
  const digits = hexDigits[letter]
  if (digits !== undefined) {
    const hex = text.slice(at + 1, at + 1 + digits)
    if (hex.length < digits || !/^[0-9a-fA-F]+$/.test(hex)) return undefined
    const rune = Number.parseInt(hex, 16)
    const valid = rune <= 0x10ffff && (rune < 0xd800 || rune > 0xdfff)
    return letter === 'x' || valid ? { rune, isByte: letter === 'x', next: at + 1 + digits } : undefined
  }
  const octal = text.slice(at, at + 3)
  if (!/^[0-7]{3}$/.test(octal)) return undefined
  const rune = Number.parseInt(octal, 8)
  return rune > 255 ? undefined : { rune, isByte: true, next: at + 3 }
}

function unescape(inner: string): string | undefined {
  const parts: Uint8Array[] = []
  for (let index = 0; index < inner.length;) {
    if (inner[index] === '\n') return undefined
    const char = unquoteChar(inner, index, '"')
    if (char === undefined) return undefined
    parts.push(char.isByte ? Uint8Array.of(char.rune) : toBytes(String.fromCodePoint(char.rune)))
    index = char.next
  }
  return fromBytes(Buffer.concat(parts))
}
