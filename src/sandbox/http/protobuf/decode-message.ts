import type { ProtobufField, ProtobufTable } from '../../../schema/index.ts'
import { type Nested, specialForm } from './special-forms.ts'
import { malformed, packedVarints, wireFields, type WireField } from './wire.ts'

/** Protobuf bodies nest as deep as their sender likes; schemas of CRDs are the deepest that are honest. */
const maxDepth = 200

/** Turns an encoded message into the JSON value that stands for the same object. */
export function decodeMessage(table: ProtobufTable, message: string, bytes: Uint8Array, depth = 0): unknown {
  if (depth > maxDepth) throw malformed('too deeply nested')
  const nested: Nested = (name, inner) => decodeMessage(table, name, inner, depth + 1)
  const special = specialForm(message)
  if (special !== undefined) return special(bytes, nested)
  const fields = table.fieldsOf(message)
  if (fields === undefined) throw malformed(`there is no message ${message}`)
  const result: Record<string, unknown> = {}
  for (const field of wireFields(bytes)) {
    const known = fields.get(field.number)
    // A newer client may know more fields; the API server skips them too.
    if (known !== undefined) addField(result, known, field, nested)
  }
  return result
}

function addField(result: Record<string, unknown>, field: ProtobufField, wire: WireField, nested: Nested): void {
  const { name, type } = field
  if (name === undefined) {
    Object.assign(result, decodeValue(type, wire.value, nested))
    return
  }
  switch (field.label) {
    case 'optional': {
      const value = decodeValue(type, wire.value, nested)
      if (value !== undefined && !(field.omitsZero && isZero(value))) result[name] = value
      return
    }
    case 'repeated':
      ;((result[name] ??= []) as unknown[]).push(...repeated(type, wire.value, nested))
      return
    case 'map': {
      const [key, value] = mapEntry(type, wire.value, nested)
      const map = (result[name] ??= {}) as Record<string, unknown>
      // Defined, not assigned: a key named `__proto__` is a plain key.
      Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true })
    }
  }
}

function decodeValue(type: string, value: Uint8Array | bigint, nested: Nested): unknown {
  switch (type) {
    case 'int':
      return integer(value)
    case 'bool':
      return integer(value) !== 0
    case 'string':
      return text(value)
    case 'bytes':
      return Buffer.from(bytesOf(value)).toString('base64')
    case 'double': {
      const bytes = bytesOf(value)
      return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat64(0, true)
    }
    default:
      return nested(type, bytesOf(value))
  }
}

function repeated(type: string, value: Uint8Array | bigint, nested: Nested): unknown[] {
  if (type === 'int' && typeof value !== 'bigint') return [...packedVarints(value)].map(integer)
  return [decodeValue(type, value, nested)]
}

function mapEntry(type: string, value: Uint8Array | bigint, nested: Nested): [string, unknown] {
  let key = ''
  let entry: unknown = type === 'string' || type === 'bytes' ? '' : undefined
  for (const field of wireFields(bytesOf(value))) {
    if (field.number === 1) key = text(field.value)
    if (field.number === 2) entry = decodeValue(type, field.value, nested)
  }
  return [key, entry]
}

function integer(value: Uint8Array | bigint): number | bigint {
  if (typeof value !== 'bigint') throw malformed('an integer was expected')
  const signed = BigInt.asIntN(64, value)
  const small = Number(signed)
  return Number.isSafeInteger(small) ? small : signed
}

function text(value: Uint8Array | bigint): string {
  return Buffer.from(bytesOf(value)).toString('utf8')
}

function bytesOf(value: Uint8Array | bigint): Uint8Array {
  if (typeof value === 'bigint') throw malformed('bytes were expected')
  return value
}

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false
}
