import { isRecord } from '../../core/index.ts'
import type { ValueSource } from '../record.ts'
import { formatPath, type ValuePath } from './value-path.ts'

/** Values as a map, the way files and flags give them. */
export type Values = Readonly<Record<string, unknown>>

/** A value that knows who gave it; of a map or a list that counts only while it is empty. */
export type ValueNode = MapNode | ListNode | LeafNode

/** A map of values; a `Map`, so that no key is special. */
export interface MapNode {
  readonly kind: 'map'
  readonly entries: Map<string, ValueNode>
  readonly source: ValueSource
}

interface ListNode {
  readonly kind: 'list'
  readonly items: ValueNode[]
  readonly source: ValueSource
}

interface LeafNode {
  readonly kind: 'leaf'
  readonly value: unknown
  readonly source: ValueSource
}

/** Says who gave the value at a path. */
export type SourceOf = (path: ValuePath) => ValueSource

/** A copy of values in which every one knows its source. */
export function mapNode(values: Values, sourceOf: SourceOf, path: ValuePath = []): MapNode {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const entries = given.map(([key, value]) => [key, valueNode(value, sourceOf, [...path, key])] as const)
  return { kind: 'map', entries: new Map(entries), source: sourceOf(path) }
}

/** A copy of one value that knows its source. */
export function valueNode(value: unknown, sourceOf: SourceOf, path: ValuePath): ValueNode {
  if (isRecord(value)) return mapNode(value, sourceOf, path)
  const source = sourceOf(path)
  if (!Array.isArray(value)) return { kind: 'leaf', value, source }
  return { kind: 'list', items: value.map((item, index) => valueNode(item, sourceOf, [...path, index])), source }
}

/** The plain values of a map. */
export function valuesOf(node: MapNode): Record<string, unknown> {
  return Object.fromEntries(Array.from(node.entries, ([key, value]) => [key, plain(value)]))
}

/** Who gave each leaf of a map, by its path; empty maps and lists are leaves too. */
export function sourcesOf(root: MapNode): Record<string, ValueSource> {
  const sources: [string, ValueSource][] = []
  for (const [key, value] of root.entries) collect(value, [key], sources)
  return Object.fromEntries(sources)
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

function collect(node: ValueNode, path: ValuePath, sources: [string, ValueSource][]): void {
  const children: readonly (readonly [string | number, ValueNode])[] =
    node.kind === 'map' ? [...node.entries] : node.kind === 'list' ? [...node.items.entries()] : []
  if (children.length === 0) sources.push([formatPath(path), node.source])
  for (const [step, child] of children) collect(child, [...path, step], sources)
}
