import { LadingError } from '../../../core/index.ts'
import { quote } from '../format/quote.ts'
import { Lexer, type LexerOptions } from './lexer.ts'
import {
  type ArgumentNode,
  type BranchNode,
  type ChainNode,
  type CommandNode,
  isEmptyTree,
  type ListNode,
  type Node,
  type PipeNode,
  printNode,
  type Tree,
  type VariableNode,
} from './node.ts'
import { parseNumber } from './number.ts'
import { type Token, type TokenKind, tokenName } from './token.ts'
import { unquote } from './unquote.ts'

/** Go allows 10,000 levels of parentheses; the stack of JavaScript is smaller. */
const maxParens = 1000
/** Levels of `if`, `with`, `range` and `block` within each other. */
const maxNesting = 500

const operands: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'bool',
  'charConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
])

/** What one text defines: its own template and those of its `define` and `block` actions. */
export interface ParsedText {
  readonly trees: ReadonlyMap<string, Tree>
  /** Functions that are named in it. */
  readonly functions: ReadonlySet<string>
}

/** Parses a text; a wrong one is a `template.syntax` error with Go's message. */
export function parseTemplate(
  name: string,
  text: string,
  options: LexerOptions,
  hasFunction: (name: string) => boolean,
): ParsedText {
  const shared: Shared = {
    parseName: name,
    text,
    lexer: new Lexer(text, options),
    trees: new Map(),
    functions: new Set(),
    hasFunction,
    nesting: 0,
  }
  new TreeParser(shared, name).parseAll()
  return { trees: shared.trees, functions: shared.functions }
}

interface Shared {
  readonly parseName: string
  readonly text: string
  readonly lexer: Lexer
  readonly trees: Map<string, Tree>
  readonly functions: Set<string>
  readonly hasFunction: (name: string) => boolean
  nesting: number
}

/** What ends a list of nodes. */
interface Stop {
  readonly kind: 'end' | 'else'
  readonly pos: number
}

type BranchKind = BranchNode['kind']

class TreeParser {
  readonly #shared: Shared
  #name: string
  // Tokens that were read ahead; the first is the newest, and errors name its line.
  readonly #tokens: [Token, Token, Token]
  #peeked = 0
  #variables = ['$']
  #actionLine = 0
  #ranges = 0
  #parens = 0

  constructor(shared: Shared, name: string) {
    this.#shared = shared
    this.#name = name
    const none: Token = { kind: 'eof', pos: 0, text: '', line: 0 }
    this.#tokens = [none, none, none]
  }

  parseAll(): void {
    const nodes: Node[] = []
    const { pos } = this.#peek()
    while (this.#peek().kind !== 'eof') {
      if (this.#peek().kind === 'leftDelim') {
        const delim = this.#next()
        if (this.#nextNonSpace().kind === 'define') {
          new TreeParser(this.#shared, 'definition').parseDefinition()
          continue
        }
        this.#backup2(delim)
      }
      const node = this.#textOrAction()
      if (isStop(node)) return this.#fail(`unexpected {{${node.kind}}}`)
      nodes.push(node)
    }
    this.#add({ kind: 'list', pos, nodes })
  }

  parseDefinition(): void {
    const token = this.#nextNonSpace()
    if (token.kind !== 'string' && token.kind !== 'rawString') this.#unexpected(token, 'define clause')
    this.#name = this.#unquote(token)
    this.#expect('rightDelim', 'define clause')
    const { list, stop } = this.#itemList()
    if (stop.kind !== 'end') this.#fail('unexpected {{else}} in define clause')
    this.#add(list)
  }

  #parseBlock(): void {
    const { list, stop } = this.#itemList()
    if (stop.kind !== 'end') this.#fail('unexpected {{else}} in block clause')
    this.#add(list)
  }

