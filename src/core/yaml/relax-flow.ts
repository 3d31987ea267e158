/**
 * Indents flow collections and quoted scalars that go on at or left of their key's column, and turns the tabs within
 * into spaces. YAML asks for that indentation (1.2.2, 6.1), libyaml and so kubectl do without, and a closing bracket under
 * its key is common. Line numbers and values stay. For a document that was refused: it is given back as it was if none of
 * this is in it.
 */
export function relaxFlow(text: string): string {
  return new Relaxer(text).run()
}

const space = 0x20
const tab = 0x09

class Relaxer {
  readonly #text: string
  #out = ''
  /** Up to where `#out` has the text. */
  #copied = 0
  #at = 0
  /** Column of the innermost block collection that the current token belongs to. */
  #parent = -1
  /** Whether the last token was a plain scalar, which the following deeper lines continue. */
  #inPlain = false

  constructor(text: string) {
    this.#text = text
  }

  run(): string {
    while (this.#at < this.#text.length) this.#line()
    return this.#out + this.#text.slice(this.#copied)
  }

  #line(): void {
    const start = this.#at
    this.#skip(space)
    const indent = this.#at - start
    if (this.#atLineEnd()) this.#toNextLine()
    else if (this.#inPlain && indent > this.#parent) this.#toNextLine()
    else {
      this.#inPlain = false
      this.#parent = this.#text.startsWith('---', start) ? -1 : indent
      if (this.#parent < 0) this.#at += 3
      this.#tokens(start)
    }
  }

  #tokens(lineStart: number): void {
    for (let keyAt = this.#at; ;) {
      this.#skipBlank()
      if (this.#atLineEnd()) return this.#toNextLine()
      const column = this.#at - lineStart
      const character = this.#text[this.#at]!
      if ('-?:'.includes(character) && this.#isSpaceAt(this.#at + 1)) {
        if (character === ':') this.#parent = Math.max(this.#parent, keyAt - lineStart)
        else this.#parent = column
        this.#at++
      } else if (character === '#') return this.#toNextLine()
      else if (character === '&' || character === '!') this.#word()
      else if (character === '|' || character === '>') return this.#blockScalar()
      else {
        keyAt = this.#at
        if (character === '"' || character === "'") this.#quoted(this.#parent)
        else if (character === '[' || character === '{') this.#flow()
        else this.#plain()
        // A collection over several lines is no key: what follows belongs to the line that it ends on.
        if (this.#text.slice(keyAt, this.#at).includes('\n')) return this.#toNextLine()
      }
    }
  }

  #plain(): void {
    for (; !this.#atLineEnd(); this.#at++) {
      const character = this.#text[this.#at]
      if (character === ':' && this.#isSpaceAt(this.#at + 1)) return
      if (character === '#' && this.#isSpaceAt(this.#at - 1)) return
    }
    this.#inPlain = true
  }

  #blockScalar(): void {
    this.#toNextLine()
    for (let start = this.#at; start < this.#text.length; start = this.#at) {
      this.#skip(space)
      if (!this.#atLineEnd() && this.#at - start <= this.#parent) {
        this.#at = start
        return
      }
      this.#toNextLine()
    }
  }

  #quoted(parent: number): void {
    const quote = this.#text[this.#at]
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]
      if (character === quote) {
        this.#at++
        if (quote === '"' || this.#text[this.#at] !== quote) return
      } else if (character === '\\' && quote === '"' && this.#text[this.#at + 1] !== '\n') this.#at++
      else if (character === '\n') this.#indentNext(parent)
    }
  }

  #flow(): void {
    const parent = this.#parent
    let depth = 0
    // Quotes open a scalar only where a token begins.
    let fresh = true
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at]!
      if ((character === '"' || character === "'") && fresh) {
        this.#quoted(parent)
        fresh = false
        continue
      }
      if (character === '#' && this.#isSpaceAt(this.#at - 1)) this.#toLineEnd()
      else if ((character === '!' || character === '&') && fresh) this.#word()
      else {
        if (character === '\n') this.#indentNext(parent)
        else if (character === '\t') this.#replace(this.#at, this.#at + 1, ' ')
        else if (!this.#isSpaceAt(this.#at)) fresh = '[{,:?'.includes(character)
        this.#at++
        if (character === '[' || character === '{') depth++
        if ((character === ']' || character === '}') && --depth === 0) return
      }
    }
  }

  /** Indents the line after the break at the current place past its parent, if it is not; leaves the place before its text. */
  #indentNext(parent: number): void {
    const start = this.#at + 1
    let end = start
    while (this.#text.charCodeAt(end) === space || this.#text.charCodeAt(end) === tab) end++
    const lead = this.#text.slice(start, end)
    if (lead.length <= parent + 1 || lead.includes('\t'))
      this.#replace(start, end, ' '.repeat(Math.max(lead.length, parent + 2)))
    this.#at = end - 1
  }

  #skipBlank(): void {
    const start = this.#at
    while (this.#text.charCodeAt(this.#at) === space || this.#text.charCodeAt(this.#at) === tab) this.#at++
    const isFlow = this.#text[this.#at] === '[' || this.#text[this.#at] === '{'
    if (isFlow && this.#text.slice(start, this.#at).includes('\t'))
      this.#replace(start, this.#at, ' '.repeat(this.#at - start))
  }

  #replace(start: number, end: number, by: string): void {
    this.#out += this.#text.slice(this.#copied, start) + by
    this.#copied = end
  }

  #word(): void {
    while (this.#at < this.#text.length && !this.#isSpaceAt(this.#at)) this.#at++
  }

  #skip(code: number): void {
    while (this.#text.charCodeAt(this.#at) === code) this.#at++
  }

  #toLineEnd(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  #toNextLine(): void {
    this.#toLineEnd()
    this.#at++
  }

  #atLineEnd(): boolean {
    const character = this.#text[this.#at]
    return character === undefined || character === '\n' || character === '\r'
  }

  #isSpaceAt(at: number): boolean {
    const character = this.#text[at]
    return character === undefined || ' \t\r\n'.includes(character)
  }
}
