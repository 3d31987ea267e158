import { quote } from '../format/quote.ts'
import {
  type ArgumentNode,
  type ChainNode,
  type CommandNode,
  type PipeNode,
  printNode,
  type VariableNode,
} from './node.ts'
import { parseNumber } from './number.ts'
import type { Token, TokenKind } from './token.ts'
import type { TokenReader } from './token-reader.ts'
import { unquote } from './unquote.ts'

/** Go allows 10,000 levels of parentheses; the stack of JavaScript is smaller. */
const maxParens = 1000
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

/** Functions that there are, and those that a text names. */
export interface FunctionNames {
  readonly functions: Set<string>
  readonly hasFunction: (name: string) => boolean
}

/** Reads pipelines, and knows which variables are declared where. */
export class PipelineParser {
  /** Variables in scope, the outermost first. */
  readonly variables = ['$']
  readonly #reader: TokenReader
  readonly #names: FunctionNames
  #parens = 0

  constructor(reader: TokenReader, names: FunctionNames) {
    this.#reader = reader
    this.#names = names
  }

  /** A pipeline up to its end, which is read too. */
  parse(context: string, end: TokenKind): PipeNode {
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
    this.variables.push(token.text)
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
        return { kind: 'string', pos, quoted: text, text: this.unquote(token) }
      default:
        this.#reader.backup()
        return undefined
    }
  }

  #function({ pos, text }: Token): ArgumentNode {
    if (!this.#names.hasFunction(text)) this.#reader.fail(`function ${quote(text)} not defined`)
    this.#names.functions.add(text)
    return { kind: 'identifier', pos, name: text }
  }

  #variable({ pos, text }: Token): VariableNode {
    if (!this.variables.includes(text)) this.#reader.fail(`undefined variable ${quote(text)}`)
    return variableNode(pos, text)
  }

  #number(token: Token): ArgumentNode {
    const number = parseNumber(token)
    return typeof number === 'string' ? this.#reader.fail(number) : number
  }

  #parenthesis(): PipeNode {
    if (this.#parens >= maxParens) this.#reader.fail('max expression depth exceeded')
    this.#parens++
    const pipe = this.parse('parenthesized pipeline', 'rightParen')
    this.#parens--
    return pipe
  }

  /** The text of a quoted token. */
  unquote({ text }: Token): string {
    return unquote(text) ?? this.#reader.fail('invalid syntax')
  }
}

function variableNode(pos: number, text: string): VariableNode {
  return { kind: 'variable', pos, names: text.split('.') }
}
