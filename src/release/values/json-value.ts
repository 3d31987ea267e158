import { parseJson } from '../../core/index.ts'
import { type SetCursor, setError } from './set-cursor.ts'
import type { ValuePath } from './value-path.ts'

const maxDepth = 1000

/** Reads the JSON value that begins at the cursor and moves behind it. */
export function readJsonValue(cursor: SetCursor, path: ValuePath = []): unknown {
  const start = cursor.at
  cursor.at = endOfValue(cursor, path)
  try {
    return parseJson(cursor.text.slice(start, cursor.at))
  } catch {
    // The parser's own words quote the value, which may be secret.
    throw setError(cursor.flag, start + 1, 'this is no JSON value', path)
  }
}

function endOfValue({ text, at, flag }: SetCursor, path: ValuePath): number {
  let depth = 0
  for (let index = at; index < text.length; index++) {
    const char = text[index]!
    if (char === '"') {
      index = endOfString(text, index)
    } else if (char === '{' || char === '[') {
      if (++depth > maxDepth) throw setError(flag, index + 1, `nested deeper than ${maxDepth} levels`, path)
    } else if (char === '}' || char === ']') {
      depth--
    } else if (depth === 0 && /[\s,]/.test(char)) {
      return index
    }
    if (depth === 0 && /["}\]]/.test(char)) return index + 1
  }
  return text.length
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === '"') return index
  }
  return text.length
}
