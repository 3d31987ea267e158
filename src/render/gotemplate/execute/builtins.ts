import { byteLength, fromBytes, toBytes } from '../format/bytes.ts'
import { formatPrint, formatPrintln, goString, sprintf } from '../format/sprintf.ts'
import { truth } from '../truth.ts'
import { elementType, isGoMap, typeName, zeroOf } from '../type-name.ts'
import { GoError, GoFunction, GoInt, type GoList, GoObject, goType, type GoValue } from '../value.ts'
import { equalsAny, isLess } from './compare.ts'
import { assign, canBeNil, type Wanted } from './convert.ts'
import { escapeHtml, escapeJs, escapeQuery } from './escape.ts'

/** A function, and what the engine must know to call it. */
export interface Callable {
  readonly parameters: readonly Wanted[]
  readonly variadic: boolean
  readonly call: (args: readonly GoValue[]) => GoValue
}

/** Functions of Go's text/template; `and`, `or` and `call` are evaluated by the engine itself. */
export const builtins: ReadonlyMap<string, Callable> = new Map<string, Callable>([
  ['and', variadic(['value', 'value'], () => undefined)],
  ['or', variadic(['value', 'value'], () => undefined)],
  ['call', variadic(['value', 'value'], () => undefined)],
  ['html', variadic(['any'], (args) => escapeHtml(printed(args)))],
  ['index', variadic(['value', 'value'], ([item, ...indexes]) => index(item, indexes))],
  ['js', variadic(['any'], (args) => escapeJs(printed(args)))],
  ['len', fixed(['value'], ([item]) => length(item))],
  ['not', fixed(['value'], ([value]) => !truth(value))],
  ['print', variadic(['any'], formatPrint)],
  ['printf', variadic(['string', 'any'], ([format, ...args]) => sprintf(format as string, args))],
  ['println', variadic(['any'], formatPrintln)],
  ['slice', variadic(['value', 'value'], ([item, ...indexes]) => slice(item, indexes))],
  ['urlquery', variadic(['any'], (args) => escapeQuery(printed(args)))],
  ['eq', variadic(['value', 'value'], ([first, ...others]) => equalsAny(first, others))],
  ['ne', fixed(['value', 'value'], ([a, b]) => !equalsAny(a, [b]))],
  ['lt', fixed(['value', 'value'], ([a, b]) => isLess(a, b))],
  ['le', fixed(['value', 'value'], ([a, b]) => isLess(a, b) || equalsAny(a, [b]))],
  ['gt', fixed(['value', 'value'], ([a, b]) => !(isLess(a, b) || equalsAny(a, [b])))],
  ['ge', fixed(['value', 'value'], ([a, b]) => !isLess(a, b))],
])

/** Stands for an index that Go would see as an `interface {}`. */
export const interfaceIndex: GoObject = new (class extends GoObject {
  readonly typeName = 'interface {}'
  member(): GoValue {
    return undefined
  }
})()

/** Go's `call`: the name is that of the argument that gave the function. */
export function callValue(name: string, fn: GoValue, args: readonly GoValue[]): GoValue {
  if (fn === null || fn === undefined) throw new GoError('call of nil')
  if (!(fn instanceof GoFunction)) throw new GoError(`non-function ${name} of type ${typeName(fn)}`)
  const { parameters, variadic: isVariadic } = fn
  const fixedCount = isVariadic ? parameters.length - 1 : parameters.length
  if (isVariadic ? args.length < fixedCount : args.length !== fixedCount) {
    const want = isVariadic ? `at least ${fixedCount}` : fixedCount
    throw new GoError(`wrong number of args for ${name}: got ${args.length} want ${want}`)
  }
  return fn.call(
    args.map((arg, position) => prepare(arg, parameters[Math.min(position, parameters.length - 1)] ?? 'any', position)),
  )
}

function prepare(arg: GoValue, wanted: GoFunction['parameters'][number], position: number): GoValue {
  const shown = wanted === 'any' ? 'interface {}' : wanted
  if (arg === null || arg === undefined) {
    if (canBeNil(wanted)) return null
    throw new GoError(`arg ${position}: value is nil; should be of type ${shown}`)
  }
  const assigned = assign(arg, wanted)
  if (assigned !== undefined) return assigned
  if (arg instanceof GoInt && (wanted === 'int' || wanted === 'int64')) {
    return new GoInt(BigInt.asIntN(64, arg.value), wanted)
  }
  throw new GoError(`arg ${position}: value has type ${typeName(arg)}; should be ${shown}`)
}

