import { isLadingError } from '../../../core/index.ts'
import { quote } from '../format/quote.ts'
import {
  type ArgumentNode,
  type AnyNode,
  type ChainNode,
  type CommandNode,
  type FieldNode,
  type IdentifierNode,
  type PipeNode,
  printNode,
  type VariableNode,
} from '../parse/node.ts'
import { truth } from '../truth.ts'
import { elementType, isGoMap, typeName, zeroOf } from '../type-name.ts'
import { GoError, GoFunction, type GoMap, goMethods, GoObject, type GoValue } from '../value.ts'
import { builtins, type Callable, callValue, interfaceIndex } from './builtins.ts'
import { canBeNil, constant, literal, validate, type Wanted } from './convert.ts'
import type { State } from './state.ts'

/** Stands for the value of a command before, where there is none. */
const missing: unique symbol = Symbol('missing')
type Final = GoValue | typeof missing
type Arguments = readonly ArgumentNode[] | undefined

/** The value of a pipeline; its variables are declared or set. What is nil comes out as no value, as in Go. */
export function evaluatePipeline(state: State, pipe: PipeNode): GoValue {
  state.node = pipe
  let final: Final = missing
  for (const command of pipe.commands) final = evaluateCommand(state, command, final) ?? undefined
  const value = final as GoValue
  for (const { names } of pipe.declared) {
    if (pipe.isAssign) state.setVariable(names[0] ?? '', value, false)
    else state.push(names[0] ?? '', value)
  }
  return value
}

function evaluateCommand(state: State, command: CommandNode, final: Final): GoValue {
  const { args } = command
  const first = args[0] as ArgumentNode
  switch (first.kind) {
    case 'field':
      return evaluateField(state, first, args, final)
    case 'chain':
      return evaluateChain(state, first, args, final)
    case 'identifier':
      return evaluateFunction(state, first, command, args, final)
    case 'pipe':
      refuseArguments(state, args, final)
      return evaluatePipeline(state, first)
    case 'variable':
      return evaluateVariable(state, first, args, final)
    default:
      state.node = first
      refuseArguments(state, args, final)
      if (first.kind === 'dot') return state.dot
      return first.kind === 'nil' ? state.fail('nil is not a command') : constant(state, first)
  }
}

function refuseArguments(state: State, args: Arguments, final: Final): void {
  if ((args !== undefined && args.length > 1) || final !== missing) {
    const [first] = args ?? []
    state.fail(`can't give argument to non-function ${first === undefined ? '' : printNode(first)}`)
  }
}

function evaluateField(state: State, node: FieldNode, args: Arguments, final: Final): GoValue {
  state.node = node
  return fieldChain(state, node, node.names, 0, state.dot, state.isDotInterface, args, final)
}

function evaluateChain(state: State, node: ChainNode, args: Arguments, final: Final): GoValue {
  state.node = node
  const receiver = evaluateArgument(state, node.node, 'value')
  return fieldChain(state, node, node.names, 0, receiver, false, args, final)
}

function evaluateVariable(state: State, node: VariableNode, args: Arguments, final: Final): GoValue {
  state.node = node
  const { value, isInterface } = state.variable(node.names[0] ?? '')
  if (node.names.length > 1) return fieldChain(state, node, node.names, 1, value, isInterface, args, final)
  refuseArguments(state, args, final)
  state.isArgumentInterface = isInterface
  return value
}

function fieldChain(
  state: State,
  node: ArgumentNode,
  names: readonly string[],
  start: number,
  first: GoValue,
  isFirstInterface: boolean,
  args: Arguments,
  final: Final,
): GoValue {
  let receiver = first
  let isInterface = isFirstInterface
  const last = names.length - 1
  for (let index = start; index <= last; index++) {
    const name = names[index] ?? ''
    const isLast = index === last
    const value = field(state, node, name, receiver, isInterface, isLast ? args : undefined, isLast ? final : missing)
    // What a map of interfaces holds is an interface to Go, and its errors say so.
    isInterface = isGoMap(receiver) ? elementType(receiver) === 'interface {}' : false
    receiver = value
  }
  state.isArgumentInterface = isInterface
  return receiver
}

function field(
  state: State,
  node: ArgumentNode,
  name: string,
  receiver: GoValue,
  isInterface: boolean,
  args: Arguments,
  final: Final,
): GoValue {
  if (receiver === undefined) {
    if (state.environment.missingKey === 'error') state.fail(`nil data; no entry for key ${quote(name)}`)
    return undefined
  }
  if (receiver === null) return state.fail(`nil pointer evaluating interface {}.${name}`)
  const hasArguments = (args !== undefined && args.length > 1) || final !== missing
  if (isGoMap(receiver)) {
    const method = receiver[goMethods]?.(name)
    if (method !== undefined) return call(state, method, undefined, node, name, args, final)
    return mapEntry(state, receiver, name, hasArguments)
  }
  const type = isInterface ? 'interface {}' : typeName(receiver)
  if (receiver instanceof GoObject) {
    const member = receiver.member(name)
    if (member instanceof GoFunction) return call(state, member, undefined, node, name, args, final)
    if (member !== undefined) {
      return hasArguments ? state.fail(`${name} has arguments but cannot be invoked as function`) : member
    }
    const underlying = receiver.underlying()
    if (isGoMap(underlying)) return mapEntry(state, underlying, name, hasArguments)
  }
  if (receiver instanceof GoError && name === 'Error' && !hasArguments) return receiver.message
  return state.fail(`can't evaluate field ${name} in type ${type}`)
}

