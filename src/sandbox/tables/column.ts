import { isRecord, type KubeObject } from '../../core/index.ts'
import { ageSince } from './human-duration.ts'

/** One column of a server-side table. */
export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description?: string
  /** Columns above 0 show with `-o wide` only. */
  readonly priority?: number
  /** `now` is in milliseconds. */
  cell(object: KubeObject, now: number): unknown
}

type Cell = Column['cell']

/** A column of text, unless another type is told. */
export function column(name: string, cell: Cell, type: Column['type'] = 'string'): Column {
  return { name, type, cell }
}

/** A column of `-o wide`. */
export function wide(name: string, cell: Cell, type: Column['type'] = 'string'): Column {
  return { name, type, priority: 1, cell }
}

/** The first column of nearly every table. */
export const nameColumn: Column = { ...column('Name', ({ metadata }) => metadata.name ?? ''), format: 'name' }

/** How old the object is. */
export const ageColumn: Column = column('Age', ({ metadata }, now) => ageSince(metadata.creationTimestamp, now))

/** When the object was created, for kinds that nobody wrote a table for. */
export const createdAtColumn: Column = column('Created At', ({ metadata }) => metadata.creationTimestamp, 'date')

/** The value at a path; undefined where it ends early. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value
  for (const key of path) current = isRecord(current) ? current[key] : undefined
  return current
}

/** A text at a path, or `otherwise` when there is none. */
export function textAt(value: unknown, path: readonly string[], otherwise = ''): string {
  const found = at(value, ...path)
  return typeof found === 'string' && found !== '' ? found : otherwise
}

/** A number at a path, or `otherwise`. */
export function numberAt(value: unknown, path: readonly string[], otherwise = 0): number {
  const found = at(value, ...path)
  return typeof found === 'number' ? found : otherwise
}

/** The objects in a list at a path. */
export function itemsAt(value: unknown, ...path: readonly string[]): Record<string, unknown>[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found.filter(isRecord) : []
}

/** The texts in a list at a path. */
export function textsAt(value: unknown, ...path: readonly string[]): string[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : []
}

/** How many entries a map or list at a path has. */
export function sizeAt(value: unknown, ...path: readonly string[]): number {
  const found = at(value, ...path)
  if (Array.isArray(found)) return found.length
  return isRecord(found) ? Object.keys(found).length : 0
}

/** Labels in one line, sorted. */
export function labelsText(labels: unknown): string {
  const pairs = isRecord(labels) ? Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`) : []
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',')
}

const operators: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
}

/** A label selector in one line, requirements sorted by key. */
export function selectorText(selector: unknown): string {
  const labels = at(selector, 'matchLabels')
  const parts: [string, string][] = isRecord(labels)
    ? Object.entries(labels).map(([key, value]) => [key, `${key}=${String(value)}`])
    : []
  for (const expression of itemsAt(selector, 'matchExpressions')) {
    const key = textAt(expression, ['key'])
    const values = Array.isArray(expression['values']) ? expression['values'].map(String).sort().join(',') : ''
    parts.push([key, operators[textAt(expression, ['operator'])]?.(key, values) ?? ''])
  }
  const texts = parts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  return texts.length === 0 ? '<none>' : texts.join(',')
}

/** Names or images of containers, joined. */
export function containersText(podSpec: unknown, field: 'name' | 'image'): string {
  return itemsAt(podSpec, 'containers')
    .map((container) => textAt(container, [field]))
    .join(',')
}

/** The first three, and how many more there are. */
export function firstThree(texts: readonly string[]): string {
  return texts.length > 3 ? `${texts.slice(0, 3).join(',')} + ${texts.length - 3} more...` : texts.join(',')
}
