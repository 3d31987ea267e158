import { LadingError } from '../../../core/index.ts'
import type { Lexer } from './lexer.ts'
import { type Token, type TokenKind, tokenName } from './token.ts'

/** The tokens of one template, with up to three read ahead; errors name the line of the newest, as Go's do. */
export class TokenReader {
  readonly parseName: string
  /** Line of the action that is being read, or 0. */
  actionLine = 0
  readonly #lexer: Lexer
  readonly #tokens: [Token, Token, Token]
  #peeked = 0

  constructor(lexer: Lexer, parseName: string) {
    this.#lexer = lexer
    this.parseName = parseName
    const none: Token = { kind: 'eof', pos: 0, text: '', line: 0 }
    this.#tokens = [none, none, none]
  }

  expect(kind: TokenKind, context: string): Token {
    const token = this.nextNonSpace()
    return token.kind === kind ? token : this.unexpected(token, context)
  }

  unexpected(token: Token, context: string): never {
    if (token.kind !== 'error') return this.fail(`unexpected ${tokenName(token)} in ${context}`)
    let extra = ''
    if (this.actionLine !== 0 && this.actionLine !== token.line) {
      const place = `started at ${this.parseName}:${this.actionLine}`
      extra = token.text.endsWith(' action') ? ` ${place}` : ` in action ${place}`
    }
    return this.fail(token.text + extra)
  }

  fail(message: string): never {
    const { parseName: template } = this
    const { line } = this.#tokens[0]
    throw new LadingError('template.syntax', `template: ${template}:${line}: ${message}`, { template, line })
  }

  next(): Token {
    if (this.#peeked > 0) this.#peeked--
    else this.#tokens[0] = this.#lexer.next()
    return this.#tokens[this.#peeked as 0 | 1 | 2]
  }

  peek(): Token {
    if (this.#peeked > 0) return this.#tokens[(this.#peeked - 1) as 0 | 1 | 2]
    this.#peeked = 1
    this.#tokens[0] = this.#lexer.next()
    return this.#tokens[0]
  }

  nextNonSpace(): Token {
    for (;;) {
      const token = this.next()
      if (token.kind !== 'space') return token
    }
  }

  peekNonSpace(): Token {
    const token = this.nextNonSpace()
    this.backup()
    return token
  }

  backup(): void {
    this.#peeked++
  }

  backup2(older: Token): void {
    this.#tokens[1] = older
    this.#peeked = 2
  }

  backup3(oldest: Token, older: Token): void {
    this.#tokens[1] = older
    this.#tokens[2] = oldest
    this.#peeked = 3
  }
}
