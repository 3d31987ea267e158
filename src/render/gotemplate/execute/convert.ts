import { type ArgumentNode, type NumberNode, printNode } from '../parse/node.ts'
import { elementType, isGoMap, typeName } from '../type-name.ts'
import { GoError, GoInt, GoObject, goType, type GoValue, type ParameterType } from '../value.ts'
import type { State } from './state.ts'

/** What a parameter asks for; `value` is Go's reflect.Value, which tells a missing value from nil. */
export type Wanted = ParameterType | 'value'

/** A value as a parameter takes it, or the end of the template where it does not. */
export function validate(state: State, value: GoValue, wanted: Wanted): GoValue {
  if (wanted === 'value') return value
  if (wanted === 'any') return value === undefined ? null : value
  if (value === undefined) return canBeNil(wanted) ? null : state.fail(`invalid value; expected ${wanted}`)
  const assigned = assign(value, wanted)
  if (assigned !== undefined) return assigned
  const got = value === null ? 'interface {}' : typeName(value)
  return state.fail(`wrong type for value; expected ${wanted}; got ${got}`)
}

const notNil: ReadonlySet<Wanted> = new Set<Wanted>([
  'string',
  'bool',
  'int',
  'int64',
  'float64',
  'time.Time',
  'sprig.certificate',
])

/** Whether Go's nil fits a parameter. */
export function canBeNil(wanted: Wanted): boolean {
  return !notNil.has(wanted)
}

/** The value under the type of a parameter, where Go can assign the one to the other; otherwise undefined. */
export function assign(value: GoValue, wanted: ParameterType): GoValue {
  switch (wanted) {
    case 'any':
      return value
    case 'string':
      return typeof value === 'string' ? value : undefined
    case 'bool':
      return typeof value === 'boolean' ? value : undefined
    case 'float64':
      return typeof value === 'number' ? value : undefined
    case 'int':
    case 'int64':
      return value instanceof GoInt && value.kind === wanted ? value : undefined
    case 'error':
      return value instanceof GoError ? value : undefined
    default:
      return assignContainer(value, wanted)
  }
}

// A named type is assignable to the type that it was defined by; of named types only the elements are known here.
function assignContainer(value: GoValue, wanted: ParameterType): GoValue {
  if (value instanceof GoObject && value.typeName === wanted) return value
  const isObject = value instanceof GoObject && !value.typeName.startsWith('*')
  const container = isObject ? value.underlying() : value
  const isList = Array.isArray(container)
  if (!isList && !isGoMap(container)) return undefined
  if (isList !== wanted.startsWith('[]')) return undefined
  const name = container[goType]
  if (name === wanted) return container
  const isNamed = name === undefined || !/^(\[\]|map\[)/.test(name)
  const element = wanted.slice(wanted.indexOf(']') + 1)
  return isNamed && elementType(container) === element ? container : undefined
}

/** A literal as an argument of a parameter's type. */
export function literal(state: State, node: ArgumentNode, wanted: Wanted): GoValue {
  switch (wanted) {
    case 'any':
    case 'value':
      return constant(state, node)
    case 'string':
      return node.kind === 'string' ? node.text : state.fail(`expected string; found ${printNode(node)}`)
    case 'bool':
      return node.kind === 'bool' ? node.value : state.fail(`expected bool; found ${printNode(node)}`)
    case 'float64':
      return node.kind === 'number' ? node.float : state.fail(`expected float; found ${printNode(node)}`)
    case 'int':
    case 'int64':
      if (node.kind === 'number' && node.int !== undefined) return new GoInt(node.int, wanted)
      return state.fail(`expected integer; found ${printNode(node)}`)
    default:
      return state.fail(`can't handle ${printNode(node)} for arg of type ${wanted}`)
  }
}

/** The value of a constant where nothing says its type. */
export function constant(state: State, node: ArgumentNode): GoValue {
  if (node.kind === 'string') return node.text
  if (node.kind === 'bool') return node.value
  if (node.kind === 'number') return numberConstant(state, node)
  return state.fail(`can't handle assignment of ${printNode(node)} to empty interface argument`)
}

function numberConstant(state: State, node: NumberNode): GoValue {
  state.node = node
  const { text } = node
  const isHexInteger = /^0[xX]/.test(text) && text.length > 2 && !/[pP]/.test(text)
  if (!isHexInteger && !text.startsWith("'") && /[.eEpP]/.test(text)) return node.float
  return node.int === undefined ? state.fail(`${text} overflows int`) : new GoInt(node.int)
}
