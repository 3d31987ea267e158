import { isDeepStrictEqual } from 'node:util'
import { isRecord, type KubeObject, type ManagedFieldsEntry } from '../../../core/index.ts'
import { type Backend, ruleEnv, timestamp, type WriteOptions } from '../../backend.ts'
import { cloneJson } from '../../clone.ts'
import { warningsOf } from '../../kinds/warnings.ts'
import type { ResourceType } from '../../resource-type.ts'
import { alreadyExists, invalid } from '../../status-error.ts'
import { forStorage, inVersion } from '../read/in-version.ts'
import { emptyObject, hasStatus } from './decode-object.ts'
import { generationAfter, keepsGeneration } from './generation.ts'
import {
  ephemeral,
  keepAllButEphemeral,
  keepAllButStatus,
  keepSystemFields,
  resetStatus,
  withEphemeral,
} from './kept-fields.ts'
import { asTracked, managersBefore, setManagers, trackUpdate, withoutManagers } from './managed-fields.ts'
import { checkDeletionTime, checkVersion } from './preconditions.ts'
import { checkNamespace, validateMeta } from './validate-meta.ts'

/** Stores a new object, after defaulting, validation and recording who manages its fields. */
export function storeNew(
  backend: Backend,
  type: ResourceType,
  object: KubeObject,
  managedFields: ManagedFieldsEntry[] | undefined,
  options: WriteOptions,
): KubeObject {
  const env = ruleEnv(backend)
  checkNamespace(backend, type, object)
  const next = cloneJson(object)
  completeNew(backend, type, next)
  if (hasStatus(type)) resetStatus(type, next, undefined)
  const given = managersBefore(emptyObject(type), next, options)
  const tracked = managedFields ?? trackUpdate(backend, type, emptyObject(type), next, options, given)
  type.rules.prepareCreate?.(next, env)
  if (keepsGeneration(type)) next.metadata.generation = 1
  setManagers(next, tracked)
  const causes = [...validateMeta(type, next, undefined), ...(type.rules.validate?.(next, undefined, env) ?? [])]
  if (causes.length > 0) throw invalid(type, next.metadata.name, causes)
  options.checkCreate?.()
  if (backend.store.get(type.collection, next.metadata.namespace ?? '', next.metadata.name) !== undefined) {
    throw alreadyExists(type, next.metadata.name)
  }
  if (type.crd === undefined) options.warnings.push(...warningsOf(next, undefined))
  return options.dryRun ? next : put(backend, type, next)
}

/** Stores a changed object. An unchanged object is not written, and a terminating object without finalizers is removed. */
export function storeChanged(
  backend: Backend,
  type: ResourceType,
  old: KubeObject,
  object: KubeObject,
  managedFields: ManagedFieldsEntry[] | undefined,
  options: WriteOptions,
): KubeObject {
  const env = ruleEnv(backend)
  const next = cloneJson(object)
  checkVersion(type, old, next)
  checkDeletionTime(type, old, next)
  keepSystemFields(old, next)
  if (options.subresource === 'status') keepAllButStatus(type, old, next)
  if (options.subresource === ephemeral) keepAllButEphemeral(old, next)
  type.rules.complete?.(next)
  if (options.subresource !== 'status' && hasStatus(type)) resetStatus(type, next, old)
  // An object without managed fields gets them only from an apply.
  const entries = managersBefore(old, next, options)
  const tracked = (): ManagedFieldsEntry[] =>
    trackUpdate(backend, type, old, asTracked(type, next, object, options), options, entries)
  setManagers(next, managedFields ?? (entries.length === 0 ? [] : tracked()))
  type.rules.prepareUpdate?.(next, old, env)
  if (keepsGeneration(type) && options.subresource !== 'status') {
    next.metadata.generation = generationAfter(type, old, next)
  }
  const before = options.subresource === ephemeral ? withEphemeral(old, next) : old
  const causes = [...validateMeta(type, next, old), ...(type.rules.validate?.(next, before, env) ?? [])]
  if (causes.length > 0) throw invalid(type, next.metadata.name, causes)
  if (type.crd === undefined) options.warnings.push(...warningsOf(next, old))
  if (sameButTimes(old, next)) return old
  if (options.dryRun) return next
  if (isFinished(next)) {
    // Watchers see only the deletion, not the change that allowed it.
    backend.store.remove(type.collection, next.metadata.namespace ?? '', next.metadata.name)
    return next
  }
  return put(backend, type, next)
}

function put(backend: Backend, type: ResourceType, object: KubeObject): KubeObject {
  return inVersion(type, backend.store.put(type.collection, forStorage(type, object)))
}

/** Sets what the server decides, and the defaults of the kind. */
function completeNew(backend: Backend, type: ResourceType, next: KubeObject): void {
  const { metadata } = next
  metadata.uid = backend.uid()
  metadata.creationTimestamp = timestamp(backend.clock)
  for (const field of ['resourceVersion', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink']) {
    delete metadata[field]
  }
  type.rules.complete?.(next)
}

// As in the API server, a write that changes only the times of managed fields is no change: a repeated apply writes nothing.
function sameButTimes(old: KubeObject, next: KubeObject): boolean {
  if (!isDeepStrictEqual(withoutManagers(old), withoutManagers(next))) return false
  const timeless = (entries: readonly ManagedFieldsEntry[] | undefined): unknown[] =>
    (entries ?? []).map(({ time: _, ...entry }) => entry)
  return isDeepStrictEqual(timeless(old.metadata.managedFields), timeless(next.metadata.managedFields))
}

function isFinished(object: KubeObject): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata
  const waits = typeof deletionGracePeriodSeconds === 'number' && deletionGracePeriodSeconds > 0
  const held = (finalizers ?? []).length + namespaceFinalizers(object)
  return deletionTimestamp !== undefined && held === 0 && !waits
}

/** Namespaces also have finalizers in their spec. */
function namespaceFinalizers({ apiVersion, kind, spec }: KubeObject): number {
  if (kind !== 'Namespace' || apiVersion !== 'v1') return 0
  return isRecord(spec) && Array.isArray(spec['finalizers']) ? spec['finalizers'].length : 0
}
