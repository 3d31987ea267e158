import { isRecord, stringifyJson } from '../../core/index.ts'
import { goFields, type SchemaNode } from '../../schema/index.ts'
import { setOwn } from '../clone.ts'
import { badRequest, TypeMismatch } from '../status-error.ts'
import { canonicalQuantity } from './quantity.ts'

/**
 * Reads a value into a built-in type as the API server's typed decoding does: unknown fields and nulls fall away, so do zero
 * values of fields that are no pointers and empty maps and lists, and what Go always writes is there.
 */
export function decodeBuiltin(node: SchemaNode, value: unknown): unknown {
  return decoderOf(node)(value)
}

type Decoder = (value: unknown) => unknown

interface FieldDecoder {
  readonly decode: Decoder
  /** Left out when it comes to the zero value of its type. */
  readonly dropsZero: boolean
}

const decoders = new WeakMap<SchemaNode, Decoder>()

function decoderOf(node: SchemaNode): Decoder {
  let decoder = decoders.get(node)
  if (decoder === undefined) {
    decoder = makeDecoder(node)
    decoders.set(node, decoder)
  }
  return decoder
}

function makeDecoder(node: SchemaNode): Decoder {
  switch (node.shape) {
    case 'struct':
      return structDecoder(node)
    case 'map':
      return mapDecoder(node)
    case 'list':
      return listDecoder(node)
    case 'scalar':
      return scalarDecoder(node)
    case 'any':
      return (value) => value
  }
}

function structDecoder(node: SchemaNode): Decoder {
  const { always, null: nulls, zero } = goFields(node.typeName ?? '')
  const fields = new Map<string, FieldDecoder>()
  const written: [string, SchemaNode | undefined][] = []
  for (const name of node.fieldNames) {
    const field = node.field(name)
    if (field === undefined) continue
    // An object without fields of its own stands behind a pointer, as `subresources.status` of a CRD does.
    const entries = field.shape === 'map' && field.raw.additionalProperties !== undefined
    const empty = (field.shape === 'list' || entries) && !always.has(name)
    // Made when it is first needed: types may contain themselves.
    const decode: Decoder = (value) => decoderOf(field)(value)
    fields.set(name, { decode, dropsZero: empty || zero.has(name) })
    if (always.has(name)) written.push([name, field])
    else if (nulls.has(name)) written.push([name, undefined])
  }
  const owner = (node.typeName ?? '').split('.').at(-1) ?? ''
  return (value) => {
    if (!isRecord(value)) throw mismatch(value, node)
    const result: Record<string, unknown> = {}
    for (const [name, given] of Object.entries(value)) {
      const field = given === null ? undefined : fields.get(name)
      if (field === undefined) continue
      const decoded = decodeField(field, given, name, owner)
      if (!(field.dropsZero && isZero(decoded))) result[name] = decoded
    }
    for (const [name, field] of written) {
      if (result[name] === undefined) result[name] = field === undefined ? null : zeroValue(field)
    }
    return result
  }
}

function decodeField(field: FieldDecoder, given: unknown, name: string, owner: string): unknown {
  try {
    return field.decode(given)
  } catch (error) {
    throw error instanceof TypeMismatch ? error.below(name, owner) : error
  }
}

function mapDecoder(node: SchemaNode): Decoder {
  if (node.field('')?.scalar === 'quantity') return resourcesDecoder(node)
  return (value) => {
    if (!isRecord(value)) throw mismatch(value, node)
    const result: Record<string, unknown> = {}
    for (const [key, entry] of Object.entries(value)) {
      const field = node.field(key)
      setOwn(result, key, field === undefined ? entry : entryOf(field, entry))
    }
    return result
  }
}

function resourcesDecoder(node: SchemaNode): Decoder {
  return (value) => {
    if (!isRecord(value)) throw mismatch(value, node)
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, decodeQuantity(entry ?? '0', true)]))
  }
}

function decodeQuantity(value: unknown, thousandths: boolean): string {
  const readable = typeof value === 'string' || typeof value === 'number'
  const canonical = readable ? canonicalQuantity(value, thousandths) : undefined
  if (canonical === undefined) throw badRequest('quantities must match the pattern of numbers with a unit')
  return canonical
}

