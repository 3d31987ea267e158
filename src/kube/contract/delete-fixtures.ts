import type { KubeObject } from '../../core/index.ts'
import { gvkOf, refOf } from '../../core/index.ts'
import { deleteObject, type DeleteOptions, type DeleteResult } from '../delete/delete.ts'
import { patchObject } from '../apply/patch.ts'
import { watchObjects } from '../watch/watch.ts'
import type { CaseContext } from './harness.ts'

/** Deletes as the admin of the case. */
export async function remove(c: CaseContext, object: KubeObject, options: DeleteOptions = {}): Promise<DeleteResult> {
  return await deleteObject(c.cluster, refOf(object), options, c.ctx)
}

/** The metadata of an object `settings` that a finalizer holds. */
export function held(c: CaseContext): object {
  return { metadata: { name: 'settings', namespace: c.namespace, finalizers: ['lading.example.com/hold'] } }
}

/** Takes the finalizers away. */
export async function release(c: CaseContext, object: KubeObject): Promise<void> {
  await patchObject(c.cluster, refOf(object), { metadata: { finalizers: null } }, { type: 'merge' }, c.ctx)
}

/** Waits until the object is on its way out. */
export async function terminating(c: CaseContext, object: KubeObject): Promise<void> {
  const { name, namespace } = object.metadata
  const query = { gvk: gvkOf(object), name, ...(namespace !== undefined && { namespace }) }
  for await (const event of watchObjects(c.cluster, query, c.ctx)) {
    if ('object' in event && event.object.metadata.deletionTimestamp !== undefined) return
  }
}
