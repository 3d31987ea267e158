import type { KubeObject, ObjectRef } from '../../core/index.ts'
import { keepPolicy, ownershipMismatch, type OwnershipGuard } from '../../kube/index.ts'
import { annotation } from '../annotations/annotations.ts'

/** Whether a live object that stands in no inventory is the release's own to delete. */
export function isOwnOrphan(live: KubeObject, guard: OwnershipGuard): boolean {
  const { metadata } = live
  return ownershipMismatch(metadata, guard) === undefined && keepPolicy(metadata) === undefined && !isMadeByOthers(live)
}

/** Hooks are no part of a release and may outlive it; what a controller made copies the annotations of its owner. */
export function isMadeByOthers(object: KubeObject): boolean {
  return (object.metadata.ownerReferences ?? []).length > 0 || annotation(object, 'hook') !== undefined
}

/** Whether deleting an object deletes others that its release may not own. */
export function takesOthersAlong({ group, kind }: ObjectRef): boolean {
  return group === '' ? kind === 'Namespace' : group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition'
}
