import { isSpace, isUpper, lowerRune, upperRune } from './letter-case.ts'

/** `camelcase`: words at connectors begin with a capital, and more capitals right behind it become small; leading connectors stay. */
export function camelCase(text: string): string {
  const characters = Array.from(text)
  let output = ''
  let at = 0
  let current = ''
  let isInCapitals = false
  while (at < characters.length) {
    current = characters[at++]!
    if (!isConnector(current)) {
      isInCapitals = isUpper(current)
      current = upperRune(current)
      break
    }
    output += current
  }
  while (at < characters.length) {
    const before = current
    current = characters[at++]!
    if (isConnector(current) && isConnector(before)) output += before
    else if (isConnector(before)) {
      isInCapitals = isUpper(current)
      current = upperRune(current)
    } else {
      output += before
      isInCapitals = isInCapitals && isUpper(current)
      if (isInCapitals) current = lowerRune(current)
    }
  }
  return output + current
}

/** `snakecase` and `kebabcase`: words in lower case with a connector between them. */
export function connectWords(text: string, connector: '_' | '-'): string {
  return new WordWriter(text, connector).write()
}

type WordKind = 'none' | 'number' | 'upper' | 'alphabet' | 'connector' | 'punct' | 'other'

interface Word {
  readonly kind: WordKind
  readonly characters: readonly string[]
}

const noWord: Word = { kind: 'none', characters: [] }

class WordWriter {
  readonly #connector: string
  #rest: readonly string[]
  #output = ''
  #word: Word = noWord

  constructor(text: string, connector: string) {
    this.#rest = Array.from(text)
    this.#connector = connector
  }

  write(): string {
    this.#next()
    while (this.#rest.length > 0) {
      const previous = this.#word
      if (previous.kind !== 'connector') this.#put(previous)
      this.#next()
      this.#join(previous)
    }
    this.#put(this.#word)
    return this.#output
  }

  #join(previous: Word): void {
    switch (previous.kind) {
      case 'number':
        this.#putAlphanumerics()
        this.#connect('none', 'punct', 'connector')
        return
      case 'connector':
        this.#put(previous)
        return
      case 'punct':
        return
      default:
        if (this.#word.kind === 'number') this.#joinNumber()
        else this.#connect('connector', 'punct')
    }
  }

  // A number belongs to the word before it, unless letters in lower case follow: `Bld4Floor`, `HTTP2xx`.
  #joinNumber(): void {
    if (this.#rest.length === 0) return
    const number = this.#word
    this.#next()
    if (this.#word.kind !== 'alphabet') {
      this.#put(number)
      this.#connect('connector', 'punct')
      return
    }
    this.#output += this.#connector
    this.#put(number)
    this.#putAlphanumerics()
    this.#connect('none', 'connector', 'punct')
  }

  #putAlphanumerics(): void {
    while (this.#word.kind === 'alphabet' || this.#word.kind === 'number') {
      this.#put(this.#word)
      this.#next()
    }
  }

  #connect(...except: WordKind[]): void {
    if (!except.includes(this.#word.kind)) this.#output += this.#connector
  }

  #put(word: Word): void {
    for (const character of word.characters) {
      if (word.kind !== 'upper' && word.kind !== 'connector') this.#output += character
      else if (isConnector(character)) this.#output += this.#connector
      else this.#output += isUpper(character) ? lowerRune(character) : character
    }
  }

  #next(): void {
    this.#word = nextWord(this.#rest)
    this.#rest = this.#rest.slice(this.#word.characters.length)
  }
}

function nextWord(rest: readonly string[]): Word {
  const first = rest[0]
  if (first === undefined) return noWord
  if (isConnector(first)) return take(rest, 'connector', isConnector)
  if (isPunct(first)) return take(rest, 'punct', isPunct)
  if (isUpper(first)) return upperWord(rest)
  if (isLetter(first)) return take(rest, 'alphabet', isSmall)
  if (isNumber(first)) return take(rest, 'number', isNumber)
  return take(rest, 'other', (next) => !isConnector(next) && !isLetter(next) && !isNumber(next) && !isPunct(next))
}

// `HTTPStatus` is HTTP and Status: of many capitals the last one belongs to the letters that follow.
function upperWord(rest: readonly string[]): Word {
  const second = rest[1]
  if (second === undefined || !isLetter(second)) return { kind: 'upper', characters: rest.slice(0, 1) }
  if (!isUpper(second)) return take(rest, 'upper', isSmall)
  let end = 2
  while (end < rest.length && isUpper(rest[end]!)) end++
  const isFollowed = end < rest.length && isLetter(rest[end]!)
  return { kind: 'upper', characters: rest.slice(0, isFollowed ? end - 1 : end) }
}

function take(rest: readonly string[], kind: WordKind, belongs: (character: string) => boolean): Word {
  let end = 1
  while (end < rest.length && belongs(rest[end]!)) end++
  return { kind, characters: rest.slice(0, end) }
}

function isConnector(character: string): boolean {
  return character === '-' || character === '_' || isSpace(character)
}

function isSmall(character: string): boolean {
  return isLetter(character) && !isUpper(character)
}

function isLetter(character: string): boolean {
  // Ideographs are letters to Unicode, but no alphabet to the rules of words.
  return /^\p{L}$/u.test(character) && !/^[\u4e00-\u9fcc\u3400-\u4d85\u{20000}-\u{2b81d}]$/u.test(character)
}

function isNumber(character: string): boolean {
  return /^\p{N}$/u.test(character)
}

function isPunct(character: string): boolean {
  return /^\p{P}$/u.test(character)
}
