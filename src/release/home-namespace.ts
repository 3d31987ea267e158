import { type Context, isLadingError, type KubeObject, type LadingEvent, type ObjectRef, refOf } from '../core/index.ts'
import { createObject, getMetadata } from '../kube/index.ts'
import type { ReleaseEngine } from './deploy.ts'
import type { ReleaseName } from './desired.ts'
import { markOwned, ownershipOf } from './ownership.ts'

/** Whether an object is the namespace in which a release is at home: its lock is there, and mostly its records. */
export function isHome({ group, kind, name }: ObjectRef, { namespace }: ReleaseName): boolean {
  return group === '' && kind === 'Namespace' && name === namespace
}

/**
 * Creates the namespace of a release where there is none, for the lock and the record come before all objects. One that the set
 * itself brings is the release's own from the start. Says whether it was created.
 */
export async function* ensureNamespace(
  { cluster, store }: ReleaseEngine,
  release: ReleaseName,
  objects: readonly KubeObject[],
  ctx: Context,
): AsyncGenerator<LadingEvent, boolean> {
  const object: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: release.namespace } }
  const ref = refOf(object)
  // Only when it is missing: whoever may install into a namespace need not be allowed to change it.
  if ((await getMetadata(cluster, ref, ctx)) !== undefined) return false
  try {
    const wanted = bringsHome(objects, release) ? markOwned(object, ownershipOf(release, store)) : object
    await createObject(cluster, wanted, { repeatable: true }, ctx)
    yield { type: 'object', ref, action: 'created', dryRun: false }
    return true
  } catch (error) {
    if (!isLadingError(error, 'kube.already-exists')) throw error
    return false
  }
}

/** Whether a set has the namespace of its own release in it. */
export function bringsHome(objects: readonly KubeObject[], release: ReleaseName): boolean {
  return objects.some((object) => isHome(refOf(object), release))
}
