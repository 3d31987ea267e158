import { GoError, GoFunction, GoInt, type GoList, type GoMap, GoObject, goType, type GoValue } from './value.ts'

/** Kinds of Go's reflection that values here can have. */
export type KindName =
  | 'invalid'
  | 'bool'
  | 'string'
  | 'float64'
  | 'map'
  | 'slice'
  | 'struct'
  | 'ptr'
  | 'func'
  | GoInt['kind']

/** Whether a value is a map, rather than one of the classes. */
export function isGoMap(value: GoValue): value is GoMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof GoInt) &&
    !(value instanceof GoObject) &&
    !(value instanceof GoFunction) &&
    !(value instanceof GoError)
  )
}

/** The type of a value as `%T` prints it. */
export function typeName(value: GoValue): string {
  if (value === null || value === undefined) return '<nil>'
  switch (typeof value) {
    case 'boolean':
      return 'bool'
    case 'number':
      return 'float64'
    case 'string':
      return 'string'
    default:
      return objectTypeName(value)
  }
}

function objectTypeName(value: GoInt | GoMap | GoList | GoObject | GoFunction | GoError): string {
  if (value instanceof GoInt) return value.kind
  if (value instanceof GoObject) return value.typeName
  if (value instanceof GoFunction) return functionTypeName(value)
  if (value instanceof GoError) return '*errors.errorString'
  return value[goType] ?? (Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}')
}

/** The kind of a value as sprig's `kindOf` prints it. */
export function kindName(value: GoValue): KindName {
  if (value === null || value === undefined) return 'invalid'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'float64'
  if (typeof value === 'string') return 'string'
  if (value instanceof GoInt) return value.kind
  if (value instanceof GoFunction) return 'func'
  if (value instanceof GoError) return 'ptr'
  if (value instanceof GoObject) return objectKind(value)
  return Array.isArray(value) ? 'slice' : 'map'
}

/** The type of what a list or a map holds; `interface {}` also for named types, whose definition is not known here. */
export function elementType(container: GoMap | GoList): string {
  const name = container[goType]
  if (name === undefined) return 'interface {}'
  if (name.startsWith('[]')) return name.slice(2)
  return name.startsWith('map[string]') ? name.slice('map[string]'.length) : 'interface {}'
}

/** The zero value of an element type, as Go gives it for a key that is missing. */
export function zeroOf(type: string): GoValue {
  switch (type) {
    case 'string':
      return ''
    case 'bool':
      return false
    case 'float64':
      return 0
    case 'int':
    case 'int64':
    case 'uint8':
      return new GoInt(0, type)
    default:
      return zeroContainer(type)
  }
}

function zeroContainer(type: string): GoValue {
  if (type.startsWith('[]')) return Object.assign([] as GoValue[], { [goType]: type })
  if (type.startsWith('map[')) return Object.assign(Object.create(null) as GoMap, { [goType]: type })
  return null
}

function objectKind(value: GoObject): KindName {
  if (value.typeName.startsWith('*')) return 'ptr'
  const underlying = value.underlying()
  return underlying === undefined ? 'struct' : kindName(underlying)
}

function functionTypeName({ parameters, variadic }: GoFunction): string {
  const types = parameters.map((type, index) => {
    const name = type === 'any' ? 'interface {}' : type
    return variadic && index === parameters.length - 1 ? `...${name}` : name
  })
  return `func(${types.join(', ')}) interface {}`
}
