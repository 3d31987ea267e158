import { quote } from '../format/quote.ts'
import {
  characterAt,
  isAlphanumeric,
  isDigit,
  isSpace,
  isSpaceCode,
  runeName,
  skipSpaces,
  skipSpacesBack,
} from './characters.ts'
import { scanNumber } from './scan-number.ts'
import { keyword, type Token, type TokenKind } from './token.ts'

/** What the lexer must know of a template besides its text. */
export interface LexerOptions {
  readonly leftDelim: string
  readonly rightDelim: string
  /** Whether `break` and `continue` are keywords: not where a function has the name. */
  readonly isBreakKeyword: boolean
  readonly isContinueKeyword: boolean
}

/** Cuts a template into tokens, one at a time, as Go's text/template/parse does. */
export class Lexer {
  readonly #options: LexerOptions
  #input: string
  #pos = 0
  #start = 0
  #parens = 0
  #isInsideAction = false
  // Lines are counted as the start of tokens moves on.
  #line = 1
  #counted = 0
  readonly #rightCode: number

  constructor(input: string, options: LexerOptions) {
    this.#input = input
    this.#options = options
    this.#rightCode = options.rightDelim.charCodeAt(0)
  }

  next(): Token {
    return this.#isInsideAction ? this.#action() : this.#text()
  }

