import { quote } from '../format/quote.ts'
import { Lexer, type LexerOptions } from './lexer.ts'
import { type BranchNode, isEmptyTree, type ListNode, type Node, type Tree } from './node.ts'
import { type FunctionNames, PipelineParser } from './pipeline-parser.ts'
import type { Token } from './token.ts'
import { TokenReader } from './token-reader.ts'

/** Levels of `if`, `with`, `range` and `block` within each other. */
const maxNesting = 500

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

interface Shared extends FunctionNames {
  readonly parseName: string
  readonly text: string
  readonly lexer: Lexer
  readonly trees: Map<string, Tree>
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
  readonly #pipelines: PipelineParser
  #ranges = 0

  constructor(shared: Shared, name: string) {
    this.#shared = shared
    this.#name = name
    this.#reader = new TokenReader(shared.lexer, shared.parseName)
    this.#pipelines = new PipelineParser(this.#reader, shared)
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
    this.#name = this.#pipelines.unquote(token)
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
        return { kind: 'action', pos: this.#reader.peek().pos, pipe: this.#pipelines.parse('command', 'rightDelim') }
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
    const scope = this.#pipelines.variables.length
    const pipe = this.#pipelines.parse(kind, 'rightDelim')
    if (kind === 'range') this.#ranges++
    const { list, stop } = this.#itemList()
    if (kind === 'range') this.#ranges--
    const elseList = stop.kind === 'else' ? this.#elseList(kind, stop) : undefined
    this.#pipelines.variables.length = scope
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
    const pipe = this.#pipelines.parse('block clause', 'rightDelim')
    new TreeParser(this.#shared, name).#parseBlock()
    return { kind: 'template', pos: token.pos, name, pipe }
  }

  #template(): Node {
    const token = this.#reader.nextNonSpace()
    const name = this.#templateName(token, 'template clause')
    if (this.#reader.nextNonSpace().kind === 'rightDelim')
      return { kind: 'template', pos: token.pos, name, pipe: undefined }
    this.#reader.backup()
    return { kind: 'template', pos: token.pos, name, pipe: this.#pipelines.parse('template clause', 'rightDelim') }
  }

  #templateName(token: Token, context: string): string {
    if (token.kind !== 'string' && token.kind !== 'rawString') this.#reader.unexpected(token, context)
    return this.#pipelines.unquote(token)
  }
}

function isStop(node: Node | Stop): node is Stop {
  return node.kind === 'end' || node.kind === 'else'
}
