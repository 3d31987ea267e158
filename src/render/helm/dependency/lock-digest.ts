import { createHash } from 'node:crypto'
import { isRecord, stringifyJson } from '../../../core/index.ts'
import type { Dependency } from '../chart/chart.ts'
import { dependencyFields } from '../package/write-metadata.ts'

/** The digest that binds Chart.lock to the rows of Chart.yaml, as Helm computes it. */
export function lockDigest(required: readonly Dependency[], locked: readonly Dependency[]): string {
  return digestOf([required.map(dependencyFields), locked.map(dependencyFields)])
}

/** The digest of Helm 2, which locks of v1 charts may still have. */
export function oldLockDigest(required: readonly Dependency[]): string {
  return digestOf({ dependencies: required.map(dependencyFields) })
}

function digestOf(value: unknown): string {
  return `sha256:${createHash('sha256').update(goJson(value)).digest('hex')}`
}

// Go sorts the keys of maps, not those of structs, and escapes what HTML could take for its own.
function goJson(value: unknown): string {
  return stringifyJson(withSortedMaps(value, 0))
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

function withSortedMaps(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => withSortedMaps(item, depth + 1))
  if (!isRecord(value)) return typeof value === 'bigint' ? Number(value) : value
  const isStruct = 'name' in value && 'repository' in value
  const keys = isStruct || depth === 0 ? Object.keys(value) : Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, withSortedMaps(value[key], depth + 1)]))
}
