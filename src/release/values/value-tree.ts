import { isRecord } from '../../core/index.ts'
import type { ValuesProvenance, ValueSource } from '../record/record.ts'
import { formatPath, type ValuePath } from './value-path.ts'

/** Values as a map, the way files and flags give them. */
export type Values = Readonly<Record<string, unknown>>

/** A value that knows who gave it; of a map or a list that counts only while it is empty. */
export type ValueNode = MapNode | ListNode | LeafNode

/** A map of values; a `Map`, so that no key is special. */
export interface MapNode {
  readonly kind: 'map'
  readonly entries: Map<string, ValueNode>
  readonly given: Given
}

interface ListNode {
  readonly kind: 'list'
  readonly items: ValueNode[]
  readonly given: Given
}

interface LeafNode {
  readonly kind: 'leaf'
  readonly value: unknown
  readonly given: Given
}

/** Who gave a value, and in which file or flag. */
export interface Given {
  readonly source: ValueSource
  readonly origin?: string
}

/** Says who gave the value at a path. */
export type GivenBy = (path: ValuePath) => Given

/** A copy of values in which every one knows its source. */
export function mapNode(values: Values, givenBy: GivenBy, path: ValuePath = []): MapNode {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  const entries = present.map(([key, value]) => [key, valueNode(value, givenBy, [...path, key])] as const)
  return { kind: 'map', entries: new Map(entries), given: givenBy(path) }
}

/** A copy of one value that knows its source. */
export function valueNode(value: unknown, givenBy: GivenBy, path: ValuePath): ValueNode {
  if (isRecord(value)) return mapNode(value, givenBy, path)
  const given = givenBy(path)
  if (!Array.isArray(value)) return { kind: 'leaf', value, given }
  return { kind: 'list', items: value.map((item, index) => valueNode(item, givenBy, [...path, index])), given }
}

/** The plain values of a map. */
export function valuesOf(node: MapNode): Record<string, unknown> {
  return Object.fromEntries(Array.from(node.entries, ([key, value]) => [key, plain(value)]))
}

/** Who gave each leaf of a map, by its path; empty maps and lists are leaves too. */
export function provenanceOf(root: MapNode): ValuesProvenance {
  const leaves: [string, Given][] = []
  for (const [key, value] of root.entries) collect(value, [key], leaves)
  const origins = leaves.flatMap(([path, { origin }]) => (origin === undefined ? [] : [[path, origin] as const]))
  return {
    sources: Object.fromEntries(leaves.map(([path, { source }]) => [path, source])),
    ...(origins.length === 0 ? {} : { origins: Object.fromEntries(origins) }),
  }
}

/** Whether a value is null. */
export function isNull(node: ValueNode): boolean {
  return node.kind === 'leaf' && node.value === null
}

function plain(node: ValueNode): unknown {
  switch (node.kind) {
    case 'map':
      return valuesOf(node)
    case 'list':
      return node.items.map(plain)
    case 'leaf':
      return node.value
  }
}

function collect(node: ValueNode, path: ValuePath, leaves: [string, Given][]): void {
  const children: readonly (readonly [string | number, ValueNode])[] =
    node.kind === 'map' ? [...node.entries] : node.kind === 'list' ? [...node.items.entries()] : []
  if (children.length === 0) leaves.push([formatPath(path), node.given])
  for (const [step, child] of children) collect(child, [...path, step], leaves)
}
