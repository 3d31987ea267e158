import type { Context, KubeObject, ManagedFieldsEntry, ObjectRef } from '../core/index.ts'
import type { Cluster } from './cluster.ts'
import {
  type FieldPath,
  formatFieldPath,
  isOwnApply,
  ownedPaths,
  unionFields,
  valueAt,
  withoutPath,
} from './managed-fields.ts'
import { patchObject } from './patch.ts'

/** A tool whose fields can be taken over. */
export type AdoptableTool = 'kubectl' | 'helm'

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

/**
 * The managedFields in which `fieldManager` owns what `tools` applied; undefined when there is nothing to take over.
 * Changing who applied is what makes a field that we leave out later really disappear: forcing alone would leave the
 * tool as a second owner that keeps it. The last-applied annotation is among the fields and goes the same way.
 */
export function adoptedManagedFields(
  live: KubeObject,
  fieldManager: string,
  tools: readonly AdoptableTool[],
): ManagedFieldsEntry[] | undefined {
  const entries = live.metadata.managedFields ?? []
  const adopted = adoptableEntries(live, tools, fieldManager)
  if (adopted.length === 0) return undefined
  const ours = entries.find((entry) => isOwnApply(entry, fieldManager))
  const parts = ours === undefined ? adopted : [ours, ...adopted]
  const newest = parts.reduce((a, b) => ((a.time ?? '') >= (b.time ?? '') ? a : b))
  const merged: ManagedFieldsEntry = {
    ...newest,
    manager: fieldManager,
    operation: 'Apply',
    fieldsV1: parts.map((entry) => entry.fieldsV1 ?? {}).reduce(unionFields),
  }
  return [merged, ...entries.filter((entry) => entry !== ours && !adopted.includes(entry))]
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
 * What a dry-run answer lacks: nothing was adopted, so fields that only the adopted tools own and that we left out are
 * still there. Gives the object as the real apply would leave it.
 */
export function withoutAbandoned(
  answer: KubeObject,
  tools: readonly AdoptableTool[],
  fieldManager: string,
): KubeObject {
  const entries = answer.metadata.managedFields ?? []
  const adopted = adoptableEntries(answer, tools, fieldManager)
  const kept = entries.filter((entry) => !adopted.includes(entry))
  const keptPaths = new Set(kept.flatMap(pathsOf).map(formatFieldPath))
  const abandoned = adopted.flatMap(pathsOf).filter((path) => !keptPaths.has(formatFieldPath(path)))
  // Deepest first, and a map or an item only when nothing of it is left to others.
  abandoned.sort((a, b) => b.length - a.length)
  const object = { ...answer, metadata: { ...answer.metadata, managedFields: kept } }
  return abandoned.reduce((result, path) => {
    const text = formatFieldPath(path)
    const shared = [...keptPaths].some((other) => other.startsWith(`${text}.`) || other.startsWith(`${text}[`))
    return shared || valueAt(result, path) === undefined ? result : withoutPath(result, path)
  }, object as KubeObject)
}

function isAdoptable(entry: ManagedFieldsEntry, tools: readonly AdoptableTool[]): boolean {
  if (entry.subresource !== undefined && entry.subresource !== '') return false
  return tools.some((tool) =>
    entriesOf[tool].some(({ manager, operation }) => manager === entry.manager && operation === entry.operation),
  )
}

function pathsOf(entry: ManagedFieldsEntry): FieldPath[] {
  return ownedPaths(entry.fieldsV1 ?? {})
}
