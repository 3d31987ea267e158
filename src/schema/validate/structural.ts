import { isRecord } from '../../core/index.ts'
import { propertyOf } from '../kinds/raw-schema.ts'
import type { SchemaNode } from '../kinds/schema-node.ts'

/** The value without the fields that its type does not know, as an API server stores a custom resource; the value itself stays. */
export function prune(value: unknown, node: SchemaNode): unknown {
  if (Array.isArray(value)) {
    const items = node.items()
    return items === undefined ? value : value.map((item) => prune(item, items))
  }
  if (!isRecord(value)) return value
  const kept: [string, unknown][] = []
  for (const [name, entry] of Object.entries(value)) {
    const child = node.field(name)
    if (child !== undefined) kept.push([name, prune(entry, child)])
  }
  return Object.fromEntries(kept)
}

/**
 * The value completed with the defaults of its definition; null counts as absent where it is not allowed. Only for types that
 * come from a CustomResourceDefinition: what built-in types call defaults is not how an API server completes them.
 */
export function applyDefaults(value: unknown, node: SchemaNode): unknown {
  if (Array.isArray(value)) {
    const items = node.items()
    return items === undefined ? value : value.map((item) => completed(item, items) ?? null)
  }
  if (!isRecord(value)) return value
  const fields = new Map(Object.entries(value))
  for (const name of new Set([...fields.keys(), ...node.fieldNames])) {
    const child = ownField(node, name)
    if (child === undefined) continue
    const entry = completed(fields.get(name), child)
    if (entry === undefined) fields.delete(name)
    else fields.set(name, entry)
  }
  return Object.fromEntries(fields)
}

function completed(value: unknown, node: SchemaNode): unknown {
  const absent = value === undefined || (value === null && !node.nullable)
  if (!absent) return applyDefaults(value, node)
  return node.default === undefined ? undefined : applyDefaults(structuredClone(node.default), node)
}

/** A field that the definition itself describes: neither metadata, which is a built-in type, nor one that is merely kept. */
function ownField(node: SchemaNode, name: string): SchemaNode | undefined {
  const described = propertyOf(node.raw, name) ?? node.raw.additionalProperties
  return typeof described === 'object' && described.$ref === undefined ? node.field(name) : undefined
}