function printed(args: readonly GoValue[]): string {
  const [only] = args
  if (args.length === 1 && typeof only === 'string') return only
  return formatPrint(args.map((arg) => (arg === null ? goString(undefined) : arg)))
}

function length(item: GoValue): GoValue {
  if (item === undefined) throw new GoError('reflect: call of reflect.Value.Type on zero Value')
  if (item === null) throw new GoError('len of nil pointer')
  const value = plain(item)
  if (typeof value === 'string') return new GoInt(byteLength(value))
  if (Array.isArray(value)) return new GoInt(value.length)
  if (isGoMap(value)) return new GoInt(Object.keys(value).length)
  throw new GoError(`len of type ${pointedType(item)}`)
}

function index(item: GoValue, indexes: readonly GoValue[]): GoValue {
  if (item === null || item === undefined) throw new GoError('index of untyped nil')
  let value: GoValue = item
  for (const position of indexes) {
    if (value === null || value === undefined) throw new GoError('index of nil pointer')
    value = indexOnce(value, position)
  }
  return value
}

function indexOnce(item: GoValue, position: GoValue): GoValue {
  const value = plain(item)
  if (typeof value === 'string') {
    const bytes = toBytes(value)
    const at = indexArgument(position, bytes.length)
    if (at === bytes.length) throw new GoError('reflect: string index out of range')
    return new GoInt(bytes[at] ?? 0, 'uint8')
  }
  if (Array.isArray(value)) {
    const at = indexArgument(position, value.length)
    if (at === value.length) throw new GoError('reflect: slice index out of range')
    return value[at]
  }
  if (!isGoMap(value)) throw new GoError(`can't index item of type ${pointedType(item)}`)
  const key = plain(position)
  if (key === null || key === undefined) throw new GoError('value is nil; should be of type string')
  if (typeof position !== 'string') throw new GoError(`value has type ${typeName(position)}; should be string`)
  return Object.hasOwn(value, position) ? value[position] : zeroOf(elementType(value))
}

function slice(item: GoValue, indexes: readonly GoValue[]): GoValue {
  if (item === null || item === undefined) throw new GoError('slice of untyped nil')
  if (indexes.length > 3) throw new GoError(`too many slice indexes: ${indexes.length}`)
  const value = plain(item)
  if (typeof value === 'string' && indexes.length === 3) throw new GoError('cannot 3-index slice a string')
  if (typeof value !== 'string' && !Array.isArray(value))
    throw new GoError(`can't slice item of type ${pointedType(item)}`)
  const bytes = typeof value === 'string' ? toBytes(value) : undefined
  const size = bytes?.length ?? value.length
  const bounds = indexes.map((position) => indexArgument(position, size))
  const from = bounds[0] ?? 0
  const to = bounds[1] ?? size
  if (from > to) throw new GoError(`invalid slice index: ${from} > ${to}`)
  const capacity = bounds[2] ?? size
  if (to > capacity) throw new GoError(`invalid slice index: ${to} > ${capacity}`)
  if (bytes !== undefined) return fromBytes(bytes.subarray(from, to))
  const list = value as GoList
  const part: GoList = list.slice(from, to)
  if (list[goType] !== undefined) part[goType] = list[goType]
  return part
}

function indexArgument(position: GoValue, limit: number): number {
  const value = plain(position)
  if (value === null || value === undefined) throw new GoError('cannot index slice/array with nil')
  if (!(value instanceof GoInt)) throw new GoError(`cannot index slice/array with type ${typeName(position)}`)
  const at = BigInt.asIntN(64, value.value)
  if (at < 0n || at > BigInt(limit)) throw new GoError(`index out of range: ${at}`)
  return Number(at)
}

// Go looks behind pointers before it says what it cannot use.
function pointedType(value: GoValue): string {
  return typeName(value).replace(/^\*/, '')
}

// A named type works as what it is made of.
function plain(value: GoValue): GoValue {
  return value instanceof GoObject ? (value.underlying() ?? value) : value
}

function fixed(parameters: readonly Wanted[], call: Callable['call']): Callable {
  return { parameters, variadic: false, call }
}

function variadic(parameters: readonly Wanted[], call: Callable['call']): Callable {
  return { parameters, variadic: true, call }
}
