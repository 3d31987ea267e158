import { runes, toBytes } from '../format/bytes.ts'
import { isPrint } from '../format/quote.ts'

const html: Readonly<Record<string, string>> = {
  '\0': '\uFFFD',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
}

const js: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
}

/** Go's `html`. */
export function escapeHtml(text: string): string {
  // oxlint-disable-next-line no-control-regex -- NUL is one of the characters that HTML cannot hold.
  return text.replaceAll(/[\0"'&<>]/g, (char) => html[char] ?? char)
}

/** Go's `js`. */
export function escapeJs(text: string): string {
  let out = ''
  for (const { rune, text: char } of runes(text)) {
    const known = js[char]
    if (known !== undefined) out += known
    else if (rune < 0x20 || (rune >= 0x80 && !isPrint(rune)))
      out += `\\u${rune.toString(16).toUpperCase().padStart(4, '0')}`
    else out += char
  }
  return out
}

/** Go's `urlquery`. */
export function escapeQuery(text: string): string {
  let out = ''
  for (const byte of toBytes(text)) {
    const char = String.fromCharCode(byte)
    if (byte < 0x80 && /[A-Za-z0-9\-_.~]/.test(char)) out += char
    else out += char === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return out
}
