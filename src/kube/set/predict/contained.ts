import { isDeepStrictEqual } from 'node:util'
import { isRecord, parseJson } from '../../../core/index.ts'
import type { SchemaNode } from '../../../schema/index.ts'
import type { FieldsV1 } from '../../apply/managed-fields.ts'

/** Whether everything that is desired stands in the live value as it is; what it cannot compare it denies. */
export function isContained(node: SchemaNode | undefined, desired: unknown, live: unknown): boolean {
  if (node === undefined || desired === null || live === undefined) return false
  if (isRecord(desired)) {
    if (!isRecord(live)) return false
    if (node.mapType === 'atomic' || Object.keys(desired).length === 0) return isDeepStrictEqual(desired, live)
    return Object.entries(desired).every(([name, value]) => isContained(node.field(name), value, live[name]))
  }
  if (!Array.isArray(desired)) return desired === live
  if (!Array.isArray(live)) return false
  if (node.listType !== 'map' || desired.length === 0) return isDeepStrictEqual(desired, live)
  return desired.every((item: unknown) => {
    const match = live.find((other: unknown) => hasSameKeys(node.mapKeys, item, other))
    return isContained(node.items(), item, match)
  })
}

/** Whether everything that a tree of fields owns is still desired: what is not would be removed. */
export function isStillDesired(fields: FieldsV1, desired: unknown): boolean {
  return Object.entries(fields).every(([name, below]) => {
    if (name === '.') return true
    const value = stepInto(desired, name)
    if (value === undefined) return false
    return !isRecord(below) || Object.keys(below).length === 0 || isStillDesired(below, value)
  })
}

/** Whether a tree of fields owns the field at a path, or what the field stands in. */
export function owns(fields: FieldsV1, path: readonly string[]): boolean {
  let node: unknown = fields
  for (const name of path) {
    if (!isRecord(node)) return false
    node = node[`f:${name}`]
    if (node === undefined) return false
    if (isRecord(node) && Object.keys(node).length === 0) return true
  }
  return true
}

function stepInto(value: unknown, element: string): unknown {
  const text = element.slice(2)
  if (element.startsWith('f:')) return isRecord(value) && Object.hasOwn(value, text) ? value[text] : undefined
  if (!element.startsWith('k:') || !Array.isArray(value)) return undefined
  const key: unknown = parseJson(text)
  if (!isRecord(key)) return undefined
  return value.find((item: unknown) => hasSameKeys(Object.keys(key), key, item))
}

function hasSameKeys(keys: readonly string[], a: unknown, b: unknown): boolean {
  return isRecord(a) && isRecord(b) && keys.every((key) => a[key] !== undefined && a[key] === b[key])
}
