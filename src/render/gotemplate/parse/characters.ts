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
