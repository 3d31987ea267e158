import { type Context, type KubeObject, LadingError, type LadingEvent, type ObjectRef, refOf } from '../core/index.ts'
import { writeDocuments } from '../core/yaml/index.ts'
import { dropAutoscaledReplicas, placeObjects, refuseDuplicates } from '../kube/index.ts'
import { crdPolicyOf } from './crd-policy.ts'
import type { ReleaseEngine } from './deploy.ts'
import { type Hook, splitHooks } from './hooks/parse-hook.ts'
import { combineHashes, objectHash } from './object-hash.ts'
import { markOwned, ownershipOf } from './ownership.ts'
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
  /** What has to be there although the release does not bring it: CRDs of others. */
  readonly required: readonly ObjectRef[]
  readonly hooks: readonly Hook[]
  readonly waves: readonly Wave[]
  /** Binds a plan to exactly these objects and hooks. */
  readonly hash: string
  /** The objects as YAML documents, as the record keeps them. */
  readonly manifest: string
}

/** Places rendered objects, marks them as the release's, and puts them in order; what cannot be placed is told at once. */
export async function* desiredState(
  { cluster, store }: ReleaseEngine,
  release: ReleaseName,
  rendered: readonly KubeObject[],
  ctx: Context,
): AsyncGenerator<LadingEvent, Desired> {
  const { placed, failures, warnings } = await placeObjects(cluster, rendered, release.namespace, ctx)
  for (const { ref, message } of warnings) yield { type: 'warning', ref, message }
  if (failures.length > 0) throw unplaced(failures)
  refuseDuplicates(placed)
  const { objects, hooks: all } = splitHooks(placed.map(({ object }) => object))
  const ownHooks = new Set(all.map((hook) => hook.object))
  const hooks = all.filter(({ phases }) => phases.length > 0)
  for (const { object, phases } of all) {
    if (phases.length > 0) continue
    yield { type: 'warning', ref: refOf(object), message: 'left out: it is a hook of a phase that Helm does not know' }
  }
  const ordinary = placed.filter(({ object }) => !ownHooks.has(object))
  const [external = [], own = []] = [true, false].map((wanted) =>
    ordinary.filter(({ object }) => (crdPolicyOf(object) === 'external') === wanted),
  )
  const ownership = ownershipOf(release, store)
  // On the whole release at once: an upgrade applies what changed, and an autoscaler may not be among that.
  const autoscaled = dropAutoscaledReplicas(own.map(({ object }) => object))
  for (const ref of autoscaled.dropped) {
    yield { type: 'warning', ref, message: 'spec.replicas is left to the autoscaler of the release' }
  }
  const marked = own.map(({ ref, id, ...placed }, index) => {
    const object = autoscaled.objects[index] ?? placed.object
    // What is shared belongs to no single release: two that brought it would take it from each other for ever.
    const mine = crdPolicyOf(object) === 'shared' ? object : markOwned(object, ownership)
    return { object: mine, ref, id, hash: objectHash(mine) }
  })
  return {
    objects: marked,
    required: external.map(({ ref }) => ref),
    hooks,
    waves: wavesOf(
      marked.map(({ object }) => object),
      release.namespace,
    ),
    hash: combineHashes([...marked.map(({ hash }) => hash), ...hooks.map(({ object }) => objectHash(object))]),
    // Only a revision that is written needs it.
    get manifest() {
      return writeDocuments(objects)
    },
  }
}

function unplaced(failures: readonly { ref: ObjectRef; error: LadingError }[]): LadingError {
  const message = failures.map(({ error }) => error.message).join('; ')
  return new LadingError('apply.failed', message, {
    failures: failures.map(({ ref, error }) => ({ ref, code: error.code, message: error.message })),
  })
}