  #add(root: ListNode): void {
    const { trees, parseName, text } = this.#shared
    const tree: Tree = { name: this.#name, parseName, text, root }
    const old = trees.get(tree.name)
    if (old === undefined || isEmptyTree(old)) trees.set(tree.name, tree)
    else if (!isEmptyTree(tree)) this.#fail(`template: multiple definition of template ${quote(tree.name)}`)
  }

  #itemList(): { list: ListNode; stop: Stop } {
    const list: ListNode = { kind: 'list', pos: this.#peekNonSpace().pos, nodes: [] }
    if (++this.#shared.nesting > maxNesting) this.#fail('max nesting depth exceeded')
    while (this.#peekNonSpace().kind !== 'eof') {
      const node = this.#textOrAction()
      if (isStop(node)) {
        this.#shared.nesting--
        return { list, stop: node }
      }
      list.nodes.push(node)
    }
    return this.#fail('unexpected EOF')
  }

  #textOrAction(): Node | Stop {
    const token = this.#nextNonSpace()
    if (token.kind === 'text') return { kind: 'text', pos: token.pos, text: token.text }
    if (token.kind !== 'leftDelim') return this.#unexpected(token, 'input')
    this.#actionLine = token.line
    const node = this.#action()
    this.#actionLine = 0
    return node
  }

  #action(): Node | Stop {
    const token = this.#nextNonSpace()
    switch (token.kind) {
      case 'block':
        return this.#block()
      case 'break':
      case 'continue':
        return this.#jump(token.kind, token.pos)
      case 'else':
        return this.#else()
      case 'end':
        return { kind: 'end', pos: this.#expect('rightDelim', 'end').pos }
      case 'if':
      case 'range':
      case 'with':
        return this.#branch(token.kind)
      case 'template':
        return this.#template()
      default:
        this.#backup()
        return { kind: 'action', pos: this.#peek().pos, pipe: this.#pipeline('command', 'rightDelim') }
    }
  }

  #jump(kind: 'break' | 'continue', pos: number): Node {
    const token = this.#nextNonSpace()
    if (token.kind !== 'rightDelim') this.#unexpected(token, `{{${kind}}}`)
    if (this.#ranges === 0) this.#fail(`{{${kind}}} outside {{range}}`)
    return { kind, pos }
  }

  #else(): Stop {
    const next = this.#peekNonSpace()
    // `else if` leaves its `if` for the branch that the else belongs to.
    if (next.kind === 'if' || next.kind === 'with') return { kind: 'else', pos: next.pos }
    return { kind: 'else', pos: this.#expect('rightDelim', 'else').pos }
  }

  #branch(kind: BranchKind): BranchNode {
    const scope = this.#variables.length
    const pipe = this.#pipeline(kind, 'rightDelim')
    if (kind === 'range') this.#ranges++
    const { list, stop } = this.#itemList()
    if (kind === 'range') this.#ranges--
    const elseList = stop.kind === 'else' ? this.#elseList(kind, stop) : undefined
    this.#variables.length = scope
    return { kind, pos: pipe.pos, pipe, list, elseList }
  }

