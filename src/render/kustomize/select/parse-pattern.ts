/** A node of a pattern. */
export type Node =
  | { readonly type: 'character'; readonly test: (character: string) => boolean }
  | { readonly type: 'assert'; readonly where: 'start' | 'end' | 'boundary' | 'inside' }
  | { readonly type: 'sequence' | 'choice'; readonly nodes: readonly Node[] }
  | { readonly type: 'repeat'; readonly node: Node; readonly min: number; readonly max: number }

/** Why a pattern cannot be read. */
export class PatternProblem extends Error {}

const longest = 2000
const mostRepeats = 1000
const deepest = 200

/** Parses a pattern in RE2's syntax: no backreferences and no looking around. */
export function parsePattern(pattern: string): Node {
  if (pattern.length > longest) throw new PatternProblem(`it is longer than ${longest} characters`)
  const parser = new Parser(Array.from(pattern))
  return parser.parse()
}

class Parser {
  readonly #text: readonly string[]
  #at = 0
  #ignoreCase = false
  #depth = 0

  constructor(text: readonly string[]) {
    this.#text = text
  }

  parse(): Node {
    const node = this.#choice()
    if (this.#at < this.#text.length) throw new PatternProblem('unexpected )')
    return node
  }

  #choice(): Node {
    if (++this.#depth > deepest) throw new PatternProblem('it is nested too deep')
    const before = this.#ignoreCase
    const nodes = [this.#sequence()]
    while (this.#take('|')) nodes.push(this.#sequence())
    this.#ignoreCase = before
    this.#depth--
    return nodes.length === 1 ? nodes[0]! : { type: 'choice', nodes }
  }

  #sequence(): Node {
    const nodes: Node[] = []
    while (this.#at < this.#text.length && this.#text[this.#at] !== '|' && this.#text[this.#at] !== ')') {
      const atom = this.#atom()
      if (atom !== undefined) nodes.push(this.#repeated(atom))
    }
    return { type: 'sequence', nodes }
  }

  #repeated(node: Node): Node {
    const next = this.#text[this.#at]
    let bounds: [number, number] | undefined
    if (next === '*') bounds = [0, Number.POSITIVE_INFINITY]
    else if (next === '+') bounds = [1, Number.POSITIVE_INFINITY]
    else if (next === '?') bounds = [0, 1]
    if (bounds !== undefined) this.#at++
    else bounds = next === '{' ? this.#counted() : undefined
    if (bounds === undefined) return node
    // Whether the shortest or the longest match is preferred makes no difference to whether there is one.
    this.#take('?')
    if (/^[*+?]$/.test(this.#text[this.#at] ?? '')) throw new PatternProblem('a repetition of a repetition')
    return { type: 'repeat', node, min: bounds[0], max: bounds[1] }
  }

  #counted(): [number, number] | undefined {
    const rest = this.#text.slice(this.#at, this.#at + 12).join('')
    const match = /^\{(\d+)(,?)(\d*)\}/.exec(rest)
    if (match === null) return undefined
    const min = Number(match[1])
    const max = match[2] === '' ? min : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3])
    const isTooMuch = min > mostRepeats || (max !== Number.POSITIVE_INFINITY && max > mostRepeats)
    if (isTooMuch || max < min) throw new PatternProblem(`invalid repeat count ${match[0]}`)
    this.#at += match[0].length
    return [min, max]
  }

  #atom(): Node | undefined {
    const character = this.#text[this.#at++]!
    switch (character) {
      case '(':
        return this.#group()
      case '[':
        return this.#class()
      case '^':
        return { type: 'assert', where: 'start' }
      case '$':
        return { type: 'assert', where: 'end' }
      case '.':
        return { type: 'character', test: (each) => each !== '\n' }
      case '\\':
        return this.#escape()
      case '*':
      case '+':
      case '?':
        throw new PatternProblem('nothing to repeat')
      default:
        return this.#literal(character)
    }
  }

  #group(): Node | undefined {
    if (this.#take('?')) {
      const flags = /^(?:P?<\w+>|:|([ims-]*)([:)]))/.exec(this.#text.slice(this.#at, this.#at + 200).join(''))
      if (flags === null) throw new PatternProblem('this kind of group is not known')
      this.#at += flags[0].length
      if (flags[1]?.includes('i') === true) this.#ignoreCase = !/-.*i/.test(flags[1])
      if (flags[2] === ')') return undefined
    }
    const node = this.#choice()
    if (!this.#take(')')) throw new PatternProblem('a ) is missing')
    return node
  }

  #class(): Node {
    const start = this.#at
    if (this.#text[this.#at] === '^') this.#at++
    if (this.#text[this.#at] === ']') this.#at++
    while (this.#at < this.#text.length && this.#text[this.#at] !== ']') {
      if (this.#text[this.#at] === '\\') this.#at++
      else if (this.#text.slice(this.#at, this.#at + 2).join('') === '[:') this.#at = this.#text.indexOf(']', this.#at)
      this.#at++
    }
    if (!this.#take(']')) throw new PatternProblem('a ] is missing')
    const body = this.#text.slice(start, this.#at - 1).join('')
    return this.#tested(`[${posix(body).replace(/^(\^?)\]/, String.raw`$1\]`)}]`)
  }

  #escape(): Node {
    const character = this.#text[this.#at++]
    if (character === undefined) throw new PatternProblem('a backslash at its end')
    if (character === 'A') return { type: 'assert', where: 'start' }
    if (character === 'z') return { type: 'assert', where: 'end' }
    if (character === 'b') return { type: 'assert', where: 'boundary' }
    if (character === 'B') return { type: 'assert', where: 'inside' }
    if (/[dDwWsSpPx]/.test(character)) {
      const rest = this.#text.slice(this.#at, this.#at + 40).join('')
      const argument = /[pP]/.test(character)
        ? /^\{\^?\w+\}|^[A-Z]/.exec(rest)?.[0]
        : character === 'x'
          ? /^[0-9a-fA-F]{2}/.exec(rest)?.[0]
          : ''
      if (argument === undefined) throw new PatternProblem(`invalid escape \\${character}`)
      this.#at += argument.length
      return this.#tested(`\\${character}${argument.length === 1 ? `{${argument}}` : argument}`)
    }
    const control = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' }[character]
    if (control === undefined && /[0-9A-Za-z]/.test(character))
      throw new PatternProblem(`invalid escape \\${character}`)
    return this.#literal(control ?? character)
  }

  #literal(character: string): Node {
    if (!this.#ignoreCase) return { type: 'character', test: (each) => each === character }
    return { type: 'character', test: (each) => each.toLowerCase() === character.toLowerCase() }
  }

  // One character is tested at a time, so that JavaScript's own matcher has nothing to go back over.
  #tested(source: string): Node {
    try {
      const single = new RegExp(`^${source}$`, this.#ignoreCase ? 'ui' : 'u')
      return { type: 'character', test: (each) => single.test(each) }
    } catch {
      throw new PatternProblem(`${source} is no set of characters`)
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }
}

const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  space: String.raw`\t\n\v\f\r `,
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

// Inside of a set only these mean something; the rest JavaScript wants left without a backslash.
function posix(body: string): string {
  return body
    .replaceAll(/\[:(\w+):\]/g, (_, name: string) => posixClasses[name] ?? '')
    .replaceAll(/\\([^\w\\\]^-])/g, '$1')
    .replaceAll(/(?<!\\)\[/g, String.raw`\[`)
}
