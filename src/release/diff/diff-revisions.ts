import { createMask, gvkOf, type KubeObject, type Mask, objectId, refOf } from '../../core/index.ts'
import { readObjects } from '../../core/yaml/index.ts'
import type { ReleaseRecord } from '../record/record.ts'
import { diffObjects } from './diff-objects.ts'
import type { ObjectDiff } from './object-diff.ts'

/** What changes from one revision to another: the objects in the order of the later one, then the removed ones, then the hooks. */
export function diffRevisions(a: ReleaseRecord, b: ReleaseRecord): ObjectDiff[] {
  const mask = createMask()
  const objects = diffSets(readObjects(a.manifest), readObjects(b.manifest), b.namespace, mask)
  return [...objects, ...diffHooks(a.hooks, b.hooks, b.namespace, mask)]
}

/** What changes between the hooks of two revisions. */
export function diffHooks(
  before: readonly { readonly object: KubeObject }[],
  after: readonly { readonly object: KubeObject }[],
  namespace: string,
  mask: Mask,
): ObjectDiff[] {
  const [old, now] = [before, after].map((hooks) => hooks.map(({ object }) => object))
  return diffSets(old ?? [], now ?? [], namespace, mask).map((diff) => ({ ...diff, hook: true }))
}

/** What changes between one object and its successor, either of which may be absent. */
export function diffPair(before: KubeObject | undefined, after: KubeObject | undefined, mask: Mask): ObjectDiff {
  const known = after ?? before
  // One of the two is there, by the callers' own construction.
  const ref = refOf(known as KubeObject)
  if (before === undefined)
    return { ref, change: 'added', changes: diffObjects(bare(known as KubeObject), known as KubeObject, mask) }
  if (after === undefined) return { ref, change: 'removed', changes: diffObjects(before, bare(before), mask) }
  const changes = diffObjects(before, after, mask)
  return { ref, change: changes.length === 0 ? 'unchanged' : 'modified', changes }
}

function diffSets(
  before: readonly KubeObject[],
  after: readonly KubeObject[],
  namespace: string,
  mask: Mask,
): ObjectDiff[] {
  // Stores that keep Helm's manifests have objects without their namespace.
  const idOf = (object: KubeObject): string => {
    const { namespace: own = namespace, name } = object.metadata
    return objectId({ ...gvkOf(object), namespace: own, name })
  }
  const left = new Map(before.map((object) => [idOf(object), object]))
  const kept = after.map((object) => {
    const id = idOf(object)
    const old = left.get(id)
    left.delete(id)
    return diffPair(old === undefined ? undefined : placedAs(object, old), object, mask)
  })
  return [...kept, ...[...left.values()].map((object) => diffPair(object, undefined, mask))]
}

/** The object in the same spelling of its place as another of the same identity. */
function placedAs({ metadata: { namespace } }: KubeObject, object: KubeObject): KubeObject {
  if (object.metadata.namespace === namespace) return object
  const { namespace: _, ...metadata } = object.metadata
  return { ...object, metadata: { ...metadata, ...(namespace === undefined ? {} : { namespace }) } }
}

/** An object with nothing but its identity: what an added one is compared with. */
function bare({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } }
}
