/**
 * Go's text/template in TypeScript.
 *
 * @module
 */
export { type Limits } from './execute/budget.ts'
export { compareBasic, equalsAny } from './execute/compare.ts'
export { type MissingKey, type PrintAction } from './execute/state.ts'
export { byteLength, compareText, fromBytes, toBytes } from './format/bytes.ts'
export { formatFloat } from './format/float.ts'
export { quote } from './format/quote.ts'
export { formatPrint, goString, sprintf } from './format/sprintf.ts'
export { TemplateSet, type TemplateSetOptions } from './template-set.ts'
export { TreeCache } from './tree-cache.ts'
export { truth } from './truth.ts'
export { isGoMap, kindName, typeName } from './type-name.ts'
export {
  GoError,
  GoFunction,
  GoInt,
  type GoList,
  type GoMap,
  GoObject,
  goType,
  type GoValue,
  type IntKind,
  type ParameterType,
} from './value.ts'
export type { FloatVerb } from './format/float.ts'
export type { ParsedText } from './parse/parser.ts'
export type { Shared as SharedTemplates } from './template-set.ts'
export type { KindName } from './type-name.ts'
export type { Budget } from './execute/budget.ts'
export type {
  ActionNode,
  ArgumentNode,
  BoolNode,
  BranchNode,
  ChainNode,
  CommandNode,
  FieldNode,
  IdentifierNode,
  JumpNode,
  ListNode,
  Node,
  NumberNode,
  PipeNode,
  Placed,
  StringNode,
  TemplateNode,
  TextNode,
  Tree,
  VariableNode,
  WordNode,
} from './parse/node.ts'
