import { LadingError } from '../../core/index.ts'
import { formatPath, type ValuePath } from './value-path.ts'

/** The flags that set values on the command line. */
export type SetFlag = 'set' | 'set-string' | 'set-file' | 'set-json' | 'set-literal'

/** A place in the text of a flag. */
export interface SetCursor {
  readonly text: string
  readonly flag: SetFlag
  at: number
}

/** Reads up to one of the characters and over it; a backslash takes the next character as it is, but where all is literal. */
export function readUntil(cursor: SetCursor, stops: string): { piece: string; stop: string | undefined } {
  let piece = ''
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at++]!
    if (stops.includes(char)) return { piece, stop: char }
    piece += char === '\\' && cursor.flag !== 'set-literal' ? (cursor.text[cursor.at++] ?? '') : char
  }
  return { piece, stop: undefined }
}

/** Moves the cursor over blanks. */
export function skipBlanks(cursor: SetCursor): void {
  while (/\s/.test(cursor.text[cursor.at] ?? '')) cursor.at++
}

/** An error about a flag that says where in its text the problem is; never with a value, which may be secret. */
export function setError(flag: SetFlag, position: number, problem: string, path: ValuePath = []): LadingError {
  const field = path.length === 0 ? undefined : formatPath(path)
  return new LadingError('values.invalid', `--${flag}, character ${position}: ${problem}`, { flag, position, field })
}