function mapEntry(state: State, map: GoMap, name: string, hasArguments: boolean): GoValue {
  if (hasArguments) state.fail(`${name} is not a method but has arguments`)
  if (Object.hasOwn(map, name)) return map[name] === undefined ? null : map[name]
  switch (state.environment.missingKey) {
    case 'zero':
      return zeroOf(elementType(map))
    case 'error':
      return state.fail(`map has no entry for key ${quote(name)}`)
    case 'default':
      return undefined
  }
}

function evaluateFunction(state: State, node: IdentifierNode, shown: AnyNode, args: Arguments, final: Final): GoValue {
  state.node = node
  const own = state.environment.userFunction(node.name)
  if (own !== undefined) return call(state, own, undefined, shown, node.name, args, final)
  const builtin = builtins.get(node.name)
  if (builtin === undefined) return state.fail(`${quote(node.name)} is not a defined function`)
  return call(state, builtin, node.name, shown, node.name, args, final)
}

function call(
  state: State,
  fn: Callable,
  builtin: string | undefined,
  node: AnyNode,
  name: string,
  args: Arguments,
  final: Final,
): GoValue {
  state.environment.budget.step()
  const given = args === undefined ? 0 : args.length - 1
  const count = final === missing ? given : given + 1
  checkCount(state, fn, name, given, count)
  if (builtin === 'and' || builtin === 'or') return shortCircuit(state, builtin === 'or', args, final)
  const values: GoValue[] = []
  for (let index = 0; index < given; index++) {
    state.isArgumentInterface = false
    const value = evaluateArgument(state, args?.[index + 1] as ArgumentNode, parameter(fn, index))
    // Go's slice, alone of all, does not look into an interface for its indexes.
    const isRefused = builtin === 'slice' && index > 0 && value !== undefined && state.isArgumentInterface
    values.push(isRefused ? interfaceIndex : value)
  }
  if (final !== missing) values.push(validate(state, final, parameter(fn, given)))
  return run(state, fn, builtin === 'call' ? calleeName(args, final) : undefined, node, name, values)
}

function checkCount(
  state: State,
  { parameters, variadic }: Callable,
  name: string,
  given: number,
  count: number,
): void {
  if (!variadic) {
    if (count === parameters.length) return
    state.fail(`wrong number of args for ${name}: want ${parameters.length} got ${count}`)
  }
  const fixed = parameters.length - 1
  if (count < fixed) state.fail(`wrong number of args for ${name}: want at least ${fixed} got ${given}`)
}

function parameter({ parameters }: Callable, index: number): Wanted {
  return parameters[Math.min(index, parameters.length - 1)] ?? 'any'
}

function calleeName(args: Arguments, final: Final): string {
  const first = args?.[1]
  if (first !== undefined) return printNode(first)
  return typeof final === 'string' ? final : `<${typeName(final as GoValue)} Value>`
}

// `and` and `or` evaluate no more arguments than they need.
function shortCircuit(state: State, isOr: boolean, args: Arguments, final: Final): GoValue {
  let value: GoValue
  for (const arg of args?.slice(1) ?? []) {
    value = evaluateArgument(state, arg, 'value')
    if (truth(value) === isOr) return value
  }
  return final === missing ? value : final
}

function run(
  state: State,
  fn: Callable,
  callee: string | undefined,
  node: AnyNode,
  name: string,
  values: readonly GoValue[],
): GoValue {
  let result: GoValue
  try {
    result = callee === undefined ? fn.call(values) : callValue(callee, values[0], values.slice(1))
  } catch (error) {
    // What stops everything is not the function's own failure.
    if (error instanceof RangeError || isLadingError(error, 'template.limit', 'cancelled', 'timeout')) throw error
    state.node = node
    return state.fail(`error calling ${name}: ${error instanceof Error ? error.message : String(error)}`, error)
  }
  if (!(result instanceof GoError)) return result
  state.node = node
  return state.fail(`error calling ${name}: ${result.message}`, result)
}

function evaluateArgument(state: State, node: ArgumentNode, wanted: Wanted): GoValue {
  state.node = node
  switch (node.kind) {
    case 'dot':
      state.isArgumentInterface = state.isDotInterface
      return validate(state, state.dot, wanted)
    case 'nil':
      if (wanted === 'value') return undefined
      return canBeNil(wanted) ? null : state.fail(`cannot assign nil to ${wanted}`)
    case 'field':
      return validate(state, evaluateField(state, node, [node], missing), wanted)
    case 'variable':
      return validate(state, evaluateVariable(state, node, undefined, missing), wanted)
    case 'pipe':
      return validate(state, concrete(state, evaluatePipeline(state, node)), wanted)
    case 'identifier':
      return validate(state, concrete(state, evaluateFunction(state, node, node, undefined, missing)), wanted)
    case 'chain':
      return validate(state, evaluateChain(state, node, undefined, missing), wanted)
    default:
      return literal(state, node, wanted)
  }
}

function concrete(state: State, value: GoValue): GoValue {
  state.isArgumentInterface = false
  return value
}
