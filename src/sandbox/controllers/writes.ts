import { isRecord, type KubeObject } from '../../core/index.ts'
import { removeObject } from '../api/delete.ts'
import { storeChanged, storeNew } from '../api/write.ts'
import type { Backend, WriteOptions } from '../backend.ts'
import type { ResourceType } from '../resource-type.ts'

/** Writes of controllers go the way of every other write: completed, checked and tracked. */
export function createAs(backend: Backend, manager: string, object: KubeObject): KubeObject {
  return storeNew(backend, typeOf(backend, object), object, undefined, writeOptions(manager, ''))
}

/** Changes an object, or only its status; says what is stored then. */
export function updateAs(
  backend: Backend,
  manager: string,
  old: KubeObject,
  next: KubeObject,
  subresource = '',
): KubeObject {
  return storeChanged(backend, typeOf(backend, old), old, next, undefined, writeOptions(manager, subresource))
}

/** Sets the status of an object; a status that is already so costs nothing. */
export function setStatus(
  backend: Backend,
  manager: string,
  object: KubeObject,
  status: Record<string, unknown>,
): KubeObject {
  return updateAs(backend, manager, object, { ...object, status }, 'status')
}

/** Deletes an object as a controller does, in the background. */
export function deleteAs(backend: Backend, object: KubeObject): void {
  removeObject(backend, typeOf(backend, object), object, { dryRun: false, propagationPolicy: 'Background' })
}

/** A part of an object as a map; empty when it is not there. */
export function part(object: KubeObject | Record<string, unknown>, key: string): Record<string, unknown> {
  const value = object[key]
  return isRecord(value) ? value : {}
}

function typeOf(backend: Backend, object: KubeObject): ResourceType {
  const slash = object.apiVersion.indexOf('/')
  const group = slash < 0 ? '' : object.apiVersion.slice(0, slash)
  const type = backend.catalog.ofGroupKind(group, object.kind)
  if (type === undefined) throw new TypeError(`${object.kind} is not served`)
  return type
}

function writeOptions(manager: string, subresource: string): WriteOptions {
  return { dryRun: false, fieldManager: manager, fieldValidation: 'Ignore', force: false, subresource, warnings: [] }
}
