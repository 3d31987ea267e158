import {
  type Context,
  isLadingError,
  type KubeObject,
  type LadingError,
  type LadingEvent,
  objectId,
  type ObjectRef,
  refOf,
} from '../../core/index.ts'
import type { DesiredObject } from '../record/desired-object.ts'
import type { ReleaseName } from '../release-name.ts'
import { writeDocuments } from '../../core/yaml/index.ts'
import {
  type Cluster,
  dropAutoscaledReplicas,
  kindsOfCrds,
  type PlacedObject,
  placeObjects,
  refuseDuplicates,
} from '../../kube/index.ts'
import { mistakesIn } from '../annotations/annotations.ts'
import { annotationMistakes, knownAnnotationMistakes } from './check-annotations.ts'
import { annotationWarnings, unknownAnnotationMistakes } from '../annotations/unknown-annotations.ts'
import { crdPolicyOf } from '../ownership/crd-policy.ts'
import type { ReleaseEngine } from '../engine.ts'
import { type Hook, splitHooks } from '../hooks/parse-hook.ts'
import { combineHashes, objectHash } from '../record/object-hash.ts'
import { markOwned } from '../ownership/ownership.ts'
import { type Wave, wavesOf } from './waves.ts'

/** What a revision wants on the cluster. */
export interface Desired {
  readonly objects: readonly DesiredObject[]
  /** What has to be there although the release does not bring it: CRDs of others. */
  readonly required: readonly ObjectRef[]
  readonly hooks: readonly Hook[]
  readonly waves: readonly Wave[]
  /** What is wrong before anything was asked of the server; these objects are not among the others. */
  readonly problems: readonly ObjectProblem[]
  /** Binds a plan to exactly these objects and hooks. */
  readonly hash: string
  /** The objects as YAML documents, as the record keeps them. */
  readonly manifest: string
}

/** Why an object cannot be part of a release. */
export interface ObjectProblem {
  readonly ref: ObjectRef
  readonly error: LadingError
}

/**
 * Places rendered objects, reads their annotations, marks them as the release's, and puts them in order. What is wrong with some of them
 * comes with the rest, so that the server's word about that can be told at the same time. Of a revision that ran before (`ranBefore`) annotations
 * that Lading does not know are only told: whoever goes back must not be held up by a spelling.
 */
export async function* desiredState(
  { cluster, store }: ReleaseEngine,
  release: ReleaseName,
  rendered: readonly KubeObject[],
  { ranBefore }: { readonly ranBefore: boolean },
  ctx: Context,
): AsyncGenerator<LadingEvent, Desired> {
  const { placed: all, failures, warnings } = await placeObjects(cluster, rendered, release.namespace, ctx)
  for (const { ref, message } of warnings) yield { type: 'warning', ref, message }
  for (const { ref, object } of all) {
    for (const message of annotationWarnings(object)) yield { type: 'warning', ref, message }
    if (!ranBefore) continue
    for (const { message } of unknownAnnotationMistakes(object)) yield { type: 'warning', ref, message }
  }
  const mistakes = mistakesOf(rendered, all, failures, ranBefore ? knownAnnotationMistakes : annotationMistakes)
  const wrong = new Set(mistakes.map(({ ref }) => objectId(ref)))
  const placed = all.filter(({ id }) => !wrong.has(id))
  const { objects, hooks: found } = splitHooks(placed.map(({ object }) => object))
  const ownHooks = new Set(found.map((hook) => hook.object))
  const hooks = found.filter(({ phases }) => phases.length > 0)
  for (const { object, phases } of found) {
    if (phases.length > 0) continue
    yield { type: 'warning', ref: refOf(object), message: 'left out: it is a hook of a phase that Helm does not know' }
  }
  const ordinary = placed.filter(({ object }) => !ownHooks.has(object))
  const [external = [], own = []] = [true, false].map((wanted) =>
    ordinary.filter(({ object }) => (crdPolicyOf(object) === 'external') === wanted),
  )
  const ownership = store.ownership(release)
  // On the whole release at once: an upgrade applies what changed, and an autoscaler may not be among that.
  const autoscaled = dropAutoscaledReplicas(own.map(({ object }) => object))
  for (const ref of autoscaled.dropped) {
    yield { type: 'warning', ref, message: 'spec.replicas is left to the autoscaler of the release' }
  }
  const marked = own.map(({ ref, id, served, ...placed }, index) => {
    const object = autoscaled.objects[index] ?? placed.object
    // What is shared belongs to no single release: two that brought it would take it from each other for ever.
    const mine = crdPolicyOf(object) === 'shared' ? object : markOwned(object, ownership)
    return { object: mine, ref, id, served, hash: objectHash(mine) }
  })
  const { waves, cycle } = wavesOrCycle(
    marked.map(({ object }) => object),
    release.namespace,
  )
  for (const message of await unservedDependencies(cluster, waves, rendered, ctx)) yield { type: 'warning', message }
  return {
    objects: marked,
    required: external.map(({ ref }) => ref),
    hooks,
    waves,
    problems: [...failures, ...mistakes, ...cycle],
    hash: combineHashes([...marked.map(({ hash }) => hash), ...hooks.map(({ object }) => objectHash(object))]),
    // Only a revision that is written needs it.
    get manifest() {
      return writeDocuments(objects)
    },
  }
}

