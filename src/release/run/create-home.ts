import { type Context, isLadingError, type KubeObject, type LadingEvent, refOf } from '../../core/index.ts'
import { createObject } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import { markOwned } from '../ownership/ownership.ts'
import { bringsHome, homeOf } from '../plan/home-namespace.ts'

/**
 * Creates the namespace of a release, for the lock and the record come before all objects. One that the set itself brings is the release's own
 * from the start. Says whether it was created: somebody else may be faster.
 */
export async function* createHome(
  { cluster, store }: ReleaseEngine,
  release: ReleaseName,
  objects: readonly KubeObject[],
  ctx: Context,
): AsyncGenerator<LadingEvent, boolean> {
  const object = homeOf(release)
  try {
    const wanted = bringsHome(objects, release) ? markOwned(object, store.ownership(release)) : object
    await createObject(cluster, wanted, { repeatable: true }, ctx)
    yield { type: 'object', ref: refOf(object), action: 'created', dryRun: false }
    return true
  } catch (error) {
    if (!isLadingError(error, 'kube.already-exists')) throw error
    return false
  }
}
