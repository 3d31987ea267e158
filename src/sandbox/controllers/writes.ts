import { isDeepStrictEqual } from 'node:util'
import { type KubeObject, type ObjectMeta, parseApiVersion } from '../../core/index.ts'
import { removeObject } from '../api/write/delete.ts'
import { decodeObject } from '../api/write/decode-object.ts'
import { storeChanged, storeNew } from '../api/write/store-object.ts'
import type { Backend, WriteOptions } from '../backend.ts'
import type { ResourceType } from '../resource-type.ts'

/** An object as controllers write it: a generated name will do. */
export interface NewObject {
  apiVersion: string
  kind: string
  metadata: Partial<ObjectMeta>
  [field: string]: unknown
}

/** Writes of controllers go the way of every other write: completed, checked and tracked. */
export function createAs(backend: Backend, manager: string, object: NewObject): KubeObject {
  const type = typeOf(backend, object)
  const { generateName } = object.metadata
  const name = object.metadata.name ?? `${String(generateName)}${backend.suffix()}`
  const decoded = decodeObject(type, { ...object, metadata: { ...object.metadata, name } })
  return storeNew(backend, type, decoded, undefined, writeOptions(manager, ''))
}

/** Changes an object, or only a subresource of it; says what is stored then. */
export function updateAs(backend: Backend, manager: string, next: KubeObject, subresource = ''): KubeObject {
  const old = currentOf(backend, next)
  if (old === undefined) return next
  return storeChanged(backend, typeOf(backend, next), old, next, undefined, writeOptions(manager, subresource))
}

/** Sets the status of an object; a status that is already so costs nothing. */
export function setStatus(
  backend: Backend,
  manager: string,
  object: KubeObject,
  status: Record<string, unknown>,
): KubeObject {
  const current = currentOf(backend, object)
  if (current === undefined || isDeepStrictEqual(current['status'], status)) return current ?? object
  return updateAs(backend, manager, { ...current, status }, 'status')
}

/** Changes labels, annotations, owners or finalizers of an object. */
export function setMetadata(
  backend: Backend,
  manager: string,
  object: KubeObject,
  metadata: Partial<ObjectMeta>,
): KubeObject {
  const current = currentOf(backend, object)
  if (current === undefined) return object
  const next = { ...current.metadata, ...metadata }
  if (next.ownerReferences?.length === 0) delete next.ownerReferences
  if (next.finalizers?.length === 0) delete next.finalizers
  return updateAs(backend, manager, { ...current, metadata: next })
}

/** Deletes an object as a controller does: in the background, unless it is to be otherwise. */
export function deleteAs(
  backend: Backend,
  object: KubeObject,
  options: { propagationPolicy?: 'Orphan' | 'Background' | 'Foreground'; gracePeriodSeconds?: number } = {},
): void {
  const current = currentOf(backend, object)
  if (current === undefined) return
  removeObject(backend, typeOf(backend, object), current, {
    dryRun: false,
    propagationPolicy: 'Background',
    ...options,
  })
}

/** The object as it is stored now; undefined when it is gone, or another one has its name. */
function currentOf(backend: Backend, object: KubeObject): KubeObject | undefined {
  const { namespace = '', name, uid } = object.metadata
  const current = backend.store.get(typeOf(backend, object).collection, namespace, name)
  return current?.metadata.uid === uid ? current : undefined
}

function typeOf(backend: Backend, object: { apiVersion: string; kind: string }): ResourceType {
  const { group } = parseApiVersion(object.apiVersion)
  const type = backend.catalog.ofGroupKind(group, object.kind)
  if (type === undefined) throw new TypeError(`${object.kind} is not served`)
  return type
}

function writeOptions(manager: string, subresource: string): WriteOptions {
  return { dryRun: false, fieldManager: manager, fieldValidation: 'Ignore', force: false, subresource, warnings: [] }
}
