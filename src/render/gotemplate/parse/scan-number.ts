import { characterAt, isAlphanumeric } from './characters.ts'

/** Where what begins as a number ends, and whether it is one as far as its characters go; its value is judged later. */
export function scanNumber(text: string, from: number): { readonly end: number; readonly isNumber: boolean } {
  let at = from
  const accept = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    const hasMoved = pattern.lastIndex > at
    at = pattern.lastIndex
    return hasMoved
  }
  accept(/[+-]/y)
  let digits = /[0-9_]*/y
  let exponent: RegExp | undefined = /[eE][+-]?[0-9_]*/y
  if (accept(/0/y)) {
    if (accept(/[xX]/y)) {
      digits = /[0-9a-fA-F_]*/y
      exponent = /[pP][+-]?[0-9_]*/y
    } else if (accept(/[oO]/y)) {
      digits = /[0-7_]*/y
      exponent = undefined
    } else if (accept(/[bB]/y)) {
      digits = /[01_]*/y
      exponent = undefined
    }
  }
  accept(digits)
  if (accept(/\./y)) accept(digits)
  if (exponent !== undefined) accept(exponent)
  accept(/i/y)
  const after = characterAt(text, at)
  return isAlphanumeric(after) ? { end: at + after.length, isNumber: false } : { end: at, isNumber: true }
}
