import { type Context, type KubeObject, type ObjectRef, refOf } from '../../core/index.ts'
import { type Cluster, getMetadata } from '../../kube/index.ts'
import type { ReleaseName } from '../release-name.ts'
import type { PlanAction } from '../plan.ts'

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

/** Whether a set has the namespace of its own release in it. */
export function bringsHome(objects: readonly KubeObject[], release: ReleaseName): boolean {
  return objects.some((object) => isHome(refOf(object), release))
}

/** The namespace of a release as an object. */
export function homeOf({ namespace }: ReleaseName): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
}
