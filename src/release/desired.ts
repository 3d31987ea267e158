import { type Context, type KubeObject, LadingError, type LadingEvent, type ObjectRef } from '../core/index.ts'
import { writeDocuments } from '../core/yaml/index.ts'
import { type Cluster, type OwnershipGuard, placeObjects, refuseDuplicates } from '../kube/index.ts'
import { type Hook, splitHooks } from './hooks/parse-hook.ts'
import { objectHash, objectsHash } from './object-hash.ts'
import { type Wave, wavesOf } from './waves.ts'

/** Which release something belongs to. */
export interface ReleaseName {
  readonly name: string
  readonly namespace: string
}

/** One object of a release, placed and marked as the release's own. */
export interface DesiredObject {
  readonly object: KubeObject
  readonly ref: ObjectRef
  readonly id: string
  readonly hash: string
}

/** What a revision wants on the cluster. */
export interface Desired {
  readonly objects: readonly DesiredObject[]
  readonly hooks: readonly Hook[]
  readonly waves: readonly Wave[]
  /** Binds a plan to exactly these objects and hooks. */
  readonly hash: string
  /** The objects as YAML documents, as the record keeps them. */
  readonly manifest: string
}

/** Annotations that say which release an object belongs to. */
export const ownerAnnotations = { name: 'lading.dev/release-name', namespace: 'lading.dev/release-namespace' } as const

/** The guard that recognises a release's own objects. */
export function ownedBy({ name, namespace }: ReleaseName): OwnershipGuard {
  return { annotations: { [ownerAnnotations.name]: name, [ownerAnnotations.namespace]: namespace } }
}

/** Places rendered objects, marks them as the release's, and puts them in order; what cannot be placed is told at once. */
export async function* desiredState(
  cluster: Cluster,
  release: ReleaseName,
  rendered: readonly KubeObject[],
  ctx: Context,
): AsyncGenerator<LadingEvent, Desired> {
  const { placed, failures, warnings } = await placeObjects(cluster, rendered, release.namespace, ctx)
  for (const { ref, message } of warnings) yield { type: 'warning', ref, message }
  if (failures.length > 0) throw unplaced(failures)
  refuseDuplicates(placed)
  const { objects, hooks } = splitHooks(placed.map(({ object }) => object))
  const ownHooks = new Set(hooks.map((hook) => hook.object))
  const own = placed.filter(({ object }) => !ownHooks.has(object))
  const marked = own.map(({ object, ref, id }) => {
    const mine = markOwned(object, release)
    return { object: mine, ref, id, hash: objectHash(mine) }
  })
  const all = [...marked.map(({ object }) => object), ...hooks.map(({ object }) => object)]
  return {
    objects: marked,
    hooks,
    waves: wavesOf(
      marked.map(({ object }) => object),
      release.namespace,
    ),
    hash: objectsHash(all),
    manifest: writeDocuments(objects),
  }
}

function markOwned(object: KubeObject, { name, namespace }: ReleaseName): KubeObject {
  const annotations = {
    ...object.metadata.annotations,
    [ownerAnnotations.name]: name,
    [ownerAnnotations.namespace]: namespace,
  }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

function unplaced(failures: readonly { ref: ObjectRef; error: LadingError }[]): LadingError {
  const message = failures.map(({ error }) => error.message).join('; ')
  return new LadingError('apply.failed', message, {
    failures: failures.map(({ ref, error }) => ({ ref, code: error.code, message: error.message })),
  })
}
