import { analyse, type Analysis } from './analyse-scalar.ts'
import { looksLikeOtherType } from './ambiguous.ts'

const width = 80
const longestSimpleKey = 128

/** Whether a key can stand before its colon. */
export function isSimpleKey(key: string): boolean {
  return !key.includes('\n') && Buffer.byteLength(key) <= longestSimpleKey
}

/** Writes a key on one line. */
export function writeKey(key: string): string {
  return write(key, 0, '', false)
}

/** Writes a string that begins at a column; further lines are indented. */
export function writeString(text: string, column: number, indent: string): string {
  return write(text, column, indent, true)
}

function write(text: string, column: number, indent: string, mayBreak: boolean): string {
  const analysis = analyse(text)
  const isAmbiguous = looksLikeOtherType(text)
  if (text.includes('\n')) {
    return analysis.block && mayBreak ? writeLiteral(text, indent) : writeDouble(text, column, indent, mayBreak)
  }
  if (isAmbiguous) return writeDouble(text, column, indent, mayBreak)
  if (isPlain(analysis, text)) return fold(text, column, indent, mayBreak, (at) => at >= 0)
  if (!analysis.single) return writeDouble(text, column, indent, mayBreak)
  const isInner = (at: number, length: number) => at > 0 && at < length - 1
  return `'${fold(text, column + 1, indent, mayBreak, isInner, 2).replaceAll("'", "''")}'`
}

function isPlain(analysis: Analysis, text: string): boolean {
  return analysis.plain && text !== ''
}

// A line breaks at the first single space past the width.
function fold(
  text: string,
  start: number,
  indent: string,
  mayBreak: boolean,
  allowed: (at: number, length: number) => boolean,
  quoteWidth = 1,
): string {
  if (!mayBreak || text.length * quoteWidth + start <= width) return text
  let output = ''
  let column = start
  let afterSpace = false
  const characters = Array.from(text)
  for (const [at, character] of characters.entries()) {
    const isSpace = character === ' '
    const breaks =
      isSpace && !afterSpace && column > width && characters[at + 1] !== ' ' && allowed(at, characters.length)
    output += breaks ? `\n${indent}` : character
    column = breaks ? indent.length : column + (character === "'" ? quoteWidth : 1)
    afterSpace = isSpace
  }
  return output
}

function writeLiteral(text: string, indent: string): string {
  const hint = /^[ \n]/.test(text) ? '2' : ''
  const chomping = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : ''
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  return `|${hint}${chomping}\n${body.replaceAll(/^(?=[^\n])/gm, indent)}`
}

const escapes: Record<string, string> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
}

function writeDouble(text: string, start: number, indent: string, mayBreak: boolean): string {
  let output = ''
  let column = start + 1
  let afterSpace = false
  // The emitter looks for a byte order mark at the beginning, whichever character it is at.
  const escapesAll = text.startsWith('\ufeff')
  const characters = Array.from(text)
  for (const [at, character] of characters.entries()) {
    if (character === ' ' && !escapesAll) {
      const breaks = mayBreak && !afterSpace && column > width && at > 0 && at < characters.length - 1
      const written = breaks ? `\n${indent}${characters[at + 1] === ' ' ? '\\' : ''}` : ' '
      column = breaks ? written.length - 1 : column + 1
      output += written
      afterSpace = true
      continue
    }
    const written = escapes[character] ?? (isPrintable(character) && !escapesAll ? character : escape(character))
    output += written
    column += Array.from(written).length
    afterSpace = false
  }
  return `"${output}"`
}

/** Whether go-yaml v2 writes a character as it is; anything past U+FFFF it does not. */
function isPrintable(character: string): boolean {
  const code = character.codePointAt(0)!
  if (code === 0x0a || (code >= 0x20 && code <= 0x7e)) return true
  return (code >= 0xa0 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff)
}

function escape(character: string): string {
  const code = character.codePointAt(0)!
  const hex = code.toString(16).toUpperCase()
  if (code === 0xa0) return '\\_'
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
