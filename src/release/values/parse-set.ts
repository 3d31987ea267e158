import { isRecord } from '../../core/index.ts'
import { readJsonValue } from './json-value.ts'
import { readUntil, type SetCursor, setError, type SetFlag, skipBlanks } from './set-cursor.ts'
import { formatPath, type ValuePath } from './value-path.ts'

/** One value that a flag sets. */
export interface Assignment {
  readonly flag: SetFlag
  /** Where it goes; empty for a map that is merged into the whole. */
  readonly path: ValuePath
  /** What it becomes; of `--set-file` the path of the file until it was read. */
  readonly value: unknown
  /** Where in the flag's text it stands, counted from 1. */
  readonly position: number
  /** The part of the flag's text that sets it, cut where it is long. */
  readonly text?: string
}

// Helm's own limits.
const maxIndex = 65_536
const maxNesting = 30

/**
 * Reads what one of the flags sets, by Helm's grammar: `a.b=c`, `a[0]=x`, `a={x,y}`, several with commas, a backslash before what is
 * meant literally. `--set` makes booleans, whole numbers and nulls of what looks like them; fractions stay text, as in Helm. Of
 * `--set-literal` everything behind the first equals sign is the value, and nothing is escaped.
 */
export function parseSet(text: string, options: { readonly flag: SetFlag }): Assignment[] {
  const cursor: SetCursor = { text, at: 0, flag: options.flag }
  if (options.flag === 'set-json' && /^\s*\{/.test(text)) return [wholeMap(cursor)]
  const assignments: Assignment[] = []
  while (cursor.at < text.length) {
    const position = cursor.at + 1
    const path = readPath(cursor)
    const value = readValue(cursor, path)
    assignments.push({ flag: cursor.flag, path, value, position, text: textBetween(cursor, position) })
  }
  return assignments
}

// The form `--set-json '{"a": 1}'`.
function wholeMap(cursor: SetCursor): Assignment {
  skipBlanks(cursor)
  const position = cursor.at + 1
  const value = readJsonValue(cursor)
  skipBlanks(cursor)
  if (!isRecord(value) || cursor.at < cursor.text.length) {
    throw setError(cursor.flag, cursor.at + 1, 'nothing may follow the JSON object')
  }
  return { flag: cursor.flag, path: [], value, position, text: textBetween(cursor, position) }
}

/** The longest text of a flag that is recorded; what it sets is recorded as a value anyway. */
const longestText = 120

function textBetween({ text, at }: SetCursor, position: number): string {
  const part = text.slice(position - 1, at).replace(/,$/, '')
  return part.length > longestText ? `${part.slice(0, longestText)}…` : part
}

function readPath(cursor: SetCursor): ValuePath {
  const path: (string | number)[] = []
  for (let nesting = 0; ; nesting++) {
    const start = cursor.at + 1
    if (nesting > maxNesting) throw setError(cursor.flag, start, `nested deeper than ${maxNesting} levels`)
    const { piece, stop } = readUntil(cursor, cursor.flag === 'set-literal' ? '=[.' : '=[,.')
    if (piece === '') throw setError(cursor.flag, start, 'a key is expected here', path)
    path.push(piece)
    const after = stop === '[' ? readIndexes(cursor, path) : stop
    if (after === '=') return path
    if (after !== '.') throw setError(cursor.flag, start, `${formatPath(path)} has no value`, path)
  }
}

/** Reads `0][1]` and what follows; returns what it stopped at. */
function readIndexes(cursor: SetCursor, path: (string | number)[]): string | undefined {
  for (;;) {
    const start = cursor.at + 1
    const { piece, stop } = readUntil(cursor, ']')
    const index = Number(piece)
    if (stop === undefined || !/^\d+$/.test(piece) || index > maxIndex) {
      throw setError(cursor.flag, start, `an index from 0 to ${maxIndex} and ] are expected here`, path)
    }
    path.push(index)
    const next = cursor.text[cursor.at]
    if (next === undefined) return undefined
    cursor.at++
    if (next === '=' || next === '.') return next
    if (next !== '[') throw setError(cursor.flag, cursor.at, '=, . or [ is expected after an index', path)
  }
}

function readValue(cursor: SetCursor, path: ValuePath): unknown {
  if (cursor.flag === 'set-json') return readJson(cursor, path)
  if (cursor.flag === 'set-literal') return readUntil(cursor, '').piece
  if (cursor.text[cursor.at] === '{') return readList(cursor, path)
  return typed(readUntil(cursor, ',').piece, cursor.flag)
}

function readList(cursor: SetCursor, path: ValuePath): unknown[] {
  const start = ++cursor.at
  const items: unknown[] = []
  for (;;) {
    const { piece, stop } = readUntil(cursor, ',}')
    if (stop === undefined) throw setError(cursor.flag, start, 'the list has no }', path)
    items.push(typed(piece, cursor.flag))
    if (stop === '}') break
  }
  expectComma(cursor, path)
  return items
}

function readJson(cursor: SetCursor, path: ValuePath): unknown {
  skipBlanks(cursor)
  const next = cursor.text[cursor.at]
  // No value at all is a null.
  const value = next === undefined || next === ',' ? null : readJsonValue(cursor, path)
  skipBlanks(cursor)
  expectComma(cursor, path)
  return value
}

function expectComma(cursor: SetCursor, path: ValuePath): void {
  const next = cursor.text[cursor.at]
  if (next !== undefined && next !== ',') {
    throw setError(cursor.flag, cursor.at + 1, `a comma is expected after the value of ${formatPath(path)}`, path)
  }
  cursor.at++
}

function typed(text: string, flag: SetFlag): unknown {
  if (flag !== 'set') return text
  switch (text.toLowerCase()) {
    case 'true':
      return true
    case 'false':
      return false
    case 'null':
      return null
    default:
      return wholeNumber(text) ?? text
  }
}

// A leading zero makes it text, such as a file mode or a phone number; a sign in front of it does not.
function wholeNumber(text: string): number | bigint | undefined {
  if (text !== '0' && !/^(?:[1-9]|[+-]\d)\d*$/.test(text)) return undefined
  const exact = BigInt(text.replace(/^\+/, ''))
  if (exact < -(2n ** 63n) || exact >= 2n ** 63n) return undefined
  const number = Number(exact)
  return Number.isSafeInteger(number) ? number : exact
}
