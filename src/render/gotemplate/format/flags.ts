import { runes } from './bytes.ts'

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

/** A text at the width that is asked for; zeros only stand on the left, and only where they may. */
export function pad(text: string, { width = 0, minus, zero }: Flags, mayZero = true): string {
  // What is longer in UTF-16 units than twice the width is longer in characters too.
  if (width === 0 || text.length >= 2 * width) return text
  const missing = width - runeCount(text)
  if (missing <= 0) return text
  const padding = (zero && !minus && mayZero ? '0' : ' ').repeat(missing)
  return minus ? text + padding : padding + text
}

function runeCount(text: string): number {
  let count = 0
  for (const _ of runes(text)) count++
  return count
}