  #elseList(kind: BranchKind, stop: Stop): ListNode {
    if (kind !== 'range' && this.#peek().kind === kind) {
      this.#next()
      return { kind: 'list', pos: stop.pos, nodes: [this.#branch(kind)] }
    }
    const { list, stop: end } = this.#itemList()
    if (end.kind !== 'end') this.#fail(`expected end; found {{${end.kind}}}`)
    return list
  }

  #block(): Node {
    const token = this.#nextNonSpace()
    const name = this.#templateName(token, 'block clause')
    const pipe = this.#pipeline('block clause', 'rightDelim')
    new TreeParser(this.#shared, name).#parseBlock()
    return { kind: 'template', pos: token.pos, name, pipe }
  }

  #template(): Node {
    const token = this.#nextNonSpace()
    const name = this.#templateName(token, 'template clause')
    if (this.#nextNonSpace().kind === 'rightDelim') return { kind: 'template', pos: token.pos, name, pipe: undefined }
    this.#backup()
    return { kind: 'template', pos: token.pos, name, pipe: this.#pipeline('template clause', 'rightDelim') }
  }

  #templateName(token: Token, context: string): string {
    if (token.kind !== 'string' && token.kind !== 'rawString') this.#unexpected(token, context)
    return this.#unquote(token)
  }

  #pipeline(context: string, end: TokenKind): PipeNode {
    const { pos } = this.#peekNonSpace()
    const pipe: PipeNode = { kind: 'pipe', pos, isAssign: false, declared: [], commands: [] }
    this.#declarations(pipe, context)
    for (;;) {
      const token = this.#nextNonSpace()
      if (token.kind === end) {
        this.#checkPipeline(pipe, context)
        return pipe
      }
      if (!operands.has(token.kind)) this.#unexpected(token, context)
      this.#backup()
      pipe.commands.push(this.#command())
    }
  }

  #declarations(pipe: PipeNode, context: string): void {
    for (;;) {
      const variable = this.#peekNonSpace()
      if (variable.kind !== 'variable') return
      this.#next()
      // `$x foo` and `$x := foo` differ only after the space, which is a token too.
      const after = this.#peek()
      const next = this.#peekNonSpace()
      if (next.kind === 'assign' || next.kind === 'declare') {
        pipe.isAssign = next.kind === 'assign'
        this.#declare(pipe, variable)
        return
      }
      if (next.kind !== 'char' || next.text !== ',') {
        if (after.kind === 'space') this.#backup3(variable, after)
        else this.#backup2(variable)
        return
      }
      this.#declare(pipe, variable)
      if (context !== 'range' || pipe.declared.length >= 2) this.#fail(`too many declarations in ${context}`)
      const { kind } = this.#peekNonSpace()
      if (kind !== 'variable' && kind !== 'rightDelim' && kind !== 'rightParen') {
        this.#fail('range can only initialize variables')
      }
    }
  }