/** Mistakes in the annotations of all objects, also of those that cannot be placed, and objects that are there twice. */
function mistakesOf(
  rendered: readonly KubeObject[],
  placed: readonly PlacedObject[],
  failures: readonly ObjectProblem[],
  mistakes: (object: KubeObject) => readonly LadingError[],
): ObjectProblem[] {
  const unplaced = new Set(failures.map(({ ref }) => objectId(ref)))
  const others = rendered.filter((object) => unplaced.has(objectId(refOf(object))))
  return [
    ...duplicatesOf(placed),
    ...[...placed.map(({ object }) => object), ...others].flatMap((object) =>
      mistakes(object).map((error) => ({ ref: refOf(object), error })),
    ),
  ]
}

function duplicatesOf(placed: readonly PlacedObject[]): ObjectProblem[] {
  return mistakesIn(() => refuseDuplicates(placed)).map((error) => ({
    ref: (error.details.objects as readonly ObjectRef[])[0] as ObjectRef,
    error,
  }))
}

/** A cycle has no order; without one the objects can still be looked at. */
function wavesOrCycle(
  objects: readonly KubeObject[],
  namespace: string,
): { waves: readonly Wave[]; cycle: readonly ObjectProblem[] } {
  try {
    return { waves: wavesOf(objects, namespace), cycle: [] }
  } catch (error) {
    if (!isLadingError(error, 'wave.cycle')) throw error
    const ids = new Set(error.details.objects)
    const first = objects.map(refOf).find((ref) => ids.has(objectId(ref)))
    return { waves: [], cycle: first === undefined ? [] : [{ ref: first, error }] }
  }
}

/** Kinds that `wait-for` names and nobody serves: only a warning, as an operator of an earlier wave may bring them. */
async function unservedDependencies(
  cluster: Cluster,
  waves: readonly Wave[],
  rendered: readonly KubeObject[],
  ctx: Context,
): Promise<string[]> {
  const external = waves.flatMap((wave) => wave.external)
  if (external.length === 0) return []
  const served = new Set((await cluster.discovery.all(ctx)).map(({ kind }) => kind))
  for (const key of kindsOfCrds(rendered).keys()) served.add(key.split(' ')[1] ?? '')
  const unserved = external.filter(({ kind }) => !served.has(kind))
  return unserved.map(({ kind, name }) => `wait-for names ${kind}/${name}: the cluster does not serve this kind yet`)
}
