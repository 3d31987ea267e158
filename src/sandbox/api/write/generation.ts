import { isDeepStrictEqual } from 'node:util'
import type { KubeObject } from '../../../core/index.ts'
import type { ResourceType } from '../../resource-type.ts'
import { hasStatus } from './decode-object.ts'

/** Whether objects of the type have `metadata.generation`. */
export function keepsGeneration(type: ResourceType): boolean {
  return type.crd !== undefined || type.rules.generation === true
}

/** The generation after an update: it grows when anything but metadata and status changes. */
export function generationAfter(type: ResourceType, old: KubeObject, next: KubeObject): number {
  return (old.metadata.generation ?? 0) + (sameDesired(type, old, next) ? 0 : 1)
}

function sameDesired(type: ResourceType, old: KubeObject, next: KubeObject): boolean {
  const { metadata: _a, status: was, ...before } = old
  const { metadata: _c, status: is, ...after } = next
  const { countsAnnotations = false } = type.rules
  if (countsAnnotations && !isDeepStrictEqual(old.metadata.annotations, next.metadata.annotations)) return false
  // Without the `status` subresource, status is a field like any other.
  return isDeepStrictEqual(before, after) && (hasStatus(type) || isDeepStrictEqual(was, is))
}
