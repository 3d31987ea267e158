import { isRecord } from '../../core/index.ts'
import type { SchemaNode } from '../../schema/index.ts'

/** A value as CEL sees it: integers are `int`, date-times are timestamps, fields go by names that CEL can spell. */
export function celValue(node: SchemaNode | undefined, value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) && node?.scalar !== 'number' ? BigInt(value) : value
    case 'string':
      return textValue(node, value)
    default:
  }
  if (Array.isArray(value)) return value.map((item) => celValue(node?.items(), item))
  if (!isRecord(value)) return value
  const declared = new Set(node?.fieldNames)
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [
    declared.has(name) ? celName(name) : name,
    celValue(node?.field(name), field),
  ])
  return Object.fromEntries(fields)
}

function textValue(node: SchemaNode | undefined, value: string): unknown {
  switch (node?.format) {
    case 'date':
    case 'date-time':
      return new Date(value)
    case 'byte':
      return new Uint8Array(Buffer.from(value, 'base64'))
    default:
      return value
  }
}

/** The spelling of a field's name in CEL, after the API server's rules for escapes. */
function celName(name: string): string {
  if (reserved.has(name)) return `__${name}__`
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)
