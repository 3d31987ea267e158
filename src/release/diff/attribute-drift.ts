import { stringifyJson, type KubeObject, type ManagedFieldsEntry } from '../../core/index.ts'
import { type FieldPath, ownedPaths } from '../../kube/index.ts'
import { type FieldChange, fieldStep } from './diff-objects.ts'
import type { DriftChange } from './object-diff.ts'

/** Says of each change who made it, as far as the live object's managedFields know: who removed a field is not recorded. */
export function attributeDrift(changes: readonly FieldChange[], live: KubeObject, fieldManager: string): DriftChange[] {
  if (changes.length === 0) return []
  const others = (live.metadata.managedFields ?? [])
    .filter(({ manager }) => manager !== fieldManager)
    .map((entry) => ({ entry, paths: ownedPaths(entry.fieldsV1 ?? {}).map(spellPath) }))
  return changes.map((change) => {
    const owners = others
      .filter(({ paths }) => paths.some((path) => overlap(path, change.path)))
      .map(({ entry }) => entry)
    const newest = owners.reduce<ManagedFieldsEntry | undefined>(newer, undefined)
    if (newest === undefined || change.after === undefined) return change
    const { manager, time } = newest
    return { ...change, ...(manager === undefined ? {} : { manager }), ...(time === undefined ? {} : { time }) }
  })
}

function newer(a: ManagedFieldsEntry | undefined, b: ManagedFieldsEntry): ManagedFieldsEntry {
  return a === undefined || (b.time ?? '') >= (a.time ?? '') ? b : a
}

/** A path of managedFields as diffs spell paths. */
export function spellPath(path: FieldPath): string {
  return path
    .map((element) => {
      if ('field' in element) return fieldStep(element.field)
      if ('index' in element) return `[${element.index}]`
      if ('value' in element) return `[=${stringifyJson(element.value)}]`
      const keys = Object.keys(element.key).sort()
      return `[${keys.map((key) => `${key}=${stringifyJson(element.key[key])}`).join(',')}]`
    })
    .join('')
}

/** Whether one path is the other or lies within it. */
function overlap(a: string, b: string): boolean {
  if (a === b) return true
  const [outer, inner] = a.length < b.length ? [a, b] : [b, a]
  return inner.startsWith(outer) && (inner[outer.length] === '.' || inner[outer.length] === '[')
}
