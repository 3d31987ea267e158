// Nothing that any reader takes for something else begins with a letter, but for these words. A text is searched for what
// it must not hold: a pattern of all that it may hold needs stack for each character, and texts of 10 MB have none left.
const plainStart = /^[\p{L}_/]/u
const notPlain = /[^\p{L}\p{N}_./@%+=()$~^: -]|[: ](?![\p{L}\p{N}_./@%+=()$~^-])/u
const reserved = new Set([
  'y',
  'yes',
  'n',
  'no',
  'on',
  'off',
  'true',
  'false',
  'null',
  'nan',
  'inf',
  'infinity',
  'none',
])
const longestReserved = 8

/** Writes a string on one line: plain where no reader can take it for anything else, else in double quotes. */
export function writeFlowString(text: string): string {
  return isPlain(text) ? text : writeQuoted(text)
}

function isPlain(text: string): boolean {
  if (!plainStart.test(text) || notPlain.test(text)) return false
  return text.length > longestReserved || !reserved.has(text.toLowerCase())
}

/** Writes a string in double quotes, on one line. */
export function writeQuoted(text: string): string {
  return `"${text.toWellFormed().replaceAll(special, escape)}"`
}

/** Writes a text of several lines as a literal block, where that keeps it exactly; undefined elsewhere. */
export function writeBlock(text: string, indent: string): string | undefined {
  if (!text.includes('\n') || notInBlock.test(text) || hasBlankLine(text) || !/[^\n]/.test(text)) return undefined
  if (!text.isWellFormed()) return undefined
  const chomping = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-'
  // Readers guess the indentation by the first line, which must then neither be empty nor begin with space.
  const indicator = /^[ \t\n]/.test(text) ? '2' : ''
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  return `|${indicator}${chomping}\n${body.replaceAll(/^(?=[^\n])/gm, indent)}`
}

/** Whether a line holds nothing but space. */
function hasBlankLine(text: string): boolean {
  for (const { index } of text.matchAll(/[ \t](?:\n|$)/g)) {
    let at = index
    while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at -= 1
    if (at === 0 || text[at - 1] === '\n') return true
  }
  return false
}

// What is no printable character in YAML, what YAML 1.1 takes for a line break, and the byte order mark.
const notInBlock = /[^\P{Cc}\n\t]|[\u2028\u2029\ufeff\ufffe\uffff]/u
const special = /["\\\p{Cc}\xa0\u2028\u2029\ufeff\ufffe\uffff]/gu

const shortEscapes: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\0': '\\0',
}

function escape(character: string): string {
  const short = shortEscapes[character]
  if (short !== undefined) return short
  const code = character.charCodeAt(0)
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
