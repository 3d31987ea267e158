/**
 * What a template computes with. `null` is Go's nil; `undefined` is what a map gives for a key that it does not have. Floats are
 * JavaScript numbers (`float64`), every integer is a `GoInt`. Strings are Go's bytes: one that is not UTF-8 holds each wrong byte
 * as a lone surrogate, U+DC80 to U+DCFF, so that bytes survive a way through templates.
 */
export type GoValue =
  | null
  | undefined
  | boolean
  | string
  | number
  | GoInt
  | GoMap
  | GoList
  | GoObject
  | GoFunction
  | GoError

/** Kinds of Go's integers. */
export type IntKind = 'int' | 'int8' | 'int16' | 'int32' | 'int64' | 'uint' | 'uint8' | 'uint16' | 'uint32' | 'uint64'

/** An integer and its kind. */
export class GoInt {
  readonly kind: IntKind
  readonly value: bigint
  constructor(value: bigint | number, kind: IntKind = 'int') {
    this.kind = kind
    this.value = typeof value === 'bigint' ? value : BigInt(value)
  }
}

/** Where a list or a map carries a Go type other than `[]interface {}` and `map[string]interface {}`, such as `[]string`. */
export const goType: unique symbol = Symbol('goType')

/** Where a map of a named type carries its methods; a method hides a key of its name, as in Go. */
export const goMethods: unique symbol = Symbol('goMethods')

/** A map with text keys; made without a prototype. Functions such as `set` change it in place, as in Go. */
export interface GoMap {
  [key: string]: GoValue
  [goType]?: string
  [goMethods]?: (name: string) => GoFunction | undefined
}

/** A list. */
export interface GoList extends Array<GoValue> {
  [goType]?: string
}

/** A struct or a named type with methods. */
export abstract class GoObject {
  /** As `%T` prints it. */
  abstract readonly typeName: string
  /** What `{{ .name }}` gives: a field, a method without arguments already bound, or undefined where there is neither. */
  abstract member(name: string): GoValue
  /** What it is to range, len, index, printf and truth, where that is not a struct. */
  underlying(): GoValue {
    return undefined
  }
  /** What its `String` or `Error` method gives, for types that have one. */
  text(): string | undefined {
    return undefined
  }
  /** What its pointer's `String` method gives: only an action that prints the value itself takes the address and finds it. */
  addressedText(): string | undefined {
    return this.text()
  }
  /** Its fields in Go's order, as printf shows a struct. */
  fields(): readonly (readonly [name: string, value: GoValue])[] {
    return []
  }
}

/** Go types that a function can ask of its arguments; the engine converts and refuses as reflection does. */
export type ParameterType =
  | 'any'
  | 'string'
  | 'bool'
  | 'int'
  | 'int64'
  | 'float64'
  | 'error'
  | 'map[string]interface {}'
  | '[]interface {}'
  | '[]string'
  | 'time.Time'
  | 'sprig.certificate'

/** A function that templates call. */
export class GoFunction {
  readonly name: string
  /** Go's nil arrives as null, also where the parameter is a map or a list: there it is Go's nil map or nil slice. */
  readonly parameters: readonly ParameterType[]
  /** The last parameter takes any number of arguments. */
  readonly variadic: boolean
  readonly call: (args: readonly GoValue[]) => GoValue
  constructor(
    name: string,
    parameters: readonly ParameterType[],
    call: (args: readonly GoValue[]) => GoValue,
    variadic = false,
  ) {
    this.name = name
    this.parameters = parameters
    this.call = call
    this.variadic = variadic
  }
}

/** What a function returns as its error, or throws to end the template: the engine adds the place. */
export class GoError extends Error {
  override readonly name = 'GoError'
}
