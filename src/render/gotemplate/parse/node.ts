import { quote } from '../format/quote.ts'

/** A node that knows its position in the text. */
export interface Placed {
  /** Index into the text. */
  readonly pos: number
}

/** A piece of text that is printed as it stands. */
export interface TextNode extends Placed {
  readonly kind: 'text'
  readonly text: string
}

/** A sequence. */
export interface ListNode extends Placed {
  readonly kind: 'list'
  readonly nodes: Node[]
}

/** `{{ pipeline }}` */
export interface ActionNode extends Placed {
  readonly kind: 'action'
  readonly pipe: PipeNode
}

/** `{{if}}`, `{{with}}` and `{{range}}`. */
export interface BranchNode extends Placed {
  readonly kind: 'if' | 'with' | 'range'
  readonly pipe: PipeNode
  readonly list: ListNode
  readonly elseList: ListNode | undefined
}

/** `{{template}}`, and where a `{{block}}` stands. */
export interface TemplateNode extends Placed {
  readonly kind: 'template'
  readonly name: string
  readonly pipe: PipeNode | undefined
}

/** `{{break}}` and `{{continue}}`. */
export interface JumpNode extends Placed {
  readonly kind: 'break' | 'continue'
}

/** `$a, $b := command | command` */
export interface PipeNode extends Placed {
  readonly kind: 'pipe'
  isAssign: boolean
  readonly declared: VariableNode[]
  readonly commands: CommandNode[]
}

/** A function or value, and its arguments. */
export interface CommandNode extends Placed {
  readonly kind: 'command'
  readonly args: ArgumentNode[]
}

/** The name of a function. */
export interface IdentifierNode extends Placed {
  readonly kind: 'identifier'
  readonly name: string
}

/** `$x.a.b`: names[0] is `$x`. */
export interface VariableNode extends Placed {
  readonly kind: 'variable'
  readonly names: readonly string[]
}

/** `.a.b` */
export interface FieldNode extends Placed {
  readonly kind: 'field'
  readonly names: readonly string[]
}

/** `(pipeline).a.b` */
export interface ChainNode extends Placed {
  readonly kind: 'chain'
  readonly node: ArgumentNode
  readonly names: string[]
}

/** `.` and `nil`. */
export interface WordNode extends Placed {
  readonly kind: 'dot' | 'nil'
}

/** `true` and `false`. */
export interface BoolNode extends Placed {
  readonly kind: 'bool'
  readonly value: boolean
}

/** A text between quotes. */
export interface StringNode extends Placed {
  readonly kind: 'string'
  readonly quoted: string
  readonly text: string
}

/** A number, under every type that can hold it, as Go's untyped constants are. */
export interface NumberNode extends Placed {
  readonly kind: 'number'
  readonly text: string
  readonly int: bigint | undefined
  readonly isUint: boolean
  readonly float: number
}

/** What can stand in a command. */
export type ArgumentNode =
  | IdentifierNode
  | VariableNode
  | FieldNode
  | ChainNode
  | WordNode
  | BoolNode
  | StringNode
  | NumberNode
  | PipeNode

/** What can stand in a list. */
export type Node = TextNode | ActionNode | BranchNode | TemplateNode | JumpNode

/** Everything that an error can point to. */
export type AnyNode = Node | ListNode | CommandNode | ArgumentNode

/** One parsed template. */
export interface Tree {
  readonly name: string
  /** Name of the file that it stands in, for error messages. */
  readonly parseName: string
  readonly text: string
  readonly root: ListNode
}

const goSpace = /^[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*$/

/** Whether a template holds nothing but white space; such a definition does not replace another. */
export function isEmptyTree({ root }: Tree): boolean {
  return root.nodes.every((node) => node.kind === 'text' && goSpace.test(node.text))
}

/** A node in the words of the template language, as Go's errors show it. */
export function printNode(node: AnyNode): string {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'list':
      return node.nodes.map(printNode).join('')
    case 'action':
      return `{{${printPipe(node.pipe)}}}`
    case 'if':
    case 'with':
    case 'range':
      return printBranch(node)
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe === undefined ? '' : ` ${printPipe(node.pipe)}`}}}`
    case 'break':
    case 'continue':
      return `{{${node.kind}}}`
    case 'command':
      return node.args.map(printArgument).join(' ')
    default:
      return printOperand(node)
  }
}

function printOperand(node: ArgumentNode): string {
  switch (node.kind) {
    case 'pipe':
      return printPipe(node)
    case 'identifier':
      return node.name
    case 'variable':
      return node.names.join('.')
    case 'field':
      return `.${node.names.join('.')}`
    case 'chain':
      return `${printArgument(node.node)}.${node.names.join('.')}`
    case 'dot':
      return '.'
    case 'nil':
      return 'nil'
    case 'bool':
      return String(node.value)
    case 'number':
      return node.text
    case 'string':
      return node.quoted
  }
}

function printArgument(node: ArgumentNode): string {
  return node.kind === 'pipe' ? `(${printNode(node)})` : printNode(node)
}

function printPipe({ declared, isAssign, commands }: PipeNode): string {
  const names = declared.map(printNode).join(', ')
  const sign = isAssign ? ' = ' : ' := '
  return (declared.length > 0 ? names + sign : '') + commands.map(printNode).join(' | ')
}

function printBranch({ kind, pipe, list, elseList }: BranchNode): string {
  const otherwise = elseList === undefined ? '' : `{{else}}${printNode(elseList)}`
  return `{{${kind} ${printNode(pipe)}}}${printNode(list)}${otherwise}{{end}}`
}