  #declare(pipe: PipeNode, token: Token): void {
    this.#nextNonSpace()
    pipe.declared.push(variableNode(token.pos, token.text))
    this.#variables.push(token.text)
  }

  #checkPipeline({ commands }: PipeNode, context: string): void {
    if (commands.length === 0) this.#fail(`missing value for ${context}`)
    commands.forEach(({ args }, index) => {
      const kind = args[0]?.kind
      const isValue = kind === 'bool' || kind === 'dot' || kind === 'nil' || kind === 'number' || kind === 'string'
      if (index > 0 && isValue) this.#fail(`non executable command in pipeline stage ${index + 1}`)
    })
  }

  #command(): CommandNode {
    const command: CommandNode = { kind: 'command', pos: this.#peekNonSpace().pos, args: [] }
    for (;;) {
      this.#peekNonSpace()
      const operand = this.#operand()
      if (operand !== undefined) command.args.push(operand)
      const token = this.#next()
      if (token.kind === 'space') continue
      if (token.kind === 'rightDelim' || token.kind === 'rightParen') this.#backup()
      else if (token.kind !== 'pipe') this.#unexpected(token, 'operand')
      break
    }
    if (command.args.length === 0) this.#fail('empty command')
    return command
  }

  #operand(): ArgumentNode | undefined {
    const node = this.#term()
    if (node === undefined || this.#peek().kind !== 'field') return node
    const chain: ChainNode = { kind: 'chain', pos: this.#peek().pos, node, names: [] }
    while (this.#peek().kind === 'field') chain.names.push(this.#next().text.slice(1))
    switch (node.kind) {
      case 'field':
      case 'variable':
        return { kind: node.kind, pos: chain.pos, names: [...node.names, ...chain.names] }
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        return this.#fail(`unexpected . after term ${quote(printNode(node))}`)
      default:
        return chain
    }
  }

  #term(): ArgumentNode | undefined {
    const token = this.#nextNonSpace()
    const { kind, pos, text } = token
    switch (kind) {
      case 'identifier':
        return this.#function(token)
      case 'dot':
      case 'nil':
        return { kind, pos }
      case 'variable':
        return this.#variable(token)
      case 'field':
        return { kind, pos, names: [text.slice(1)] }
      case 'bool':
        return { kind, pos, value: text === 'true' }
      case 'charConstant':
      case 'complex':
      case 'number':
        return this.#number(token)
      case 'leftParen':
        return this.#parenthesis()
      case 'string':
      case 'rawString':
        return { kind: 'string', pos, quoted: text, text: this.#unquote(token) }
      default:
        this.#backup()
        return undefined
    }
  }

  #function({ pos, text }: Token): ArgumentNode {
    if (!this.#shared.hasFunction(text)) this.#fail(`function ${quote(text)} not defined`)
    this.#shared.functions.add(text)
    return { kind: 'identifier', pos, name: text }
  }

  #variable({ pos, text }: Token): VariableNode {
    if (!this.#variables.includes(text)) this.#fail(`undefined variable ${quote(text)}`)
    return variableNode(pos, text)
  }

  #number(token: Token): ArgumentNode {
    const number = parseNumber(token)
    return typeof number === 'string' ? this.#fail(number) : number
  }

  #parenthesis(): PipeNode {
    if (this.#parens >= maxParens) this.#fail('max expression depth exceeded')
    this.#parens++
    const pipe = this.#pipeline('parenthesized pipeline', 'rightParen')
    this.#parens--
    return pipe
  }

  #unquote({ text }: Token): string {
    return unquote(text) ?? this.#fail('invalid syntax')
  }

  #expect(kind: TokenKind, context: string): Token {
    const token = this.#nextNonSpace()
    return token.kind === kind ? token : this.#unexpected(token, context)
  }

  #unexpected(token: Token, context: string): never {
    if (token.kind !== 'error') return this.#fail(`unexpected ${tokenName(token)} in ${context}`)
    let extra = ''
    if (this.#actionLine !== 0 && this.#actionLine !== token.line) {
      const place = `started at ${this.#shared.parseName}:${this.#actionLine}`
      extra = token.text.endsWith(' action') ? ` ${place}` : ` in action ${place}`
    }
    return this.#fail(token.text + extra)
  }

  #fail(message: string): never {
    const { parseName: template } = this.#shared
    const { line } = this.#tokens[0]
    throw new LadingError('template.syntax', `template: ${template}:${line}: ${message}`, { template, line })
  }

  #next(): Token {
    if (this.#peeked > 0) this.#peeked--
    else this.#tokens[0] = this.#shared.lexer.next()
    return this.#tokens[this.#peeked as 0 | 1 | 2]
  }

  #peek(): Token {
    if (this.#peeked > 0) return this.#tokens[(this.#peeked - 1) as 0 | 1 | 2]
    this.#peeked = 1
    this.#tokens[0] = this.#shared.lexer.next()
    return this.#tokens[0]
  }

  #nextNonSpace(): Token {
    for (;;) {
      const token = this.#next()
      if (token.kind !== 'space') return token
    }
  }

  #peekNonSpace(): Token {
    const token = this.#nextNonSpace()
    this.#backup()
    return token
  }

  #backup(): void {
    this.#peeked++
  }

  #backup2(older: Token): void {
    this.#tokens[1] = older
    this.#peeked = 2
  }

  #backup3(oldest: Token, older: Token): void {
    this.#tokens[1] = older
    this.#tokens[2] = oldest
    this.#peeked = 3
  }
}

function isStop(node: Node | Stop): node is Stop {
  return node.kind === 'end' || node.kind === 'else'
}

function variableNode(pos: number, text: string): VariableNode {
  return { kind: 'variable', pos, names: text.split('.') }
}
