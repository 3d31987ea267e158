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
import type { Token, TokenKind } from './token.ts'
import { TokenReader } from './token-reader.ts'
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
  readonly #reader: TokenReader
  #variables = ['$']
  #ranges = 0
  #parens = 0

  constructor(shared: Shared, name: string) {
    this.#shared = shared
    this.#name = name
    this.#reader = new TokenReader(shared.lexer, shared.parseName)
  }

  parseAll(): void {
    const nodes: Node[] = []
    const { pos } = this.#reader.peek()
    while (this.#reader.peek().kind !== 'eof') {
      if (this.#reader.peek().kind === 'leftDelim') {
        const delim = this.#reader.next()
        if (this.#reader.nextNonSpace().kind === 'define') {
          new TreeParser(this.#shared, 'definition').parseDefinition()
          continue
        }
        this.#reader.backup2(delim)
      }
      const node = this.#textOrAction()
      if (isStop(node)) return this.#reader.fail(`unexpected {{${node.kind}}}`)
      nodes.push(node)
    }
    this.#add({ kind: 'list', pos, nodes })
  }

  parseDefinition(): void {
    const token = this.#reader.nextNonSpace()
    if (token.kind !== 'string' && token.kind !== 'rawString') this.#reader.unexpected(token, 'define clause')
    this.#name = this.#unquote(token)
    this.#reader.expect('rightDelim', 'define clause')
    const { list, stop } = this.#itemList()
    if (stop.kind !== 'end') this.#reader.fail('unexpected {{else}} in define clause')
    this.#add(list)
  }

  #parseBlock(): void {
    const { list, stop } = this.#itemList()
    if (stop.kind !== 'end') this.#reader.fail('unexpected {{else}} in block clause')
    this.#add(list)
  }

  #add(root: ListNode): void {
    const { trees, parseName, text } = this.#shared
    const tree: Tree = { name: this.#name, parseName, text, root }
    const old = trees.get(tree.name)
    if (old === undefined || isEmptyTree(old)) trees.set(tree.name, tree)
    else if (!isEmptyTree(tree)) this.#reader.fail(`template: multiple definition of template ${quote(tree.name)}`)
  }

  #itemList(): { list: ListNode; stop: Stop } {
    const list: ListNode = { kind: 'list', pos: this.#reader.peekNonSpace().pos, nodes: [] }
    this.#nest()
    while (this.#reader.peekNonSpace().kind !== 'eof') {
      const node = this.#textOrAction()
      if (isStop(node)) {
        this.#shared.nesting--
        return { list, stop: node }
      }
      list.nodes.push(node)
    }
    return this.#reader.fail('unexpected EOF')
  }

  #nest(): void {
    this.#shared.nesting++
    if (this.#shared.nesting > maxNesting) this.#reader.fail('max nesting depth exceeded')
  }

  #textOrAction(): Node | Stop {
    const token = this.#reader.nextNonSpace()
    if (token.kind === 'text') return { kind: 'text', pos: token.pos, text: token.text }
    if (token.kind !== 'leftDelim') return this.#reader.unexpected(token, 'input')
    this.#reader.actionLine = token.line
    const node = this.#action()
    this.#reader.actionLine = 0
    return node
  }

  #action(): Node | Stop {
    const token = this.#reader.nextNonSpace()
    switch (token.kind) {
      case 'block':
        return this.#block()
      case 'break':
      case 'continue':
        return this.#jump(token.kind, token.pos)
      case 'else':
        return this.#else()
      case 'end':
        return { kind: 'end', pos: this.#reader.expect('rightDelim', 'end').pos }
      case 'if':
      case 'range':
      case 'with':
        return this.#branch(token.kind)
      case 'template':
        return this.#template()
      default:
        this.#reader.backup()
        return { kind: 'action', pos: this.#reader.peek().pos, pipe: this.#pipeline('command', 'rightDelim') }
    }
  }

  #jump(kind: 'break' | 'continue', pos: number): Node {
    const token = this.#reader.nextNonSpace()
    if (token.kind !== 'rightDelim') this.#reader.unexpected(token, `{{${kind}}}`)
    if (this.#ranges === 0) this.#reader.fail(`{{${kind}}} outside {{range}}`)
    return { kind, pos }
  }

  #else(): Stop {
    const next = this.#reader.peekNonSpace()
    // `else if` leaves its `if` for the branch that the else belongs to.
    if (next.kind === 'if' || next.kind === 'with') return { kind: 'else', pos: next.pos }
    return { kind: 'else', pos: this.#reader.expect('rightDelim', 'else').pos }
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
    if (kind !== 'range' && this.#reader.peek().kind === kind) {
      this.#reader.next()
      this.#nest()
      const branch = this.#branch(kind)
      this.#shared.nesting--
      return { kind: 'list', pos: stop.pos, nodes: [branch] }
    }
    const { list, stop: end } = this.#itemList()
    if (end.kind !== 'end') this.#reader.fail(`expected end; found {{${end.kind}}}`)
    return list
  }

  #block(): Node {
    const token = this.#reader.nextNonSpace()
    const name = this.#templateName(token, 'block clause')
    const pipe = this.#pipeline('block clause', 'rightDelim')
    new TreeParser(this.#shared, name).#parseBlock()
    return { kind: 'template', pos: token.pos, name, pipe }
  }

  #template(): Node {
    const token = this.#reader.nextNonSpace()
    const name = this.#templateName(token, 'template clause')
    if (this.#reader.nextNonSpace().kind === 'rightDelim')
      return { kind: 'template', pos: token.pos, name, pipe: undefined }
    this.#reader.backup()
    return { kind: 'template', pos: token.pos, name, pipe: this.#pipeline('template clause', 'rightDelim') }
  }

  #templateName(token: Token, context: string): string {
    if (token.kind !== 'string' && token.kind !== 'rawString') this.#reader.unexpected(token, context)
    return this.#unquote(token)
  }

  #pipeline(context: string, end: TokenKind): PipeNode {
    const { pos } = this.#reader.peekNonSpace()
    const pipe: PipeNode = { kind: 'pipe', pos, isAssign: false, declared: [], commands: [] }
    this.#declarations(pipe, context)
    for (;;) {
      const token = this.#reader.nextNonSpace()
      if (token.kind === end) {
        this.#checkPipeline(pipe, context)
        return pipe
      }
      if (!operands.has(token.kind)) this.#reader.unexpected(token, context)
      this.#reader.backup()
      pipe.commands.push(this.#command())
    }
  }

  #declarations(pipe: PipeNode, context: string): void {
    for (;;) {
      const variable = this.#reader.peekNonSpace()
      if (variable.kind !== 'variable') return
      this.#reader.next()
      // `$x foo` and `$x := foo` differ only after the space, which is a token too.
      const after = this.#reader.peek()
      const next = this.#reader.peekNonSpace()
      if (next.kind === 'assign' || next.kind === 'declare') {
        pipe.isAssign = next.kind === 'assign'
        this.#declare(pipe, variable)
        return
      }
      if (next.kind !== 'char' || next.text !== ',') {
        if (after.kind === 'space') this.#reader.backup3(variable, after)
        else this.#reader.backup2(variable)
        return
      }
      this.#declare(pipe, variable)
      if (context !== 'range' || pipe.declared.length >= 2) this.#reader.fail(`too many declarations in ${context}`)
      const { kind } = this.#reader.peekNonSpace()
      if (kind !== 'variable' && kind !== 'rightDelim' && kind !== 'rightParen') {
        this.#reader.fail('range can only initialize variables')
      }
    }
  }

  #declare(pipe: PipeNode, token: Token): void {
    this.#reader.nextNonSpace()
    pipe.declared.push(variableNode(token.pos, token.text))
    this.#variables.push(token.text)
  }

  #checkPipeline({ commands }: PipeNode, context: string): void {
    if (commands.length === 0) this.#reader.fail(`missing value for ${context}`)
    commands.forEach(({ args }, index) => {
      const kind = args[0]?.kind
      const isValue = kind === 'bool' || kind === 'dot' || kind === 'nil' || kind === 'number' || kind === 'string'
      if (index > 0 && isValue) this.#reader.fail(`non executable command in pipeline stage ${index + 1}`)
    })
  }

  #command(): CommandNode {
    const command: CommandNode = { kind: 'command', pos: this.#reader.peekNonSpace().pos, args: [] }
    for (;;) {
      this.#reader.peekNonSpace()
      const operand = this.#operand()
      if (operand !== undefined) command.args.push(operand)
      const token = this.#reader.next()
      if (token.kind === 'space') continue
      if (token.kind === 'rightDelim' || token.kind === 'rightParen') this.#reader.backup()
      else if (token.kind !== 'pipe') this.#reader.unexpected(token, 'operand')
      break
    }
    if (command.args.length === 0) this.#reader.fail('empty command')
    return command
  }

  #operand(): ArgumentNode | undefined {
    const node = this.#term()
    if (node === undefined || this.#reader.peek().kind !== 'field') return node
    const chain: ChainNode = { kind: 'chain', pos: this.#reader.peek().pos, node, names: [] }
    while (this.#reader.peek().kind === 'field') chain.names.push(this.#reader.next().text.slice(1))
    switch (node.kind) {
      case 'field':
      case 'variable':
        return { kind: node.kind, pos: chain.pos, names: [...node.names, ...chain.names] }
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        return this.#reader.fail(`unexpected . after term ${quote(printNode(node))}`)
      default:
        return chain
    }
  }

  #term(): ArgumentNode | undefined {
    const token = this.#reader.nextNonSpace()
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
        this.#reader.backup()
        return undefined
    }
  }

  #function({ pos, text }: Token): ArgumentNode {
    if (!this.#shared.hasFunction(text)) this.#reader.fail(`function ${quote(text)} not defined`)
    this.#shared.functions.add(text)
    return { kind: 'identifier', pos, name: text }
  }

  #variable({ pos, text }: Token): VariableNode {
    if (!this.#variables.includes(text)) this.#reader.fail(`undefined variable ${quote(text)}`)
    return variableNode(pos, text)
  }

  #number(token: Token): ArgumentNode {
    const number = parseNumber(token)
    return typeof number === 'string' ? this.#reader.fail(number) : number
  }

  #parenthesis(): PipeNode {
    if (this.#parens >= maxParens) this.#reader.fail('max expression depth exceeded')
    this.#parens++
    const pipe = this.#pipeline('parenthesized pipeline', 'rightParen')
    this.#parens--
    return pipe
  }

  #unquote({ text }: Token): string {
    return unquote(text) ?? this.#reader.fail('invalid syntax')
  }
}

function isStop(node: Node | Stop): node is Stop {
  return node.kind === 'end' || node.kind === 'else'
}

function variableNode(pos: number, text: string): VariableNode {
  return { kind: 'variable', pos, names: text.split('.') }
}
