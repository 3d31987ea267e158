import type { KubeObject, ManagedFieldsEntry } from '../../../core/index.ts'
import { type Backend, timestamp, type WriteOptions } from '../../backend.ts'
import { updateFields } from '../../fields/track.ts'
import { allMetadata } from '../../kinds/kind-rules.ts'
import type { ResourceType } from '../../resource-type.ts'
import { apiVersionOf } from './decode-object.ts'

/** Returns the managed fields after an update. */
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

/**
 * Returns the object whose managed fields are recorded. A write to the status of a custom resource changes no metadata, but the API
 * server restores the metadata only after it has recorded the managers: the writer owns what it sent, and what it left out has
 * no owner any more.
 */
export function asTracked(type: ResourceType, next: KubeObject, sent: KubeObject, options: WriteOptions): KubeObject {
  if (options.subresource !== 'status' || type.crd === undefined) return next
  const metadata = { ...next.metadata }
  for (const field of allMetadata) {
    if (sent.metadata[field] === undefined) delete metadata[field]
    else metadata[field] = sent.metadata[field]
  }
  return { ...next, metadata }
}

/** The managed fields that a write starts from. A writer may set them itself, and clears them with a single empty entry. */
export function managersBefore(
  old: KubeObject,
  next: KubeObject,
  options: WriteOptions,
): readonly ManagedFieldsEntry[] {
  const stored = old.metadata.managedFields ?? []
  const given = next.metadata.managedFields ?? []
  if (options.subresource !== '' || given.length === 0) return stored
  const [only] = given
  return given.length === 1 && only !== undefined && Object.keys(only).length === 0 ? [] : given
}

/** Sets `managedFields`, or removes the field if there are no entries. */
export function setManagers(object: KubeObject, managedFields: ManagedFieldsEntry[]): void {
  if (managedFields.length === 0) delete object.metadata.managedFields
  else object.metadata.managedFields = managedFields
}

/** The object without its `managedFields`. */
export function withoutManagers(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
