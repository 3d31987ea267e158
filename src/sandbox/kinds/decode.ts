import { isRecord } from '../../core/index.ts'
import type { SchemaNode } from '../../schema/index.ts'

/**
 * Reads a value into a built-in type as the API server's typed decoding does: unknown fields and nulls fall away, empty maps
 * and lists that are not required too, and structs that every object of the type has are there.
 */
export function decodeBuiltin(node: SchemaNode, value: unknown): unknown {
  switch (node.shape) {
    case 'struct':
      return isRecord(value) ? decodeStruct(node, value) : value
    case 'map':
      return isRecord(value) ? decodeMap(node, value) : value
    case 'list':
      return Array.isArray(value) ? decodeList(node, value) : value
    case 'scalar':
    case 'any':
      return value
  }
}

function decodeStruct(node: SchemaNode, value: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const name of node.fieldNames) {
    const field = node.field(name)
    if (field === undefined) continue
    const given = value[name]
    if (given === undefined || given === null) {
      if (isAlwaysThere(field)) result[name] = decodeBuiltin(field, {})
      else if (node.required.includes(name)) result[name] = zeroValue(field)
    } else {
      const decoded = decodeBuiltin(field, given)
      if (!isOmitted(field, decoded) || node.required.includes(name)) result[name] = decoded
    }
  }
  return result
}

function decodeMap(node: SchemaNode, value: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(value).filter(([, entry]) => entry !== null)
  return Object.fromEntries(
    entries.map(([key, entry]) => {
      const field = node.field(key)
      return [key, field === undefined ? entry : decodeBuiltin(field, entry)]
    }),
  )
}

function decodeList(node: SchemaNode, value: readonly unknown[]): unknown[] {
  const items = node.items()
  return items === undefined ? [...value] : value.map((item) => decodeBuiltin(items, item))
}

/** What Go writes for a field that is always written and was never set. */
function zeroValue(field: SchemaNode): unknown {
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

/** A struct that is no pointer has the default `{}` in OpenAPI, and Go writes it whether it is empty or not. */
function isAlwaysThere(field: SchemaNode): boolean {
  return field.shape === 'struct' && isRecord(field.default)
}

function isOmitted(field: SchemaNode, value: unknown): boolean {
  if (field.shape === 'list') return Array.isArray(value) && value.length === 0
  return field.shape === 'map' && isRecord(value) && Object.keys(value).length === 0
}
