import { quote } from '../format/quote.ts'

const keywordKinds = [
  'block',
  'break',
  'continue',
  'dot',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
] as const

/** Kinds of what the lexer finds. */
export type TokenKind =
  | 'error'
  | 'bool'
  | 'char'
  | 'charConstant'
  | 'complex'
  | 'assign'
  | 'declare'
  | 'eof'
  | 'field'
  | 'identifier'
  | 'leftDelim'
  | 'leftParen'
  | 'number'
  | 'pipe'
  | 'rawString'
  | 'rightDelim'
  | 'rightParen'
  | 'space'
  | 'string'
  | 'text'
  | 'variable'
  | (typeof keywordKinds)[number]

/** A piece of a template, with its place: an index into the text, and the line. */
export interface Token {
  readonly kind: TokenKind
  readonly pos: number
  readonly text: string
  readonly line: number
}

const keywords: ReadonlySet<string> = new Set(keywordKinds)

/** The keyword that a word is, if any. */
export function keyword(word: string): TokenKind | undefined {
  return word !== 'dot' && keywords.has(word) ? (word as TokenKind) : undefined
}

/** A token as error messages show it. */
export function tokenName({ kind, text }: Token): string {
  if (kind === 'eof') return 'EOF'
  if (kind === 'error') return text
  if (keywords.has(kind)) return `<${text}>`
  const chars = Array.from(text)
  // Go compares the length in bytes, then cuts by characters.
  return Buffer.byteLength(text) > 10 ? `${quote(chars.slice(0, 10).join(''))}...` : quote(text)
}
