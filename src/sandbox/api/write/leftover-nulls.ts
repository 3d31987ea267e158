import { isRecord } from '../../../core/index.ts'
import type { SchemaNode } from '../../../schema/index.ts'
import type { Cause } from '../../status-error.ts'

/**
 * The nulls of an applied custom resource that its definition does not allow. Other requests lose their nulls when they are
 * read; those of an apply stay, also where nothing was left of a map or list, and then the API server refuses them.
 */
export function leftoverNulls(node: SchemaNode, value: unknown, path = ''): Cause[] {
  if (Array.isArray(value)) {
    const items = node.items()
    return items === undefined ? [] : value.flatMap((item, index) => leftoverNulls(items, item, `${path}[${index}]`))
  }
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, entry]) => {
    const field = name === 'metadata' && path === '' ? undefined : node.field(name)
    const at = path === '' ? name : `${path}.${name}`
    if (field === undefined) return []
    if (entry !== null) return leftoverNulls(field, entry, at)
    const allowed = field.nullable || field.shape === 'any' || field.default !== undefined
    return allowed ? [] : [wrongNull(at, field)]
  })
}

function wrongNull(at: string, node: SchemaNode): Cause {
  const type = typeof node.raw.type === 'string' ? node.raw.type : node.shape
  const message = `Invalid value: "null": ${at} in body must be of type ${type}: "null"`
  return { reason: 'FieldValueTypeInvalid', message, field: at }
}
