import { isRecord } from '../../../core/index.ts'
import type { SchemaNode } from '../../../schema/index.ts'

/** The fields of a value that its type does not have, spelled as strict decoding spells them: `spec.ports[0].prot`. */
export function unknownFields(node: SchemaNode, value: unknown): string[] {
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
