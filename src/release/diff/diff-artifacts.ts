import { formatRef, type KubeObject, refOf } from '../../core/index.ts'
import type { PulledArtifact } from '../../oci/index.ts'
import { diffObjects, type FieldChange } from './diff-objects.ts'

/** An object, or a file, that differs between two artifacts. */
export interface ArtifactChange {
  readonly object: string
  readonly change: 'added' | 'removed' | 'modified'
  /** The fields that differ; empty for files. */
  readonly fields: readonly FieldChange[]
}

/**
 * How the objects of two artifacts differ; values of Secrets are masked. Charts and trees have no objects until they are rendered:
 * they are compared file by file.
 */
export function diffArtifacts(before: PulledArtifact, after: PulledArtifact): ArtifactChange[] {
  if (before.content !== 'objects' || after.content !== 'objects') {
    return compare(before.files, after.files, (a, b) => (Buffer.compare(a.content, b.content) === 0 ? undefined : []))
  }
  return compare(indexOf(before.objects), indexOf(after.objects), (a, b) => {
    const fields = diffObjects(a, b)
    return fields.length === 0 ? undefined : fields
  })
}

function compare<Item>(
  before: ReadonlyMap<string, Item>,
  after: ReadonlyMap<string, Item>,
  fieldsOf: (before: Item, after: Item) => readonly FieldChange[] | undefined,
): ArtifactChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((name): ArtifactChange[] => {
    const [old, now] = [before.get(name), after.get(name)]
    if (old === undefined) return [{ object: name, change: 'added', fields: [] }]
    if (now === undefined) return [{ object: name, change: 'removed', fields: [] }]
    const fields = fieldsOf(old, now)
    return fields === undefined ? [] : [{ object: name, change: 'modified', fields }]
  })
}

function indexOf(objects: readonly KubeObject[]): Map<string, KubeObject> {
  return new Map(objects.map((object) => [formatRef(refOf(object)), object]))
}
