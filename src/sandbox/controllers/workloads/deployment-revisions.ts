import { isDeepStrictEqual } from 'node:util'
import type { KubeObject } from '../../../core/index.ts'
import { number, partOf, text } from '../../object-parts.ts'
import type { ControllerEnv } from '../controller.ts'
import { controllerRef } from '../pods/pod-factory.ts'
import type { Bounds } from './rollout.ts'
import { templateHash } from './template-hash.ts'
import { createAs, deleteAs, setStatus, updateAs } from '../writes.ts'

const manager = 'kube-controller-manager'
const hashLabel = 'pod-template-hash'
const prefix = 'deployment.kubernetes.io/'
const revisionKey = `${prefix}revision`
const historyKey = `${prefix}revision-history`
/** Annotations of a Deployment that its ReplicaSets do not take over. */
const own = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionKey,
  historyKey,
  `${prefix}desired-replicas`,
  `${prefix}max-replicas`,
  'deprecated.deployment.rollback.to',
])

/** The ReplicaSet whose template is the Deployment's own; the oldest, should there be several. */
export function findNewSet(deployment: KubeObject, sets: readonly KubeObject[]): KubeObject | undefined {
  const template = unlabelled(partOf(deployment, 'spec', 'template'))
  return [...sets]
    .sort(byCreation)
    .find((set) => isDeepStrictEqual(unlabelled(partOf(set, 'spec', 'template')), template))
}

/** Makes the ReplicaSet for the Deployment's template. */
export function createNewSet(
  deployment: KubeObject,
  replicas: number,
  bounds: Bounds,
  revision: number,
  env: ControllerEnv,
): KubeObject {
  const spec = partOf(deployment, 'spec')
  const template = partOf(spec, 'template')
  const hash = freeHash(deployment, template, env)
  const labels = { ...partOf(template, 'metadata', 'labels'), [hashLabel]: hash } as Record<string, string>
  const selector = partOf(spec, 'selector')
  const minReadySeconds = number(spec['minReadySeconds'], 0)
  return createAs(env.backend, manager, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace ?? '',
      labels,
      annotations: { ...inherited(deployment), ...sizeAnnotations(bounds), [revisionKey]: String(revision) },
      ownerReferences: [controllerRef(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds === 0 ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...partOf(selector, 'matchLabels'), [hashLabel]: hash } },
      template: { ...template, metadata: { ...partOf(template, 'metadata'), labels } },
    },
  })
}

/** A hash whose name is not taken by another template's ReplicaSet; how often one was is kept in the status. */
function freeHash(deployment: KubeObject, template: Record<string, unknown>, env: ControllerEnv): string {
  const { namespace = '', name } = deployment.metadata
  const before = number(partOf(deployment, 'status')['collisionCount'], 0)
  for (let collisions = before; ; collisions += 1) {
    const hash = templateHash(template, collisions)
    if (env.index.get('apps/replicasets', namespace, `${name}-${hash}`) !== undefined) continue
    if (collisions > before) {
      setStatus(env.backend, manager, deployment, { ...partOf(deployment, 'status'), collisionCount: collisions })
    }
    return hash
  }
}

/** Gives the new ReplicaSet the next revision (an old one that is used again, too), and the Deployment the same. */
export function syncRevision(
  deployment: KubeObject,
  newSet: KubeObject,
  old: readonly KubeObject[],
  env: ControllerEnv,
): KubeObject {
  const next = Math.max(0, ...old.map(revisionOf)) + 1
  const annotations = { ...newSet.metadata.annotations, ...inherited(deployment) }
  const current = revisionOf(newSet)
  if (current < next) {
    annotations[revisionKey] = String(next)
    if (current > 0)
      annotations[historyKey] = [text(annotations[historyKey]), String(current)].filter(Boolean).join(',')
  }
  const minReadySeconds = partOf(deployment, 'spec')['minReadySeconds'] ?? undefined
  const sameWait = (partOf(newSet, 'spec')['minReadySeconds'] ?? undefined) === minReadySeconds
  if (isDeepStrictEqual(annotations, newSet.metadata.annotations) && sameWait) return newSet
  const { minReadySeconds: _, ...spec } = partOf(newSet, 'spec')
  return updateAs(env.backend, manager, {
    ...newSet,
    metadata: { ...newSet.metadata, annotations },
    spec: { ...spec, ...(minReadySeconds === undefined ? {} : { minReadySeconds }) },
  })
}

/** The Deployment with a revision written on it. */
export function withRevision(deployment: KubeObject, revision: number): KubeObject {
  const annotations = { ...deployment.metadata.annotations, [revisionKey]: String(revision) }
  return { ...deployment, metadata: { ...deployment.metadata, annotations } }
}

/** Deletes the oldest empty ReplicaSets beyond `revisionHistoryLimit`. */
export function pruneRevisions(deployment: KubeObject, old: readonly KubeObject[], env: ControllerEnv): void {
  const limit = partOf(deployment, 'spec')['revisionHistoryLimit']
  if (typeof limit !== 'number') return
  const empty = old.filter((set) => {
    const { replicas = 0, observedGeneration = 0 } = partOf(set, 'status')
    const settled = number(observedGeneration, 0) >= (set.metadata.generation ?? 0)
    return (
      replicas === 0 && partOf(set, 'spec')['replicas'] === 0 && settled && set.metadata.deletionTimestamp === undefined
    )
  })
  const surplus = empty.sort((a, b) => revisionOf(a) - revisionOf(b)).slice(0, Math.max(0, empty.length - limit))
  for (const set of surplus) deleteAs(env.backend, set)
}

/** The revision that an object carries; 0 without one. */
export function revisionOf(object: KubeObject): number {
  return Number(object.metadata.annotations?.[revisionKey] ?? 0) || 0
}

/** What a ReplicaSet remembers of the size that its Deployment had. */
export function sizeAnnotations({ replicas, maxSurge }: Bounds): Record<string, string> {
  return { [`${prefix}desired-replicas`]: String(replicas), [`${prefix}max-replicas`]: String(replicas + maxSurge) }
}

/** A size annotation of a ReplicaSet; undefined without one. */
export function sizeAnnotation(set: KubeObject, name: 'desired-replicas' | 'max-replicas'): number | undefined {
  const value = set.metadata.annotations?.[prefix + name]
  return value === undefined ? undefined : Number(value)
}

/** Oldest first. */
export function byCreation(a: KubeObject, b: KubeObject): number {
  const [x, y] = [a, b].map((object) => `${object.metadata.creationTimestamp}/${object.metadata.name}`)
  return x === y ? 0 : String(x) < String(y) ? -1 : 1
}

function inherited(deployment: KubeObject): Record<string, string> {
  return Object.fromEntries(Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !own.has(name)))
}

function unlabelled(template: Record<string, unknown>): unknown {
  const { [hashLabel]: _, ...labels } = partOf(template, 'metadata', 'labels')
  return { ...template, metadata: { ...partOf(template, 'metadata'), labels } }
}
