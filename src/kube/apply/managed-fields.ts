import type { ManagedFieldsEntry } from '../../core/index.ts'
import { isRecord, parseJson, stringifyJson } from '../../core/index.ts'

/**
 * One step into an object, as FieldsV1 spells it: `f:name` a field, `k:{…}` the item of a list-map with these keys,
 * `v:…` the item of a set with this value, `i:0` an index.
 */
export type PathElement =
  | { readonly field: string }
  | { readonly key: Readonly<Record<string, unknown>> }
  | { readonly value: unknown }
  | { readonly index: number }

/** A place in an object that a field manager can own. */
export type FieldPath = readonly PathElement[]

/** A FieldsV1 tree: which fields one manager owns. */
export type FieldsV1 = Readonly<Record<string, unknown>>

/** Whether an entry of managedFields is what `fieldManager` applied to the object itself. */
export function isOwnApply(entry: ManagedFieldsEntry, fieldManager: string): boolean {
  return entry.manager === fieldManager && entry.operation === 'Apply' && !entry.subresource
}

/** Every path that a FieldsV1 tree owns: its leaves, and the nodes that hold a `.`. */
export function ownedPaths(fields: FieldsV1, parent: FieldPath = []): FieldPath[] {
  const paths: FieldPath[] = []
  for (const [name, below] of Object.entries(fields)) {
    if (name === '.') {
      paths.push(parent)
      continue
    }
    const element = parseElement(name)
    if (element === undefined) continue
    const path = [...parent, element]
    if (isRecord(below) && Object.keys(below).length > 0) paths.push(...ownedPaths(below, path))
    else paths.push(path)
  }
  return paths
}

/** The fields that either tree owns. */
export function unionFields(a: FieldsV1, b: FieldsV1): Record<string, unknown> {
  const union: Record<string, unknown> = { ...a }
  for (const [name, below] of Object.entries(b)) {
    const other = union[name]
    if (!isRecord(other) || !isRecord(below)) union[name] = below
    // A leaf `{}` that gets children would stop being owned itself, so it keeps a `.`.
    else union[name] = name === '.' ? below : unionFields(asNode(other, below), asNode(below, other))
  }
  return union
}

/** A path as the API server writes it in the causes of a conflict: `.spec.ports[port=80,protocol="TCP"].name`. */
export function formatFieldPath(path: FieldPath): string {
  return path.map(formatElement).join('')
}

/** Whether a path, as `formatFieldPath` writes it, is the other one or lies below it. */
export function isWithin(path: string, outer: string): boolean {
  if (!path.startsWith(outer)) return false
  return path.length === outer.length || path[outer.length] === '.' || path[outer.length] === '['
}

/** What stands at a path; undefined when nothing does. */
export function valueAt(object: unknown, path: FieldPath): unknown {
  let value = object
  for (const element of path) value = step(value, element)
  return value
}

/** A copy without what stands at a path; maps that become empty by it are dropped too, since applying `{}` would own them. */
export function withoutPath<T>(object: T, path: FieldPath): T {
  const result = drop(object, path)
  return (result === undefined ? {} : result) as T
}

/**
 * Reads the API server's spelling of a path with the object at hand, because field names hold unescaped dots
 * (`.metadata.labels.app.kubernetes.io/name`). Undefined when the object has nothing there.
 */
export function findPath(object: unknown, text: string): FieldPath | undefined {
  if (object === undefined) return undefined
  if (text === '') return []
  if (text.startsWith('[')) return findItem(object, text)
  if (!isRecord(object)) return undefined
  for (const field of Object.keys(object)) {
    if (!text.startsWith(`.${field}`)) continue
    const rest = findPath(object[field], text.slice(field.length + 1))
    if (rest !== undefined) return [{ field }, ...rest]
  }
  return undefined
}

const bracket = /^\[((?:"(?:[^"\\]|\\.)*"|[^"\]])*)\]/
const keyValue = /([^=,]*)=("(?:[^"\\]|\\.)*"|[^,]*)/g

function findItem(list: unknown, text: string): FieldPath | undefined {
  const [written, inside] = bracket.exec(text) ?? []
  if (written === undefined || inside === undefined) return undefined
  const element = parseBracket(inside)
  if (element === undefined) return undefined
  const rest = findPath(step(list, element), text.slice(written.length))
  return rest === undefined ? undefined : [element, ...rest]
}

function parseBracket(inside: string): PathElement | undefined {
  if (/^\d+$/.test(inside)) return { index: Number(inside) }
  const pairs: [string, unknown][] = []
  for (const [, name, value] of inside.matchAll(keyValue)) {
    const scalar = parseScalar(value ?? '')
    if (name === '') return { value: scalar }
    pairs.push([name ?? '', scalar])
  }
  return pairs.length === 0 ? undefined : { key: Object.fromEntries(pairs) }
}

function parseScalar(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    // Go's quoting has escapes that JSON does not know; such a path is then simply not found.
    return text
  }
}

function asNode(fields: FieldsV1, other: FieldsV1): FieldsV1 {
  const leafBesideNode = Object.keys(fields).length === 0 && Object.keys(other).length > 0
  return leafBesideNode ? { '.': {} } : fields
}

function parseElement(name: string): PathElement | undefined {
  const text = name.slice(2)
  switch (name.slice(0, 2)) {
    case 'f:':
      return { field: text }
    case 'k:': {
      const key = parseJson(text)
      return isRecord(key) ? { key } : undefined
    }
    case 'v:':
      return { value: parseJson(text) }
    case 'i:':
      return { index: Number(text) }
    default:
      return undefined
  }
}

function formatElement(element: PathElement): string {
  if ('field' in element) return `.${element.field}`
  if ('index' in element) return `[${element.index}]`
  if ('value' in element) return `[=${stringifyJson(element.value)}]`
  const keys = Object.keys(element.key).sort()
  return `[${keys.map((name) => `${name}=${stringifyJson(element.key[name])}`).join(',')}]`
}

function step(value: unknown, element: PathElement): unknown {
  if ('field' in element)
    return isRecord(value) && Object.hasOwn(value, element.field) ? value[element.field] : undefined
  if (!Array.isArray(value)) return undefined
  const index = indexOf(value, element)
  return index < 0 ? undefined : value[index]
}

function indexOf(list: readonly unknown[], element: Exclude<PathElement, { field: string }>): number {
  if ('index' in element) return element.index < list.length ? element.index : -1
  if ('value' in element) return list.findIndex((item) => item === element.value)
  const keys = Object.entries(element.key)
  return list.findIndex((item) => isRecord(item) && keys.every(([name, value]) => item[name] === value))
}

function drop(value: unknown, path: FieldPath): unknown {
  const [element, ...rest] = path
  if (element === undefined) return undefined
  const inner = step(value, element)
  if (inner === undefined) return value
  const left = drop(inner, rest)
  if ('field' in element) {
    const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) }
    if (left === undefined) delete copy[element.field]
    else copy[element.field] = left
    return Object.keys(copy).length === 0 ? undefined : copy
  }
  const list = value as readonly unknown[]
  const index = indexOf(list, element)
  const items = left === undefined ? list.toSpliced(index, 1) : list.with(index, left)
  return items.length === 0 ? undefined : items
}
