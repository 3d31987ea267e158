import { createHash } from 'node:crypto'
import { type KubeObject, objectId, type ObjectMeta, stringifyJson } from '../../core/index.ts'
import type { DesiredObject } from './desired-object.ts'
import type { InventoryEntry } from './record.ts'
import { endOf } from './expired-job.ts'

/** What a new revision may have on the cluster before it is applied: its own objects, and those it has not removed yet. */
export function inventoryBefore(
  desired: readonly DesiredObject[],
  previous: readonly InventoryEntry[],
): InventoryEntry[] {
  const known = new Map(previous.map((entry) => [objectId(entry.ref), entry]))
  const own = desired.map(({ id, ref, hash }): InventoryEntry => {
    const entry = known.get(id)
    known.delete(id)
    // An object that is desired as it already is keeps its proof; others have none yet.
    return entry?.hash === hash ? entry : { ref, hash, ...(entry?.uid === undefined ? {} : { uid: entry.uid }) }
  })
  return [...own, ...known.values()]
}

/** What a revision that failed may have on the cluster, with proof of what it had applied by then. */
export function inventoryAfterFailure(
  before: readonly InventoryEntry[],
  applied: ReadonlyMap<string, InventoryEntry>,
): InventoryEntry[] {
  return before.map((entry) => applied.get(objectId(entry.ref)) ?? entry)
}

/** The entry of an object as it was applied. */
export function appliedEntry({ ref, hash }: Pick<DesiredObject, 'ref' | 'hash'>, live: KubeObject): InventoryEntry {
  const { uid, resourceVersion } = live.metadata
  return {
    ref,
    hash,
    fingerprint: fingerprint(live.metadata),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...endOf(live),
  }
}

/** Whether the live object is as the entry left it, but for its status. */
export function isAsLeft(entry: InventoryEntry, live: ObjectMeta): boolean {
  if (entry.uid !== undefined && entry.uid !== live.uid) return false
  if (live.deletionTimestamp !== undefined) return false
  if (entry.resourceVersion !== undefined && entry.resourceVersion === live.resourceVersion) return true
  return entry.fingerprint !== undefined && entry.fingerprint === fingerprint(live)
}

/**
 * Everything but the status: a write to any other field changes the generation or somebody's entry in managedFields.
 * Controllers report through the status subresource, which has entries of its own. Without a generation, only the version of the whole
 * object counts: whoever may write to it can leave managedFields as they were.
 */
export function fingerprint(meta: ObjectMeta): string {
  const owners = (meta.managedFields ?? []).filter(({ subresource }) => subresource !== 'status')
  return createHash('sha256')
    .update(stringifyJson([meta.uid, meta.generation ?? { resourceVersion: meta.resourceVersion }, owners]))
    .digest('base64url')
    .slice(0, 22)
}
