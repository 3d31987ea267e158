import { unicodeName } from '../format/quote.ts'

const letterOrDigit = /^[\p{L}\p{Nd}]$/u

/** White space between the words of an action. */
export function isSpace(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\r' || char === '\n'
}

/** The same by code unit. */
export function isSpaceCode(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 10
}

/** An ASCII digit. */
export function isDigit(char: string): boolean {
  return char >= '0' && char <= '9'
}

/** What names are made of. */
export function isAlphanumeric(char: string): boolean {
  const code = char.charCodeAt(0)
  if (code >= 0x80) return letterOrDigit.test(char)
  // Letters of both cases, digits and the underscore.
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
}

/** A character as errors show it. */
export function runeName(char: string): string {
  const point = char.codePointAt(0) ?? 0
  return unicodeName(BigInt(point >= 0xdc80 && point <= 0xdcff ? 0xfffd : point), true)
}

/** The character at a place, of two code units where it needs them; empty at the end. */
export function characterAt(text: string, at: number): string {
  const code = text.charCodeAt(at)
  if (code < 0xd800) return text.charAt(at)
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}

/** Where the spaces that begin at a place end. */
export function skipSpaces(text: string, from: number): number {
  let at = from
  while (isSpace(text[at] ?? '')) at++
  return at
}

/** Where the spaces that end at a place begin, not before `start`. */
export function skipSpacesBack(text: string, from: number, start: number): number {
  let at = from
  while (at > start && isSpace(text[at - 1] ?? '')) at--
  return at
}