  #text(): Token {
    for (;;) {
      const { leftDelim } = this.#options
      const at = this.#input.indexOf(leftDelim, this.#pos)
      if (at < 0) {
        this.#pos = this.#input.length
        return this.#token(this.#pos > this.#start ? 'text' : 'eof')
      }
      if (at > this.#pos) {
        const isTrimmed = this.#hasLeftTrim(at + leftDelim.length)
        this.#pos = isTrimmed ? skipSpacesBack(this.#input, at, this.#start) : at
        const token = this.#token('text')
        this.#pos = at
        this.#ignore()
        if (token.text !== '') return token
      }
      const token = this.#leftDelim()
      if (token !== undefined) return token
    }
  }

  // Undefined after a comment, which leaves no token.
  #leftDelim(): Token | undefined {
    const afterDelim = this.#pos + this.#options.leftDelim.length
    const afterMarker = this.#hasLeftTrim(afterDelim) ? afterDelim + 2 : afterDelim
    if (this.#input.startsWith('/*', afterMarker)) {
      this.#pos = afterMarker
      this.#ignore()
      return this.#comment()
    }
    this.#pos = afterDelim
    const token = this.#token('leftDelim')
    this.#isInsideAction = true
    this.#pos = afterMarker
    this.#ignore()
    this.#parens = 0
    return token
  }

  #comment(): Token | undefined {
    const end = this.#input.indexOf('*/', this.#pos + 2)
    if (end < 0) return this.#error('unclosed comment')
    this.#pos = end + 2
    const delim = this.#rightDelimAt(this.#pos)
    if (delim === undefined) return this.#error('comment ends before closing delimiter')
    this.#pos = delim.end
    if (delim.isTrimmed) this.#pos = skipSpaces(this.#input, this.#pos)
    this.#ignore()
    return undefined
  }

  #rightDelim(delim: { end: number; isTrimmed: boolean }): Token {
    this.#pos = delim.end - this.#options.rightDelim.length
    this.#ignore()
    this.#pos = delim.end
    const token = this.#token('rightDelim')
    if (delim.isTrimmed) {
      this.#pos = skipSpaces(this.#input, this.#pos)
      this.#ignore()
    }
    this.#isInsideAction = false
    return token
  }

  #action(): Token {
    const delim = this.#rightDelimAt(this.#pos)
    if (delim !== undefined) {
      return this.#parens === 0 ? this.#rightDelim(delim) : this.#error('unclosed left paren')
    }
    const char = this.#input[this.#pos]
    if (char === undefined) return this.#error('unclosed action')
    if (isSpace(char)) return this.#space()
    switch (char) {
      case '=':
        return this.#single('assign')
      case '|':
        return this.#single('pipe')
      case ':':
        this.#pos++
        if (this.#input[this.#pos] !== '=') return this.#error('expected :=')
        return this.#single('declare')
      case '"':
        return this.#quoted('"', 'string', 'unterminated quoted string')
      case "'":
        return this.#quoted("'", 'charConstant', 'unterminated character constant')
      case '`':
        return this.#rawString()
      case '(':
        this.#parens++
        return this.#single('leftParen')
      case ')':
        this.#parens--
        return this.#parens < 0 ? this.#error('unexpected right paren') : this.#single('rightParen')
      default:
        return this.#word(char)
    }
  }

  #word(char: string): Token {
    if (char === '$') return this.#fieldOrVariable('variable')
    if (char === '.') {
      const after = this.#input[this.#pos + 1]
      if (after !== undefined && !isDigit(after)) return this.#fieldOrVariable('field')
    }
    if (char === '.' || char === '+' || char === '-' || isDigit(char)) return this.#number()
    if (isAlphanumeric(characterAt(this.#input, this.#pos))) return this.#identifier()
    if (char > ' ' && char < '\u007f') return this.#single('char')
    return this.#error(`unrecognized character in action: ${runeName(characterAt(this.#input, this.#pos))}`)
  }

  #space(): Token {
    const end = skipSpaces(this.#input, this.#pos)
    // The last space may belong to a trimming delimiter, as in ` -}}`.
    const delim = this.#rightDelimAt(end - 1)
    if (delim?.isTrimmed === true) {
      if (end - this.#pos === 1) return this.#rightDelim(delim)
      this.#pos = end - 1
    } else this.#pos = end
    return this.#token('space')
  }

  #identifier(): Token {
    const bad = this.#alphanumerics()
    if (bad !== undefined) return bad
    const word = this.#input.slice(this.#start, this.#pos)
    const kind = keyword(word)
    if (kind === 'break' && !this.#options.isBreakKeyword) return this.#token('identifier')
    if (kind === 'continue' && !this.#options.isContinueKeyword) return this.#token('identifier')
    if (kind !== undefined) return this.#token(kind)
    return this.#token(word === 'true' || word === 'false' ? 'bool' : 'identifier')
  }

  #fieldOrVariable(kind: 'field' | 'variable'): Token {
    this.#pos++
    if (this.#isAtTerminator()) return this.#token(kind === 'variable' ? 'variable' : 'dot')
    return this.#alphanumerics() ?? this.#token(kind)
  }

  // Takes letters and digits; an error where something else follows them directly.
  #alphanumerics(): Token | undefined {
    let char = characterAt(this.#input, this.#pos)
    while (isAlphanumeric(char)) {
      this.#pos += char.length
      char = characterAt(this.#input, this.#pos)
    }
    return this.#isAtTerminator() ? undefined : this.#error(`bad character ${runeName(char)}`)
  }

  #isAtTerminator(): boolean {
    const char = this.#input[this.#pos]
    if (char === undefined || isSpace(char)) return true
    if ('.,|:)('.includes(char)) return true
    return char.charCodeAt(0) === this.#rightCode && this.#input.startsWith(this.#options.rightDelim, this.#pos)
  }

  #number(): Token {
    if (!this.#takeNumber()) return this.#badNumber()
    const sign = this.#input[this.#pos]
    if (sign !== '+' && sign !== '-') return this.#token('number')
    if (!this.#takeNumber() || this.#input[this.#pos - 1] !== 'i') return this.#badNumber()
    return this.#token('complex')
  }

  #takeNumber(): boolean {
    const { end, isNumber } = scanNumber(this.#input, this.#pos)
    this.#pos = end
    return isNumber
  }

  #badNumber(): Token {
    return this.#error(`bad number syntax: ${quote(this.#input.slice(this.#start, this.#pos))}`)
  }

  #quoted(mark: string, kind: TokenKind, unterminated: string): Token {
    for (let at = this.#pos + 1; ; at++) {
      let char = this.#input[at]
      if (char === mark) {
        this.#pos = at + 1
        return this.#token(kind)
      }
      if (char === '\\') char = this.#input[++at]
      if (char === undefined || char === '\n') return this.#error(unterminated)
    }
  }

  #rawString(): Token {
    const end = this.#input.indexOf('`', this.#pos + 1)
    if (end < 0) return this.#error('unterminated raw quoted string')
    this.#pos = end + 1
    return this.#token('rawString')
  }

  #single(kind: TokenKind): Token {
    this.#pos++
    return this.#token(kind)
  }

  #token(kind: TokenKind): Token {
    const token = { kind, pos: this.#start, text: this.#input.slice(this.#start, this.#pos), line: this.#lineOfStart() }
    this.#start = this.#pos
    return token
  }

  // After an error there is nothing left to read.
  #error(message: string): Token {
    const token: Token = { kind: 'error', pos: this.#start, text: message, line: this.#lineOfStart() }
    this.#input = ''
    this.#pos = 0
    this.#start = 0
    return token
  }

  #ignore(): void {
    this.#start = this.#pos
  }

  #lineOfStart(): number {
    for (let at = this.#counted; ; at++) {
      at = this.#input.indexOf('\n', at)
      if (at < 0 || at >= this.#start) break
      this.#line++
    }
    this.#counted = Math.max(this.#counted, this.#start)
    return this.#line
  }

  #hasLeftTrim(at: number): boolean {
    return this.#input[at] === '-' && isSpace(this.#input[at + 1] ?? '')
  }

  #rightDelimAt(at: number): { end: number; isTrimmed: boolean } | undefined {
    const { rightDelim } = this.#options
    const code = this.#input.charCodeAt(at)
    // Most places are neither: looked at by their first character only.
    if (isSpaceCode(code) && this.#input[at + 1] === '-' && this.#input.startsWith(rightDelim, at + 2)) {
      return { end: at + 2 + rightDelim.length, isTrimmed: true }
    }
    if (code !== this.#rightCode || !this.#input.startsWith(rightDelim, at)) return undefined
    return { end: at + rightDelim.length, isTrimmed: false }
  }
}
