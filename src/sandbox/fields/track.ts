import { isDeepStrictEqual } from 'node:util'
import type { ManagedFieldsEntry } from '../../core/index.ts'
import { capUpdaters } from './cap-managers.ts'
import { compareValues } from './compare.ts'
import {
  difference,
  emptySet,
  equalSets,
  type FieldSet,
  intersection,
  isEmptySet,
  pathsOf,
  recursiveDifference,
  union,
} from './field-set.ts'
import { formatPath, fromFieldsV1 } from './fields-v1.ts'
import { decodeManagers, encodeManagers, type Manager, managerKey, type ManagerName } from './managers.ts'
import { checkItems, mergeValues } from './merge.ts'
import { removeFields, withStructFields } from './remove.ts'
import type { Shape } from './shape.ts'
import { setOfValue } from './value-set.ts'

/** Who writes what, and when. */
export interface Write extends ManagerName {
  readonly apiVersion: string
  /** RFC 3339, to the second. */
  readonly time: string
  /** Fields that this endpoint does not write: the status of the main resource, all but the status of `/status`. */
  readonly ignored?: FieldSet
}

/** One field that another manager owns. */
export interface Conflict {
  readonly manager: Manager
  /** Spelled as the API server spells it in a conflict's cause. */
  readonly path: string
}

/** What an apply comes to: the merged value, or the conflicts that stand in its way. */
export type Applied =
  | { readonly value: Record<string, unknown>; readonly managedFields: ManagedFieldsEntry[] }
  | { readonly conflicts: readonly Conflict[] }

/** Fields that belong to the system or to the object's identity: nobody owns them. */
const unowned = fromFieldsV1({
  'f:apiVersion': {},
  'f:kind': {},
  'f:metadata': {
    '.': {},
    'f:name': {},
    'f:namespace': {},
    'f:creationTimestamp': {},
    'f:selfLink': {},
    'f:uid': {},
    'f:clusterName': {},
    'f:generation': {},
    'f:managedFields': {},
    'f:resourceVersion': {},
  },
})

/**
 * Server-side apply: merges `config` into `live`, drops what this manager applied before and nobody owns any more, and finds
 * the fields that others own with another value. Both values come without `managedFields`.
 */
export function applyFields(
  shape: Shape,
  live: Record<string, unknown>,
  entries: readonly ManagedFieldsEntry[] | undefined,
  config: Record<string, unknown>,
  write: Write,
  force: boolean,
): Applied {
  const managers = decodeManagers(entries)
  const key = managerKey(write)
  const previous = managers.get(key)
  checkItems(shape, config, [])
  // While fields are pruned the manager counts as the owner of the name too, or an emptied metadata would go with it.
  const named = visible(setOfValue(shape, config), write)
  managers.set(key, { ...write, time: previous?.time, fields: named })
  let value = mergeValues(shape, live, config) as Record<string, unknown>
  if (previous !== undefined) value = prune(shape, value, managers, previous.fields)

  const changed = compareValues(shape, live, value)
  const touched = visible(union(changed.modified, changed.added), write)
  const conflicts: Conflict[] = []
  for (const [name, manager] of managers) {
    if (name === key) continue
    const lost = intersection(manager.fields, touched)
    if (!isEmptySet(lost)) {
      for (const path of pathsOf(lost)) conflicts.push({ manager, path: formatPath(path) })
    }
    release(managers, name, manager, union(lost, visible(changed.removed, write)))
  }
  if (conflicts.length > 0 && !force) return { conflicts }

  const own = difference(named, unowned)
  const same = previous !== undefined && equalSets(previous.fields, own) && isDeepStrictEqual(live, value)
  managers.set(key, { ...write, time: same ? previous.time : write.time, fields: own })
  return { value, managedFields: encodeManagers(managers) }
}

/** Create, update and patch: the writer owns what it changed, the others lose it. */
export function updateFields(
  shape: Shape,
  live: Record<string, unknown>,
  entries: readonly ManagedFieldsEntry[] | undefined,
  value: Record<string, unknown>,
  write: Write,
): ManagedFieldsEntry[] {
  const managers = decodeManagers(entries)
  const key = managerKey(write)
  const changed = compareValues(shape, live, value)
  const touched = visible(union(changed.modified, changed.added), write)
  const removed = visible(changed.removed, write)
  for (const [name, manager] of managers) {
    if (name !== key) release(managers, name, manager, union(intersection(manager.fields, touched), removed))
  }
  const previous = managers.get(key)
  const taken = difference(touched, unowned)
  const fields = union(difference(previous?.fields ?? emptySet, removed), taken)
  if (isEmptySet(fields)) managers.delete(key)
  else managers.set(key, { ...write, time: isEmptySet(taken) ? (previous?.time ?? write.time) : write.time, fields })
  capUpdaters(managers)
  return encodeManagers(managers)
}

/** Conflicts of forced and plain applies alike: who owns a path with another value. */
function release(managers: Map<string, Manager>, name: string, manager: Manager, lost: FieldSet): void {
  const fields = difference(manager.fields, lost)
  if (isEmptySet(fields)) managers.delete(name)
  else managers.set(name, { ...manager, fields })
}

/**
 * Removes what the manager applied last time and does not apply now, unless somebody owns it. What nobody ever owned stays:
 * defaults below a removed field go with it only when the whole field was the manager's.
 */
function prune(
  shape: Shape,
  merged: Record<string, unknown>,
  managers: ReadonlyMap<string, Manager>,
  last: FieldSet,
): Record<string, unknown> {
  const lastFields = withStructFields(shape, last)
  const mergedFields = withStructFields(shape, setOfValue(shape, merged))
  const stripped = removeFields(shape, merged, lastFields)
  const keptFields = withStructFields(shape, setOfValue(shape, stripped))
  let owned: FieldSet = emptySet
  for (const manager of managers.values()) owned = union(owned, manager.fields)
  const ownedFields = withStructFields(shape, owned)
  const withOwned = removeFields(shape, merged, difference(mergedFields, union(keptFields, ownedFields)))
  const remaining = withStructFields(shape, setOfValue(shape, withOwned))
  const gone = intersection(difference(mergedFields, remaining), lastFields)
  return removeFields(shape, merged, gone) as Record<string, unknown>
}

function visible(set: FieldSet, write: Write): FieldSet {
  return write.ignored === undefined ? set : recursiveDifference(set, write.ignored)
}
