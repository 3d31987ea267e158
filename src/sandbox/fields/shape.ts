import { isRecord, stringifyJson } from '../../core/index.ts'

/** How the value at one place of an object merges; the part of a schema that server-side apply looks at. */
export type Shape = LeafShape | MapShape | ListShape

/** A scalar, or a map or list that is replaced as a whole. */
export interface LeafShape {
  readonly kind: 'leaf'
}

/** A struct or map whose fields are owned one by one. */
export interface MapShape {
  readonly kind: 'map'
  /** The shape of a field. */
  field(key: string): Shape
  /** Whether the field is declared by the type, rather than being an entry of a map. */
  declares(key: string): boolean
}

/** A list whose items are owned one by one: by key fields, or by their value. */
export interface ListShape {
  readonly kind: 'list'
  readonly item: Shape
  /** Key fields of a keyed list; undefined for a set of scalars. */
  readonly keys?: readonly string[]
  /** Values that absent key fields count as. */
  readonly keyDefaults?: Readonly<Record<string, unknown>>
}

/** The shape of everything that is replaced as a whole. */
export const leaf: LeafShape = { kind: 'leaf' }

/** The shape of a value that no schema describes: maps are granular, lists are atomic. */
export const untyped: MapShape = { kind: 'map', field: () => untyped, declares: () => false }

/** The shape that a value really has: a value that does not fit its type is treated as a whole. */
export function fittingShape(shape: Shape, value: unknown): Shape {
  switch (shape.kind) {
    case 'leaf':
      return shape
    case 'map':
      return isRecord(value) ? shape : leaf
    case 'list':
      return Array.isArray(value) ? shape : leaf
  }
}

/** The step that names an item of a list, or undefined when the item has no usable key. */
export function itemStep(shape: ListShape, item: unknown): string | undefined {
  if (shape.keys === undefined) return `v:${stringifyJson(item)}`
  if (!isRecord(item)) return undefined
  const key: Record<string, unknown> = {}
  for (const name of [...shape.keys].sort()) {
    const value = item[name] ?? shape.keyDefaults?.[name]
    if (value !== undefined && value !== null) key[name] = value
  }
  return Object.keys(key).length === 0 ? undefined : `k:${stringifyJson(key)}`
}
