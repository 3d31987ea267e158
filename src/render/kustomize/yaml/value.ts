/**
 * A value as kustomize sees it: YAML nodes, not JSON. Most scalars are plain JSON values; one that JSON would spell otherwise
 * (`1.10`, `0777`, `~`, a date) is `Spelled`, because annotations, merge keys, replacements and vars read the text as it was
 * written.
 */
export type Value = null | boolean | number | bigint | string | Spelled | Value[] | ValueMap

/** A mapping; without a prototype, so that every key is a key like any other. */
export interface ValueMap {
  [key: string]: Value
}

/**
 * A scalar whose text is not what JSON writes for its value, or one that stands in several places: a label that kustomize
 * creates in metadata and in selectors is one node, and changing it in one of them later changes it in all.
 */
export class Spelled {
  value: null | boolean | number | bigint | string
  text: string

  constructor(value: Spelled['value'], text: string) {
    this.value = value
    this.text = text
  }
}

/** A scalar that has no type of its own yet: it takes the one that its text has. */
export class Untagged extends Spelled {}

/** The four kinds of scalar that a YAML tag tells apart. */
type ScalarKind = 'null' | 'bool' | 'number' | 'string'

/** Whether a value is a mapping. */
export function isMap(value: unknown): value is ValueMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Spelled)
}

/** Whether a value is a scalar, null included. */
export function isScalar(value: Value): value is Exclude<Value, Value[] | ValueMap> {
  return !Array.isArray(value) && !isMap(value)
}

/** Whether a value is null, however it is spelled. */
export function isNull(value: Value | undefined): boolean {
  return value === null || (value instanceof Spelled && value.value === null)
}

/** Whether there is nothing in a value: null, an empty string, list or mapping. */
export function isEmpty(value: Value | undefined): boolean {
  if (value === undefined || value === '' || isNull(value)) return true
  if (Array.isArray(value)) return value.length === 0
  return isMap(value) && Object.keys(value).length === 0
}

/** The text of a scalar as it stands in the document; empty for lists and mappings. */
export function textOf(value: Value | undefined): string {
  if (value === undefined) return ''
  if (value instanceof Spelled) return value.text
  return isScalar(value) ? String(value) : ''
}

/** What a scalar is to YAML. */
export function scalarKind(value: Value): ScalarKind {
  const plain = value instanceof Spelled ? value.value : value
  if (plain === null) return 'null'
  if (typeof plain === 'boolean') return 'bool'
  return typeof plain === 'string' ? 'string' : 'number'
}

/** An empty mapping, or one with the given entries. */
export function newMap(entries: Readonly<Record<string, Value>> = {}): ValueMap {
  return Object.assign(Object.create(null) as ValueMap, entries)
}

/** Sets a field or an item; a scalar that stands in other places too changes there as well. */
export function assign(container: ValueMap | Value[], key: string | number, value: Value): void {
  const holder = container as Record<string | number, Value | undefined>
  const old = holder[key]
  if (!(old instanceof Spelled) || old === value || !isScalar(value)) {
    holder[key] = value
    return
  }
  old.value = value instanceof Spelled ? value.value : value
  old.text = textOf(value)
}

/** A copy that shares nothing. */
export function copyValue<T extends Value>(value: T): T {
  if (Array.isArray(value)) return value.map(copyValue) as T
  if (value instanceof Spelled) return new Spelled(value.value, value.text) as T
  if (!isMap(value)) return value
  const map = newMap()
  for (const key of Object.keys(value)) map[key] = copyValue(value[key]!)
  return map as T
}

/** The value as plain JSON, keys sorted as kustomize writes them. */
export function toJson(value: Value): unknown {
  if (value instanceof Spelled) return value.value
  if (Array.isArray(value)) return value.map(toJson)
  if (!isMap(value)) return value
  const record: Record<string, unknown> = {}
  for (const key of Object.keys(value).sort(compareText)) {
    const item = toJson(value[key]!)
    if (key === '__proto__') Object.defineProperty(record, key, { value: item, ...ownData })
    else record[key] = item
  }
  return record
}

const ownData = { enumerable: true, writable: true, configurable: true }

/** The value of plain JSON. */
export function fromJson(json: unknown): Value {
  if (Array.isArray(json)) return json.map(fromJson)
  if (typeof json !== 'object' || json === null) return json as Value
  const map = newMap()
  for (const [key, item] of Object.entries(json)) map[key] = fromJson(item)
  return map
}

/** Orders text by its bytes, as Go does. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return isAscii(a) && isAscii(b) ? (a < b ? -1 : 1) : Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(text)
}
