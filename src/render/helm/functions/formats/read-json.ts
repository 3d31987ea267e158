import { quoteRune } from '../../../gotemplate/format/quote.ts'
import { fromBytes, toBytes } from '../../../gotemplate/format/bytes.ts'
import { GoError, type GoValue } from '../../../gotemplate/value.ts'
import { newMap } from '../dicts/make-value.ts'

const maxDepth = 10_000
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Reads one JSON value as Go's encoding/json does, its errors included; every number is a float. */
export function readJson(text: string): GoValue {
  const { value, problem } = readJsonPartly(text)
  if (problem !== undefined) throw problem
  return value
}

/** Reads as `readJson` does; a number that no float holds is null in the value, and the first one is the problem. */
export function readJsonPartly(text: string): { value: GoValue; problem: GoError | undefined } {
  const reader = new Reader(text)
  const value = reader.document()
  return { value, problem: reader.problem }
}

class Reader {
  problem: GoError | undefined
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): GoValue {
    const value = this.#value('looking for beginning of value', 0)
    this.#space()
    if (this.#at < this.#text.length) throw this.#unexpected('after top-level value')
    return value
  }

  #value(context: string, depth: number): GoValue {
    this.#space()
    if (depth > maxDepth) throw new GoError('exceeded max depth')
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth)
      case '[':
        return this.#array(depth)
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number(context)
    }
  }

  #object(depth: number): GoValue {
    const map = newMap()
    this.#at++
    this.#space()
    if (this.#take('}')) return map
    let context = 'looking for beginning of object key string'
    for (;;) {
      this.#space()
      if (this.#text[this.#at] !== '"') throw this.#unexpected(context)
      const key = this.#string()
      this.#space()
      if (!this.#take(':')) throw this.#unexpected('after object key')
      map[key] = this.#value('looking for beginning of value', depth + 1)
      this.#space()
      if (this.#take('}')) return map
      if (!this.#take(',')) throw this.#unexpected('after object key:value pair')
      context = 'looking for beginning of object key string'
    }
  }

  #array(depth: number): GoValue {
    const list: GoValue[] = []
    this.#at++
    this.#space()
    if (this.#take(']')) return list
    for (;;) {
      list.push(this.#value('looking for beginning of value', depth + 1))
      this.#space()
      if (this.#take(']')) return list
      if (!this.#take(',')) throw this.#unexpected('after array element')
    }
  }

  #string(): string {
    let output = ''
    this.#at++
    for (;;) {
      const character = this.#text[this.#at]
      if (character === undefined) throw this.#unexpected('')
      if (character === '"') {
        this.#at++
        return output
      }
      if (character < ' ') throw this.#unexpected('in string literal')
      output += character === '\\' ? this.#escape() : this.#plain()
    }
  }

  #plain(): string {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at)!)
    this.#at += character.length
    // A byte that is not UTF-8.
    return /^[\ud800-\udfff]$/.test(character) ? '\ufffd' : character
  }

  #escape(): string {
    this.#at++
    const letter = this.#text[this.#at]
    const plain = letter === undefined ? undefined : escapes[letter]
    if (plain !== undefined) {
      this.#at++
      return plain
    }
    if (letter !== 'u') throw this.#unexpected('in string escape code')
    const unit = this.#unit()
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit)
    const isPair = unit < 0xdc00 && /^\\u[dD][c-fC-F][0-9a-fA-F]{2}$/.test(this.#text.slice(this.#at, this.#at + 6))
    if (!isPair) return '\ufffd'
    this.#at++
    return String.fromCharCode(unit, this.#unit())
  }

  #unit(): number {
    this.#at++
    const start = this.#at
    for (; this.#at < start + 4; this.#at++) {
      if (!/^[0-9a-fA-F]$/.test(this.#text[this.#at] ?? ''))
        throw this.#unexpected('in \\u hexadecimal character escape')
    }
    return Number.parseInt(this.#text.slice(start, this.#at), 16)
  }

  #word(word: string, value: GoValue): GoValue {
    for (let index = 0; index < word.length; index++, this.#at++) {
      if (this.#text[this.#at] !== word[index])
        throw this.#unexpected(`in literal ${word} (expecting ${quoteRune(word.charCodeAt(index))})`)
    }
    return value
  }

  #number(context: string): GoValue {
    if (!/^[-0-9]$/.test(this.#text[this.#at] ?? '')) throw this.#unexpected(context)
    numberPattern.lastIndex = this.#at
    const match = numberPattern.exec(this.#text)
    if (match === null) {
      this.#at++
      throw this.#unexpected('in numeric literal')
    }
    this.#at += match[0].length
    this.#checkNumberEnd(match[0])
    const value = Number(match[0])
    if (Number.isFinite(value)) return value
    this.problem ??= new GoError(`json: cannot unmarshal number ${match[0]} into Go value of type float64`)
    return null
  }

  // A point or an exponent that nothing follows is where Go stops.
  #checkNumberEnd(number: string): void {
    const next = this.#text[this.#at]
    if (next === '.' && !/[.eE]/.test(number)) {
      this.#at++
      throw this.#unexpected('after decimal point in numeric literal')
    }
    if ((next === 'e' || next === 'E') && !/[eE]/.test(number)) {
      this.#at++
      if (/^[+-]$/.test(this.#text[this.#at] ?? '')) this.#at++
      throw this.#unexpected('in exponent of numeric literal')
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #space(): void {
    while (/^[ \t\r\n]$/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #unexpected(context: string): GoError {
    const character = this.#text[this.#at]
    if (character === undefined) return new GoError('unexpected end of JSON input')
    // The scanner sees bytes, so that of a character past ASCII it names the first.
    const byte = toBytes(fromBytes(toBytes(this.#text.slice(this.#at, this.#at + 2))))[0]!
    const shown = character === "'" ? `'\\''` : character === '"' ? `'"'` : quoteRune(byte)
    return new GoError(`invalid character ${shown} ${context}`)
  }
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
