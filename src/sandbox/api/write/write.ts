import { isDeepStrictEqual } from 'node:util'
import { isRecord, type KubeObject, type ManagedFieldsEntry, type ObjectMeta } from '../../../core/index.ts'
import { builtinSchema, type SchemaNode } from '../../../schema/index.ts'
import { type Backend, ruleEnv, timestamp, type WriteOptions } from '../../backend.ts'
import { cloneJson } from '../../clone.ts'
import { updateFields } from '../../fields/track.ts'
import { immutable, invalidValue } from '../../kinds/causes.ts'
import { decodeBuiltin } from '../../kinds/decode.ts'
import { allMetadata } from '../../kinds/kind-rules.ts'
import { warningsOf } from '../../kinds/warnings.ts'
import type { ResourceType } from '../../resource-type.ts'
import { alreadyExists, conflict, invalid, unreadableVersion } from '../../status-error.ts'
import { forStorage, inVersion } from '../read/in-version.ts'
import { checkNamespace, validateMeta } from './validate-meta.ts'

/** Stores a new object: completed, checked, with an owner for each of its fields. */
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

/** Stores a changed object; one that did not change is not written, and one whose last finalizer is gone goes away. */
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
  // An object that nobody is tracked on stays so until it is applied.
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
    // Watchers see the deletion alone, not the change that allowed it.
    backend.store.remove(type.collection, next.metadata.namespace ?? '', next.metadata.name)
    return next
  }
  return put(backend, type, next)
}

function put(backend: Backend, type: ResourceType, object: KubeObject): KubeObject {
  return inVersion(type, backend.store.put(type.collection, forStorage(type, object)))
}

/** The object as its kind decodes it, completed; what the server itself decides is set. */
function completeNew(backend: Backend, type: ResourceType, next: KubeObject): void {
  const { metadata } = next
  metadata.uid = backend.uid()
  metadata.creationTimestamp = timestamp(backend.clock)
  for (const field of ['resourceVersion', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink']) {
    delete metadata[field]
  }
  type.rules.complete?.(next)
}

/** A body as an object of the type; fields that the type does not have are gone. */
export function decodeObject(type: ResourceType, body: Record<string, unknown>): KubeObject {
  if (type.schema === undefined) return cloneJson(body) as KubeObject
  if (type.crd === undefined) return decodeBuiltin(type.schema, body) as KubeObject
  // Of a custom resource only the metadata is typed.
  const object = cloneJson(body) as KubeObject
  const metadata = metadataNode()
  return metadata === undefined
    ? object
    : { ...object, metadata: decodeBuiltin(metadata, object.metadata) as ObjectMeta }
}

function metadataNode(): SchemaNode | undefined {
  return builtinSchema().type({ group: '', version: 'v1', kind: 'ConfigMap' })?.field('metadata')
}

/** What an object of the type looks like with nothing in it: the base against which a create is tracked. */
export function emptyObject(type: ResourceType): KubeObject {
  const metadata = { name: '' }
  const empty = { apiVersion: apiVersionOf(type), kind: type.kind, metadata }
  return type.crd === undefined ? { ...decodeObject(type, empty), metadata } : empty
}

/** The `apiVersion` that objects of the type carry. */
export function apiVersionOf(type: ResourceType): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}

/** Whether status is written through a subresource of its own. */
export function hasStatus(type: ResourceType): boolean {
  return type.subresources.some((subresource) => subresource.name === 'status')
}

/**
 * The object whose fields are tracked. The status of a custom resource leaves metadata alone only after the writer's fields
 * were tracked: what was sent of it counts, and what was left out is lost to its owners.
 */
function asTracked(type: ResourceType, next: KubeObject, sent: KubeObject, options: WriteOptions): KubeObject {
  if (options.subresource !== 'status' || type.crd === undefined) return next
  const metadata = { ...next.metadata }
  for (const field of allMetadata) {
    if (sent.metadata[field] === undefined) delete metadata[field]
    else metadata[field] = sent.metadata[field]
  }
  return { ...next, metadata }
}

/** The managers after an update. */
export function trackUpdate(
  backend: Backend,
  type: ResourceType,
  old: KubeObject,
  next: KubeObject,
  options: WriteOptions,
  entries: readonly ManagedFieldsEntry[] = [],
): ManagedFieldsEntry[] {
  return updateFields(type.shape, withoutManagers(old), entries, withoutManagers(next), {
    manager: options.fieldManager,
    operation: 'Update',
    apiVersion: apiVersionOf(type),
    subresource: options.subresource,
    time: timestamp(backend.clock),
  })
}

/** A writer may set the managers of the whole object, and clear them by one empty entry. */
function managersBefore(old: KubeObject, next: KubeObject, options: WriteOptions): readonly ManagedFieldsEntry[] {
  const stored = old.metadata.managedFields ?? []
  const given = next.metadata.managedFields ?? []
  if (options.subresource !== '' || given.length === 0) return stored
  const [only] = given
  return given.length === 1 && only !== undefined && Object.keys(only).length === 0 ? [] : given
}

