import { looksLikeOtherType } from '../../kustomize/write/ambiguous.ts'
import { analyse } from '../../kustomize/write/analyse-scalar.ts'

const escapes: Readonly<Record<string, string>> = {
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
  '\xa0': '\\_',
  '\u2028': '\\L',
  '\u2029': '\\P',
}

/** Writes a string as go-yaml v3 does, without folding; it knows characters past U+FFFF to be printable. */
export function writeWideString(text: string, indent: string, isKey: boolean): string {
  // To the analysis of v2 these are special; any other letter stands for them.
  const analysis = analyse(text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, 'a'))
  if (text.includes('\n')) {
    return analysis.block && !isKey ? writeLiteral(text, indent) : writeDouble(text)
  }
  if (looksLikeOtherType(text)) return writeDouble(text)
  if (analysis.plain) return text
  return analysis.single ? `'${text.replaceAll("'", "''")}'` : writeDouble(text)
}

function writeLiteral(text: string, indent: string): string {
  const hint = /^[ \n]/.test(text) ? '2' : ''
  const chomping = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : ''
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  return `|${hint}${chomping}\n${body.replaceAll(/^(?=[^\n])/gm, indent)}`
}

function writeDouble(text: string): string {
  return `"${Array.from(text, escape).join('')}"`
}

function escape(character: string): string {
  const short = escapes[character]
  if (short !== undefined) return short
  const code = character.codePointAt(0)!
  const isPrintable =
    (code >= 0x20 && code <= 0x7e) ||
    (code > 0xa0 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff) ||
    code >= 0x10000
  if (isPrintable) return character
  const hex = code.toString(16).toUpperCase()
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