function listDecoder(node: SchemaNode): Decoder {
  const items = node.items()
  return (value) => {
    if (!Array.isArray(value)) throw mismatch(value, node)
    return items === undefined ? [...value] : value.map((item) => entryOf(items, item))
  }
}

function entryOf(node: SchemaNode, value: unknown): unknown {
  return value === null ? zeroValue(node) : decoderOf(node)(value)
}

function scalarDecoder(node: SchemaNode): Decoder {
  const { scalar, format } = node
  switch (scalar) {
    case 'quantity':
      return (value) => decodeQuantity(value, false)
    case 'int-or-string':
      return (value) => checked(node, value, typeof value === 'string' || Number.isInteger(value))
    case 'integer':
      return (value) => checked(node, value, isInteger(value, format === 'int32'))
    case 'number':
      return (value) => checked(node, value, typeof value === 'number' || typeof value === 'bigint')
    case 'boolean':
      return (value) => checked(node, value, typeof value === 'boolean')
    case 'string':
    case undefined:
      if (format === 'byte') return (value) => decodeBytes(value)
      if (format === 'date-time') return timeDecoder(node.typeName?.endsWith('.MicroTime') === true)
      return (value) => checked(node, value, typeof value === 'string')
  }
}

function isInteger(value: unknown, small: boolean): boolean {
  if (!Number.isInteger(value)) return typeof value === 'bigint' && !small
  return !small || Math.abs((value as number) + 0.5) < 2 ** 31
}

function checked(node: SchemaNode, value: unknown, good: boolean): unknown {
  if (!good) throw mismatch(value, node)
  return value
}

function decodeBytes(value: unknown): string {
  const text = typeof value === 'string' ? value.replaceAll(/[\r\n]/g, '') : undefined
  if (text === undefined || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw badRequest('illegal base64 data')
  }
  return text
}

/** Times are kept in UTC: most to the second, some to the microsecond, and those are written so too. */
function timeDecoder(micro: boolean): Decoder {
  const form = micro ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{6})(Z|[-+]\d\d:\d\d)$/ : /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
  return (value) => {
    const match = typeof value === 'string' ? form.exec(value) : null
    const time = match === null ? Number.NaN : Date.parse(value as string)
    if (Number.isNaN(time)) throw badRequest(`parsing time ${stringifyJson(value)}: not a time of RFC 3339`)
    const seconds = new Date(time).toISOString().slice(0, 19)
    return micro ? `${seconds}.${match?.[1]}Z` : `${seconds}Z`
  }
}

/** What Go writes for a field that is always written and was never set. */
function zeroValue(field: SchemaNode): unknown {
  switch (field.shape) {
    case 'struct':
      return decoderOf(field)({})
    case 'map':
    case 'list':
    case 'any':
      return null
    case 'scalar':
      return zeroScalar(field)
  }
}

function zeroScalar(field: SchemaNode): unknown {
  switch (field.scalar) {
    case 'string':
      return field.format === 'date-time' || field.format === 'byte' ? null : ''
    case 'integer':
    case 'number':
    case 'int-or-string':
      return 0
    case 'boolean':
      return false
    case 'quantity':
      return '0'
    case undefined:
      return null
  }
}

function isZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) {
    for (const _ in value) return false
    return true
  }
  return value === '' || value === 0 || value === false || value === null
}

function mismatch(value: unknown, node: SchemaNode): Error {
  return new TypeMismatch(jsonType(value), goType(node))
}

function jsonType(value: unknown): string {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'number'
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/** A type by the name that Go has for it. */
function goType(node: SchemaNode): string {
  const inner = (child: SchemaNode | undefined): string => (child === undefined ? 'interface {}' : goType(child))
  switch (node.shape) {
    case 'struct':
      return (node.typeName ?? 'struct').split('.').slice(-2).join('.')
    case 'list':
      return `[]${inner(node.items())}`
    case 'map':
      return `map[string]${inner(node.field(''))}`
    default:
  }
  const { scalar = 'interface {}', format } = node
  if (scalar === 'integer') return format ?? 'int64'
  return { boolean: 'bool', number: 'float64', 'int-or-string': 'intstr.IntOrString' }[scalar as string] ?? scalar
}
