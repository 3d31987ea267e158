import type { SchemaNode } from '../../schema/index.ts'
import { leaf, type Shape, untyped } from './shape.ts'

const shapes = new WeakMap<SchemaNode, Shape>()

/** How values of a type merge; made once a type, its parts when they are asked for. */
export function shapeOfSchema(node: SchemaNode | undefined): Shape {
  if (node === undefined) return untyped
  let shape = shapes.get(node)
  if (shape === undefined) {
    shape = makeShape(node)
    shapes.set(node, shape)
  }
  return shape
}

function makeShape(node: SchemaNode): Shape {
  switch (node.shape) {
    case 'scalar':
      return leaf
    case 'any':
      return node.mapType === 'atomic' ? leaf : untyped
    case 'struct':
    case 'map':
      return node.mapType === 'atomic' ? leaf : mapShape(node)
    case 'list':
      return listShape(node)
  }
}

function mapShape(node: SchemaNode): Shape {
  const declared = new Set(node.fieldNames)
  return {
    kind: 'map',
    field: (key) => shapeOfSchema(node.field(key)),
    declares: (key) => declared.has(key),
  }
}

function listShape(node: SchemaNode): Shape {
  if (node.listType === 'atomic') return leaf
  const item = shapeOfSchema(node.items())
  if (node.listType === 'set') return { kind: 'list', item }
  const keyDefaults: Record<string, unknown> = {}
  for (const key of node.mapKeys) {
    const value = node.items()?.field(key)?.default
    if (value !== undefined) keyDefaults[key] = value
  }
  return { kind: 'list', item, keys: node.mapKeys, keyDefaults }
}
