import { formatRef, isRecord, type KubeObject, LadingError, objectId, refOf } from '../../core/index.ts'
import { writeYaml } from '../../core/yaml/index.ts'
import { compareForApply } from '../../schema/index.ts'

/**
 * Writes objects as kustomizer does: in the order of apply, keys sorted, each document followed by `---`. The same objects
 * give the same text, in whatever order they and their fields come.
 */
export function objectsYaml(objects: readonly KubeObject[]): string {
  refuseDuplicates(objects)
  const written = objects.map((object) => ({ ref: orderedRef(object), text: writeYaml(sortKeys(object)) }))
  written.sort((a, b) => compareForApply(a.ref, b.ref) || (a.text < b.text ? -1 : 1))
  return written.map(({ text }) => `${text}---\n`).join('')
}

/** Refuses a set that defines an object twice. */
export function refuseDuplicates(objects: readonly KubeObject[]): void {
  const seen = new Set<string>()
  for (const object of objects) {
    // Objects with generateName are new ones each time.
    if (object.metadata.name === undefined) continue
    const ref = refOf(object)
    const id = objectId(ref)
    if (seen.has(id)) throw new LadingError('object.duplicate', `${formatRef(ref)} is defined twice`, { id })
    seen.add(id)
  }
}

function orderedRef(object: KubeObject) {
  const { name, generateName } = object.metadata as { name?: string; generateName?: string }
  return { ...refOf(object), name: name ?? generateName ?? '' }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isRecord(value)) return value
  // No prototype: a key `__proto__` is a key like any other.
  const sorted = Object.create(null) as Record<string, unknown>
  for (const key of Object.keys(value).sort()) sorted[key] = sortKeys(value[key])
  return sorted
}
