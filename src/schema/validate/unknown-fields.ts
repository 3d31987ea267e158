import { gvkOf, isRecord, type KubeObject } from '../../core/index.ts'
import type { SchemaNode } from '../kinds/schema-node.ts'
import type { SchemaSet } from '../kinds/schema-set.ts'
import { type Finding, unknownField } from './finding.ts'

/** The fields of an object that its type does not have, which strict field validation refuses. Unknown kinds have none. */
export function unknownFields(object: KubeObject, schema: SchemaSet): Finding[] {
  const type = schema.type(gvkOf(object))
  return type === undefined ? [] : unknownFieldPaths(object, type).map(unknownField)
}

/** The paths of fields that a type does not have, as strict decoding writes them: `spec.ports[0].prot`. */
export function unknownFieldPaths(value: unknown, node: SchemaNode): string[] {
  const found: string[] = []
  walk(node, value, '', found)
  return found
}

function walk(node: SchemaNode, value: unknown, path: string, found: string[]): void {
  if (Array.isArray(value)) {
    const items = node.shape === 'list' ? node.items() : undefined
    if (items !== undefined) value.forEach((item, index) => walk(items, item, `${path}[${index}]`, found))
  } else if (isRecord(value) && (node.shape === 'struct' || node.shape === 'map')) {
    for (const [key, field] of Object.entries(value)) {
      const below = path === '' ? key : `${path}.${key}`
      const child = node.field(key)
      if (child !== undefined) walk(child, field, below, found)
      else found.push(below)
    }
  }
}
