import type { Context, KubeObject, ManagedFieldsEntry, ObjectRef } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { type ForeignPolicy, foreignShares, splitFields } from './foreign-fields.ts'
import {
  type FieldPath,
  type FieldsV1,
  formatFieldPath,
  isOwnApply,
  isWithin,
  ownedPaths,
  unionFields,
  valueAt,
  withoutPath,
} from './managed-fields.ts'
import { patchObject } from './patch.ts'

/** A tool whose fields can be taken over. */
export type AdoptableTool = 'kubectl' | 'helm'

/** Whose fields are taken over, so that those that we leave out disappear. */
export interface Takeover {
  /** Who takes them. */
  readonly fieldManager: string
  readonly tools: readonly AdoptableTool[]
  /** Everybody else too, but only of fields that the desired object does not have. */
  readonly foreign?: { readonly policy: ForeignPolicy; readonly desired: KubeObject }
}

/** What is taken of one entry of managedFields, and what stays with its manager. */
export interface TakenEntry {
  readonly entry: ManagedFieldsEntry
  readonly fields: FieldsV1
  readonly left?: FieldsV1
}

/**
 * Which entries of managedFields are what a tool applied. What people changed by hand (`kubectl edit`, `patch`, `scale`)
 * is no part of it and stays a conflict. `before-first-apply` is what the server calls fields that were there before it
 * tracked managers, for example of an object that an old kubectl applied.
 */
const entriesOf: Record<AdoptableTool, readonly { manager: string; operation: 'Apply' | 'Update' }[]> = {
  kubectl: [
    { manager: 'kubectl-client-side-apply', operation: 'Update' },
    { manager: 'kubectl', operation: 'Apply' },
    { manager: 'before-first-apply', operation: 'Update' },
  ],
  helm: [
    { manager: 'helm', operation: 'Update' },
    { manager: 'helm', operation: 'Apply' },
  ],
}

/** The entries of a live object that `tools` applied and that are not ours yet. */
export function adoptableEntries(
  live: KubeObject,
  tools: readonly AdoptableTool[],
  fieldManager: string,
): ManagedFieldsEntry[] {
  const entries = live.metadata.managedFields ?? []
  return entries.filter((entry) => isAdoptable(entry, tools) && !isOwnApply(entry, fieldManager))
}

/** What of a live object a takeover takes. */
export function takenEntries(live: KubeObject, { fieldManager, tools, foreign }: Takeover): TakenEntry[] {
  const adopted = adoptableEntries(live, tools, fieldManager)
  const whole = adopted.map((entry): TakenEntry => ({ entry, fields: entry.fieldsV1 ?? {} }))
  if (foreign === undefined) return whole
  const shares = foreignShares(live, foreign.desired, fieldManager, foreign.policy)
  const parts = shares.flatMap(({ entry, fields, paths }): TakenEntry[] => {
    const { taken, left } = splitFields(fields, paths)
    if (adopted.includes(entry) || taken === undefined) return []
    return [{ entry, fields: taken, ...(left === undefined ? {} : { left }) }]
  })
  return [...whole, ...parts]
}

/**
 * The managedFields in which `fieldManager` owns what a takeover takes; undefined when there is nothing to take.
 * Changing who applied is what makes a field that we leave out later really disappear: forcing alone would leave the
 * other manager as a second owner that keeps it. The last-applied annotation of a tool is among the fields and goes the same way.
 */
export function adoptedManagedFields(live: KubeObject, takeover: Takeover): ManagedFieldsEntry[] | undefined {
  const { fieldManager, foreign } = takeover
  const entries = live.metadata.managedFields ?? []
  const taken = takenEntries(live, takeover)
  if (taken.length === 0) return undefined
  const ours = entries.find((entry) => isOwnApply(entry, fieldManager))
  const parts = taken.map(({ entry, fields }): ManagedFieldsEntry => ({ ...entry, fieldsV1: fields }))
  if (ours !== undefined) parts.unshift(ours)
  const newest = parts.reduce((a, b) => ((a.time ?? '') >= (b.time ?? '') ? a : b))
  const apiVersion = foreign === undefined ? newest.apiVersion : (ours?.apiVersion ?? foreign.desired.apiVersion)
  const merged: ManagedFieldsEntry = {
    ...newest,
    ...(apiVersion === undefined ? {} : { apiVersion }),
    manager: fieldManager,
    operation: 'Apply',
    fieldsV1: parts.map((entry) => entry.fieldsV1 ?? {}).reduce(unionFields),
  }
  return [merged, ...leftEntries(entries, taken).filter((entry) => entry !== ours)]
}

/** The entries as they are without what was taken. */
function leftEntries(entries: readonly ManagedFieldsEntry[], taken: readonly TakenEntry[]): ManagedFieldsEntry[] {
  const parts = new Map(taken.map((part) => [part.entry, part]))
  return entries.flatMap((entry) => {
    const part = parts.get(entry)
    if (part === undefined) return [entry]
    return part.left === undefined ? [] : [{ ...entry, fieldsV1: part.left }]
  })
}

/** Writes who owns the fields, in one request that fails with kube.conflict when the object changed since it was read. */
export async function adoptObject(
  cluster: Cluster,
  ref: ObjectRef,
  live: KubeObject,
  managedFields: readonly ManagedFieldsEntry[],
  ctx: Context,
): Promise<KubeObject> {
  const patch = [
    { op: 'replace', path: '/metadata/managedFields', value: managedFields },
    // The server compares a resourceVersion that a patch sets with the stored one.
    { op: 'replace', path: '/metadata/resourceVersion', value: live.metadata.resourceVersion },
  ]
  return await patchObject(cluster, ref, patch, { type: 'json' }, ctx)
}

/**
 * What a dry-run answer lacks: nothing was taken over, so fields that only the others own and that we left out are
 * still there. Gives the object as the real apply would leave it.
 */
export function withoutAbandoned(answer: KubeObject, takeover: Takeover): KubeObject {
  const taken = takenEntries(answer, takeover)
  const kept = leftEntries(answer.metadata.managedFields ?? [], taken)
  const keptPaths = [...new Set(kept.flatMap(({ fieldsV1 = {} }) => ownedPaths(fieldsV1)).map(formatFieldPath))]
  const abandoned = taken.flatMap(({ fields }) => ownedPaths(fields))
  // Outermost first: the fields of a list item are found by its key, which is one of them.
  abandoned.sort((a, b) => a.length - b.length)
  const object = { ...answer, metadata: { ...answer.metadata, managedFields: kept } }
  return abandoned.reduce((result, path) => {
    const text = formatFieldPath(path)
    // A map or an item goes only when nothing of it is left to others; an item that stays keeps its key.
    if (isKeyOfItem(path) || keptPaths.some((other) => isWithin(other, text))) return result
    return valueAt(result, path) === undefined ? result : withoutPath(result, path)
  }, object as KubeObject)
}

function isKeyOfItem(path: FieldPath): boolean {
  const [item, field] = path.slice(-2)
  return item !== undefined && field !== undefined && 'key' in item && 'field' in field && field.field in item.key
}

function isAdoptable(entry: ManagedFieldsEntry, tools: readonly AdoptableTool[]): boolean {
  if (entry.subresource !== undefined && entry.subresource !== '') return false
  return tools.some((tool) =>
    entriesOf[tool].some(({ manager, operation }) => manager === entry.manager && operation === entry.operation),
  )
}
