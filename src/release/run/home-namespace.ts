import {
  type Context,
  isLadingError,
  type KubeObject,
  type LadingEvent,
  type ObjectRef,
  refOf,
} from '../../core/index.ts'
import { type Cluster, createObject, getMetadata } from '../../kube/index.ts'
import type { ReleaseEngine } from './deploy.ts'
import type { ReleaseName } from '../plan/desired.ts'
import type { PlanAction } from '../plan/plan.ts'
import { markOwned, ownershipOf } from '../ownership/ownership.ts'

/** Whether an object is the namespace in which a release is at home: its lock is there, and mostly its records. */
export function isHome({ group, kind, name }: ObjectRef, { namespace }: ReleaseName): boolean {
  return group === '' && kind === 'Namespace' && name === namespace
}

/** Whether the namespace of a release is not there. */
export async function isHomeMissing(cluster: Cluster, release: ReleaseName, ctx: Context): Promise<boolean> {
  return (await getMetadata(cluster, refOf(homeOf(release)), ctx)) === undefined
}

/** What a plan says about a namespace that is created for a release; one that the set itself brings is told as its object. */
export function homeActions(objects: readonly KubeObject[], release: ReleaseName): PlanAction[] {
  if (bringsHome(objects, release)) return []
  const object = homeOf(release)
  return [{ ref: refOf(object), action: 'create', liveVersion: null, object }]
}

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
    const wanted = bringsHome(objects, release) ? markOwned(object, ownershipOf(release, store)) : object
    await createObject(cluster, wanted, { repeatable: true }, ctx)
    yield { type: 'object', ref: refOf(object), action: 'created', dryRun: false }
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

function homeOf({ namespace }: ReleaseName): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
}
