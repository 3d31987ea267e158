import { createHash } from 'node:crypto'
import { isRecord, type KubeObject, stringifyJson } from '../../core/index.ts'

/** Hash of an object as it is desired; the order of keys does not matter. */
export function objectHash(object: KubeObject): string {
  return `sha256:${createHash('sha256')
    .update(stringifyJson(sorted(object)))
    .digest('hex')}`
}

/** Hash of a set of objects in their order. */
export function objectsHash(objects: readonly KubeObject[]): string {
  return combineHashes(objects.map(objectHash))
}

/** Hash of a set of objects from those of each. */
export function combineHashes(hashes: readonly string[]): string {
  const hash = createHash('sha256')
  for (const each of hashes) hash.update(each)
  return `sha256:${hash.digest('hex')}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  )
}
