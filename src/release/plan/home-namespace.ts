import { type Context, type KubeObject, type ObjectRef, refOf } from '../../core/index.ts'
import { type Cluster, getMetadata } from '../../kube/index.ts'
import type { PlannedOptions } from '../deploy-options.ts'
import type { Intent } from '../intent.ts'
import type { ReleaseName } from '../release-name.ts'
import type { PlanAction } from '../plan.ts'

/** Whether an object is the namespace in which a release is at home: its lock is there, and mostly its records. */
export function isHome({ group, kind, name }: ObjectRef, { namespace }: ReleaseName): boolean {
  return group === '' && kind === 'Namespace' && name === namespace
}

/** Whether the namespace of a release is not there. */
async function isHomeMissing(cluster: Cluster, release: ReleaseName, ctx: Context): Promise<boolean> {
  return (await getMetadata(cluster, refOf(homeOf(release)), ctx)) === undefined
}

/** What a plan says about a namespace that is created for a release; one that the set itself brings is told as its object. */
function homeActions(objects: readonly KubeObject[], release: ReleaseName): PlanAction[] {
  if (bringsHome(objects, release)) return []
  const object = homeOf(release)
  return [{ ref: refOf(object), action: 'create', liveVersion: null, object }]
}

/** What a plan says about the namespace of a release that is missing and is to be created; undefined where none is created. */
export async function missingHome(
  cluster: Cluster,
  { release, objects }: Pick<Intent, 'release' | 'objects'>,
  { createNamespace }: Pick<PlannedOptions, 'createNamespace'>,
  ctx: Context,
): Promise<readonly PlanAction[] | undefined> {
  const isWanted = createNamespace === true || bringsHome(objects, release)
  return isWanted && (await isHomeMissing(cluster, release, ctx)) ? homeActions(objects, release) : undefined
}

/** Whether a set has the namespace of its own release in it. */
export function bringsHome(objects: readonly KubeObject[], release: ReleaseName): boolean {
  return objects.some((object) => isHome(refOf(object), release))
}

/** The namespace of a release as an object. */
export function homeOf({ namespace }: ReleaseName): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
}
