import { compareText } from '../format/bytes.ts'
import { goString, sprintf } from '../format/sprintf.ts'
import { quote } from '../format/quote.ts'
import {
  type ActionNode,
  type BranchNode,
  type ListNode,
  type Node,
  printNode,
  type TemplateNode,
} from '../parse/node.ts'
import { truth } from '../truth.ts'
import { elementType, isGoMap, typeName } from '../type-name.ts'
import { GoFunction, GoInt, type GoList, type GoMap, GoObject, type GoValue } from '../value.ts'
import { evaluatePipeline } from './evaluate.ts'
import { State } from './state.ts'

/** How a piece of a template ended: by running through, or by a jump that its range takes up. */
type End = 'break' | 'continue' | undefined

/** Executes a list of nodes. */
export function walkList(state: State, list: ListNode): End {
  state.node = list
  for (const node of list.nodes) {
    const end = walk(state, node)
    if (end !== undefined) return end
  }
  return undefined
}

function walk(state: State, node: Node): End {
  state.node = node
  state.environment.budget.step()
  switch (node.kind) {
    case 'text':
      state.write(node.text)
      return undefined
    case 'action':
      walkAction(state, node)
      return undefined
    case 'if':
    case 'with':
      return walkBranch(state, node)
    case 'range':
      return walkRange(state, node)
    case 'template':
      walkTemplate(state, node)
      return undefined
    case 'break':
    case 'continue':
      return node.kind
  }
}

function walkAction(state: State, node: ActionNode): void {
  const value = evaluatePipeline(state, node.pipe)
  if (node.pipe.declared.length > 0) return
  state.node = node
  if (value instanceof GoFunction) state.fail(`can't print ${printNode(node)} of type ${typeName(value)}`)
  const { print } = state.environment
  if (print !== undefined) return state.write(print(value, { source: printNode(node), line: state.lineOf(node) }))
  state.write((value instanceof GoObject ? value.addressedText() : undefined) ?? goString(value))
}

function walkBranch(state: State, node: BranchNode): End {
  const { mark, dot, isDotInterface } = state
  const value = evaluatePipeline(state, node.pipe)
  let end: End
  if (truth(value)) {
    if (node.kind === 'with') {
      state.dot = value
      state.isDotInterface = false
    }
    end = walkList(state, node.list)
    state.dot = dot
    state.isDotInterface = isDotInterface
  } else if (node.elseList !== undefined) end = walkList(state, node.elseList)
  state.pop(mark)
  return end
}

function walkRange(state: State, node: BranchNode): End {
  const { mark, dot, isDotInterface } = state
  const value = evaluatePipeline(state, node.pipe)
  const hasRun = rangeOver(state, node, value instanceof GoObject ? (value.underlying() ?? value) : value)
  state.dot = dot
  state.isDotInterface = isDotInterface
  let end: End
  // Go's range takes up a break in its own else, where a continue is for the range around it.
  if (!hasRun && node.elseList !== undefined) end = walkList(state, node.elseList)
  state.pop(mark)
  return end === 'break' ? undefined : end
}

// Whether there was anything to iterate over.
function rangeOver(state: State, node: BranchNode, value: GoValue): boolean {
  if (value === undefined) return false
  if (Array.isArray(value)) return rangeList(state, node, value)
  if (value instanceof GoInt) return rangeInteger(state, node, value)
  if (isGoMap(value)) return rangeMap(state, node, value)
  return state.fail(`range can't iterate over ${sprintf('%v', [value])}`)
}

function rangeList(state: State, node: BranchNode, list: GoList): boolean {
  const isInterface = elementType(list) === 'interface {}'
  const needsIndex = node.pipe.declared.length > 1
  // A list that grows meanwhile is ranged over as it was, as a Go slice is.
  const { length } = list
  for (let index = 0; index < length; index++) {
    const position = needsIndex ? new GoInt(index) : undefined
    if (iterate(state, node, position, list[index] ?? null, isInterface)) break
  }
  return length > 0
}

function rangeMap(state: State, node: BranchNode, map: GoMap): boolean {
  const isInterface = elementType(map) === 'interface {}'
  const entries = Object.entries(map).sort(([a], [b]) => compareText(a, b))
  for (const [key, value] of entries) if (iterate(state, node, key, value ?? null, isInterface)) break
  return entries.length > 0
}

function rangeInteger(state: State, node: BranchNode, { value, kind }: GoInt): boolean {
  if (node.pipe.declared.length > 1) state.fail(`can't use ${value} to iterate over more than one variable`)
  for (let count = 0n; count < value; count++) {
    if (iterate(state, node, undefined, new GoInt(count, kind), false)) break
  }
  return value > 0n
}

// True ends the loop.
function iterate(state: State, node: BranchNode, key: GoValue, value: GoValue, isInterface: boolean): boolean {
  const { declared, isAssign } = node.pipe
  const { mark } = state
  const [first, second] = declared
  // A body can be empty.
  state.environment.budget.step()
  if (first !== undefined && isAssign) {
    const [name = ''] = first.names
    if (second === undefined) state.setVariable(name, value, isInterface)
    else {
      state.setVariable(name, key, false)
      state.setVariable(second.names[0] ?? '', value, isInterface)
    }
  } else if (first !== undefined) {
    state.setTop(1, value, isInterface)
    if (second !== undefined) state.setTop(2, key, false)
  }
  state.dot = value
  state.isDotInterface = isInterface
  const end = walkList(state, node.list)
  state.pop(mark)
  return end === 'break'
}

function walkTemplate(state: State, node: TemplateNode): void {
  const { environment, output } = state
  const { budget } = environment
  const tree = environment.tree(node.name)
  if (tree === undefined) return state.fail(`template ${quote(node.name)} not defined`)
  const dot = node.pipe === undefined ? undefined : evaluatePipeline(state, node.pipe)
  state.node = node
  budget.enter(node.name, () => walkList(new State(environment, tree, dot, output), tree.root))
}
