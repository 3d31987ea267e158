import type { DetailsOf } from '../error-details.ts'
import { type ErrorCode, LadingError } from '../errors.ts'

/** A piece of an input together with where that piece begins. */
export interface Source {
  readonly text: string
  readonly file: string | undefined
  /** Line of the input on which `text` begins, counted from 1. */
  readonly firstLine: number
}

/** Where something stands in an input, as people count: everything from 1. */
export interface Place {
  readonly file?: string
  readonly document: number
  readonly line: number
  readonly column?: number
  readonly field?: string
}

/** The line and column of an offset, counted from 1. */
export function lineAndColumn(source: Source, offset: number): { line: number; column: number } {
  const before = source.text.slice(0, Math.max(0, offset))
  const breaks = countLineBreaks(before)
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
  return { line: source.firstLine + breaks, column: before.length - lineStart + 1 }
}

/** How many lines end in a text, whether by LF, CRLF or CR. */
export function countLineBreaks(text: string): number {
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks++
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) {
    if (text.charCodeAt(at + 1) !== 0x0a) breaks++
  }
  return breaks
}

/** An error that names its place, in the message and as data. */
export function errorAt(code: ErrorCode, problem: string, place: Place, more: DetailsOf = {}): LadingError {
  const column = place.column === undefined ? '' : `:${place.column}`
  const where = `${place.file ?? 'input'}:${place.line}${column} (document ${place.document})`
  return new LadingError(code, `${where}: ${problem}`, { ...place, ...more })
}
