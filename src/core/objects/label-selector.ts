import { stringifyJson } from '../json/json.ts'
import { isLabelValue, isQualifiedName, labelValueMessage, qualifiedNameMessage } from './names.ts'

/** A map of texts, such as labels and annotations. */
export type Texts = Readonly<Record<string, string>>

/** Whether labels or annotations match a selector. */
export type LabelMatch = (texts: Texts) => boolean

type Operator = 'in' | 'notin' | '=' | '==' | '!=' | '>' | '<' | 'exists' | 'absent'

interface Requirement {
  readonly key: string
  readonly operator: Operator
  readonly values: readonly string[]
}

/**
 * Parses a label selector as the Kubernetes API does: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>3`. The empty selector matches
 * everything. Returns the problem, in the API server's words, if the text is not a selector.
 */
export function parseLabelSelector(text: string): LabelMatch | { readonly problem: string } {
  try {
    const requirements = new Reader(text).requirements()
    return (texts) => requirements.every((requirement) => matches(requirement, texts))
  } catch (error) {
    if (error instanceof SelectorProblem) return { problem: error.message }
    throw error
  }
}

function matches({ key, operator, values }: Requirement, texts: Texts): boolean {
  // A label may be named like something that every JavaScript object inherits.
  const value = Object.hasOwn(texts, key) ? texts[key] : undefined
  switch (operator) {
    case 'in':
    case '=':
    case '==':
      return value !== undefined && values.includes(value)
    case 'notin':
    case '!=':
      return value === undefined || !values.includes(value)
    case 'exists':
      return value !== undefined
    case 'absent':
      return value === undefined
    case '>':
      return value !== undefined && wholeNumber.test(value) && BigInt(value) > BigInt(values[0] ?? 0)
    case '<':
      return value !== undefined && wholeNumber.test(value) && BigInt(value) < BigInt(values[0] ?? 0)
  }
}

const wholeNumber = /^[-+]?\d+$/
const words = /\s*(==|!=|[=!<>(),]|[^\s=!<>(),]+)/y
const special = /^[=!<>(),]/
const operators = ['=', '!=', 'in', 'notin', '==', '>', '<']

/** Parses requirements word by word. */
class Reader {
  readonly #words: string[] = []
  #at = 0

  constructor(text: string) {
    const trimmed = text.trimEnd()
    words.lastIndex = 0
    while (words.lastIndex < trimmed.length) {
      const [, word = ''] = words.exec(trimmed) ?? []
      this.#words.push(word)
    }
  }

  requirements(): Requirement[] {
    const found: Requirement[] = []
    while (this.#next() !== '') {
      const first = this.#next()
      if (first !== '!' && special.test(first)) throw unexpected(first, "!, identifier, or 'end of string'", '')
      found.push(this.#requirement())
      const after = this.#take()
      if (after !== '' && after !== ',') throw unexpected(after, "',' or 'end of string'", '')
      if (after === ',' && !this.#begins()) throw unexpected(this.#next(), "identifier after ','", '')
    }
    return found
  }

  #requirement(): Requirement {
    const absent = this.#next() === '!'
    if (absent) this.#take()
    const key = this.#take()
    if (key === '' || special.test(key)) throw unexpected(key, 'identifier')
    if (!isQualifiedName(key)) throw refused(`<nil>: Invalid value: ${stringifyJson(key)}: ${qualifiedNameMessage}`)
    const next = this.#next()
    if (next === '' || next === ',') return { key, operator: absent ? 'absent' : 'exists', values: [] }
    // The API server ignores an operator after `!key`.
    if (absent) return { key, operator: 'absent', values: [] }
    const operator = this.#take()
    if (!operators.includes(operator)) throw unexpected(operator, operators.join(', '))
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#value()]
    return checked({ key, operator: operator as Operator, values: [...new Set(values)].sort() })
  }

  #value(): string {
    if (this.#next() === '' || this.#next() === ',') return ''
    const value = this.#take()
    if (special.test(value)) throw unexpected(value, 'identifier')
    return value
  }

  /** Parses values in parentheses. Nothing between two commas is the empty value. */
  #values(): string[] {
    const open = this.#take()
    if (open !== '(') throw refused(`found '${open}' expected: '('`)
    if (this.#next() === ')') return [this.#take(), ''].slice(1)
    if (this.#next() !== ',' && (this.#next() === '' || special.test(this.#next()))) {
      throw unexpected(this.#next(), "',', ')' or identifier")
    }
    const values: string[] = []
    for (;;) {
      const word = this.#take()
      if (word === ',') {
        if (values.length === 0 || this.#next() === ',' || this.#next() === ')') values.push('')
      } else if (word === '' || special.test(word)) throw unexpected(word, "',', or identifier")
      else {
        values.push(word)
        if (this.#next() !== ',' && this.#next() !== ')') throw unexpected(this.#next(), "',' or ')'")
      }
      if (this.#next() === ')') {
        this.#take()
        return values
      }
    }
  }

  #begins(): boolean {
    const next = this.#next()
    return next === '!' || (next !== '' && !special.test(next))
  }

  #next(): string {
    return this.#words[this.#at] ?? ''
  }

  #take(): string {
    const word = this.#next()
    this.#at += 1
    return word
  }
}

function checked(requirement: Requirement): Requirement {
  const { key, operator, values } = requirement
  const causes: string[] = []
  values.forEach((value, index) => {
    if ((operator === '>' || operator === '<') && !wholeNumber.test(value)) {
      const why = "for 'Gt', 'Lt' operators, the value must be an integer"
      causes.push(`values[${index}]: Invalid value: ${stringifyJson(value)}: ${why}`)
    }
    if (!isLabelValue(value)) {
      causes.push(`values[${index}][${key}]: Invalid value: ${stringifyJson(value)}: ${labelValueMessage}`)
    }
  })
  if (causes.length === 0) return requirement
  throw refused(causes.length === 1 ? causes.join() : `[${causes.join(', ')}]`)
}

function unexpected(found: string, expected: string, prefix = unable): Error {
  return new SelectorProblem(`${prefix}found '${found}', expected: ${expected}`)
}

function refused(why: string): Error {
  return new SelectorProblem(`${unable}${why}`)
}

const unable = 'unable to parse requirement: '

class SelectorProblem extends Error {}