function setManagers(object: KubeObject, managedFields: ManagedFieldsEntry[]): void {
  if (managedFields.length === 0) delete object.metadata.managedFields
  else object.metadata.managedFields = managedFields
}

/** The object without its `managedFields`, as trackers compare it. */
export function withoutManagers(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

function checkVersion(type: ResourceType, old: KubeObject, next: KubeObject): void {
  const { resourceVersion, uid } = next.metadata
  if (uid !== undefined && uid !== '' && uid !== old.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`
    throw conflict(type, old.metadata.name, why)
  }
  if (resourceVersion !== undefined && !/^\d*$/.test(resourceVersion)) throw unreadableVersion(resourceVersion)
  if (!isVersionless(resourceVersion) && resourceVersion !== old.metadata.resourceVersion) {
    const why = 'the object has been modified; please apply your changes to the latest version and try again'
    throw conflict(type, old.metadata.name, why)
  }
}

// A deletion is asked for by DELETE alone.
function checkDeletionTime(type: ResourceType, old: KubeObject, { metadata }: KubeObject): void {
  const { deletionTimestamp } = metadata
  if (deletionTimestamp === undefined || deletionTimestamp === old.metadata.deletionTimestamp) return
  throw invalid(type, old.metadata.name, [invalidValue('metadata.deletionTimestamp', deletionTimestamp, immutable)])
}

/** Whether a writer takes any version. */
export function isVersionless(resourceVersion: string | undefined): boolean {
  return resourceVersion === undefined || resourceVersion === '' || resourceVersion === '0'
}

function keepSystemFields(old: KubeObject, next: KubeObject): void {
  const { metadata } = next
  for (const field of [
    'uid',
    'selfLink',
    'creationTimestamp',
    'generation',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ]) {
    if (old.metadata[field] === undefined) delete metadata[field]
    else metadata[field] = old.metadata[field]
  }
  if (old.metadata.resourceVersion !== undefined) metadata.resourceVersion = old.metadata.resourceVersion
}

/** A write to the status changes no other part, but for metadata: kinds differ in what of that they leave alone. */
function keepAllButStatus(type: ResourceType, old: KubeObject, next: KubeObject): void {
  for (const key of Object.keys(next)) if (key !== 'status' && key !== 'metadata') delete next[key]
  for (const [key, value] of Object.entries(old)) if (key !== 'status' && key !== 'metadata') next[key] = value
  for (const field of statusKeeps(type)) {
    if (old.metadata[field] === undefined) delete next.metadata[field]
    else next.metadata[field] = old.metadata[field]
  }
}

/** The subresource by which a Pod gets containers to debug it with; nothing else is changed by it. */
const ephemeral = 'ephemeralcontainers'

function keepAllButEphemeral(old: KubeObject, next: KubeObject): void {
  Object.assign(next, { ...withEphemeral(old, next), metadata: next.metadata })
  for (const field of allMetadata) {
    if (old.metadata[field] === undefined) delete next.metadata[field]
    else next.metadata[field] = old.metadata[field]
  }
}

function withEphemeral(old: KubeObject, next: KubeObject): KubeObject {
  const { ephemeralContainers } = isRecord(next['spec']) ? next['spec'] : {}
  const spec = isRecord(old['spec']) ? old['spec'] : {}
  return { ...old, spec: { ...spec, ...(ephemeralContainers === undefined ? {} : { ephemeralContainers }) } }
}

function statusKeeps(type: ResourceType): readonly string[] {
  return type.rules.statusKeeps ?? (type.crd === undefined ? [] : allMetadata)
}

function resetStatus(type: ResourceType, next: KubeObject, old: KubeObject | undefined): void {
  const kept = old === undefined ? emptyObject(type)['status'] : old['status']
  if (kept === undefined) delete next['status']
  else next['status'] = cloneJson(kept)
}

function keepsGeneration(type: ResourceType): boolean {
  return type.crd !== undefined || type.rules.generation === true
}

function generationAfter(type: ResourceType, old: KubeObject, next: KubeObject): number {
  return (old.metadata.generation ?? 0) + (sameDesired(type, old, next) ? 0 : 1)
}

function sameDesired(type: ResourceType, old: KubeObject, next: KubeObject): boolean {
  const { metadata: _a, status: was, ...before } = old
  const { metadata: _c, status: is, ...after } = next
  const { countsAnnotations = false } = type.rules
  if (countsAnnotations && !isDeepStrictEqual(old.metadata.annotations, next.metadata.annotations)) return false
  // Where status is no subresource it is a field like any other.
  return isDeepStrictEqual(before, after) && (hasStatus(type) || isDeepStrictEqual(was, is))
}

// The API server keeps the old times when nothing else changed, so that a repeated apply is no write.
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

/** A namespace has finalizers of its own kind beside the usual ones. */
function namespaceFinalizers({ apiVersion, kind, spec }: KubeObject): number {
  if (kind !== 'Namespace' || apiVersion !== 'v1') return 0
  return isRecord(spec) && Array.isArray(spec['finalizers']) ? spec['finalizers'].length : 0
}
