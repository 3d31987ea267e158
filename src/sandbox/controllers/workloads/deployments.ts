import type { KubeObject } from '../../../core/index.ts'
import { partOf } from '../../object-parts.ts'
import { conditionOf } from '../conditions.ts'
import { type Controller, type ControllerEnv, controllerKey, type Key, ownKey } from '../controller.ts'
import {
  byCreation,
  createNewSet,
  findNewSet,
  pruneRevisions,
  revisionOf,
  sizeAnnotation,
  sizeAnnotations,
  syncRevision,
} from './deployment-revisions.ts'
import {
  hasDeadline,
  isComplete,
  notePaused,
  noteRevision,
  type Sets,
  writeDeploymentStatus,
} from './deployment-status.ts'
import { recordEvent } from '../events.ts'
import { selects } from '../../label-selector.ts'
import { controllerOf } from '../object-index.ts'
import { claim, isEnded } from '../pods/pod-factory.ts'
import { availableOf, type Bounds, boundsOf, desiredOf, newSetSize, oldSetSizes, proportionalSizes } from './rollout.ts'
import { updateAs } from '../writes.ts'

const collection = 'apps/deployments'

/** Rolls a Deployment's template out through ReplicaSets. */
export const deploymentController: Controller = {
  name: 'deployment',
  watches: {
    [collection]: ownKey,
    'apps/replicasets': (set, previous, index, at, gone) =>
      controllerOf(set) === undefined && !gone
        ? index
            .inNamespace(collection, set.metadata.namespace ?? '')
            .filter((deployment) => selects(partOf(deployment, 'spec')['selector'], set))
            .flatMap(ownKey)
        : controllerKey('Deployment')(set, previous, index, at, gone),
    // A Recreate rollout waits until the last old Pod is gone, and no ReplicaSet changes then.
    '/pods': (pod, _, index, __, gone) => (gone ? recreatedBy(pod, index) : []),
  },
  reconcile: (key, env) => {
    const deployment = env.backend.store.get(collection, key.namespace, key.name)
    if (deployment === undefined) return
    const sets = claim(env, deployment, 'apps/replicasets')
    if (deployment.metadata.deletionTimestamp === undefined) roll(notePause(deployment, env), sets, env)
    else writeDeploymentStatus(deployment, split(deployment, sets), false, env)
  },
}

function roll(deployment: KubeObject, sets: readonly KubeObject[], env: ControllerEnv): void {
  const bounds = boundsOf(deployment)
  const paused = partOf(deployment, 'spec')['paused'] === true
  const resized = sets.some((set) => {
    const desired = sizeAnnotation(set, 'desired-replicas')
    return desiredOf(set) > 0 && desired !== undefined && desired !== bounds.replicas
  })
  if (paused || resized) {
    const before = split(deployment, sets)
    const newSet = before.newSet === undefined ? undefined : syncRevision(deployment, before.newSet, before.old, env)
    resize(deployment, bounds, { newSet, old: before.old }, env)
    const { newSet: current, old } = reread(before, env)
    writeDeploymentStatus(latest(deployment, env), { newSet: current, old }, false, env)
    return
  }
  const rolled =
    partOf(deployment, 'spec', 'strategy')['type'] === 'Recreate'
      ? recreate(deployment, bounds, sets, env)
      : rollingUpdate(deployment, bounds, sets, env)
  const current = latest(deployment, env)
  writeDeploymentStatus(current, reread(rolled, env), true, env)
  const after = latest(deployment, env)
  if (isComplete(after)) pruneRevisions(after, reread(rolled, env).old, env)
}

function rollingUpdate(deployment: KubeObject, bounds: Bounds, sets: readonly KubeObject[], env: ControllerEnv): Sets {
  const { newSet, old } = ensureNewSet(deployment, bounds, split(deployment, sets), env)
  const all = newSet === undefined ? old : [...old, newSet]
  if (newSet === undefined) return { newSet, old }
  const size = newSetSize(bounds, all, desiredOf(newSet))
  if (resizeSet(deployment, newSet, size, bounds, env)) return { newSet, old }
  for (const [set, wanted] of oldSetSizes(bounds, newSet, old)) resizeSet(deployment, set, wanted, bounds, env)
  return { newSet, old }
}

function recreate(deployment: KubeObject, bounds: Bounds, sets: readonly KubeObject[], env: ControllerEnv): Sets {
  const before = split(deployment, sets)
  let scaledDown = false
  for (const set of before.old) scaledDown = resizeSet(deployment, set, 0, bounds, env) || scaledDown
  const running = before.old.flatMap((set) => env.index.controlled(set, '/pods')).some((pod) => !isEnded(pod))
  if (scaledDown || running) return before
  const { newSet, old } = ensureNewSet(deployment, bounds, before, env)
  if (newSet !== undefined) resizeSet(deployment, newSet, bounds.replicas, bounds, env)
  return { newSet, old }
}

function ensureNewSet(deployment: KubeObject, bounds: Bounds, sets: Sets, env: ControllerEnv): Sets {
  if (sets.newSet !== undefined) {
    const newSet = syncRevision(deployment, sets.newSet, sets.old, env)
    const unknown = hasDeadline(deployment) && conditionOf(deployment, 'Progressing') === undefined
    const found = { reason: 'FoundNewReplicaSet', message: `Found new replica set "${newSet.metadata.name}"` }
    noteRevision(latest(deployment, env), revisionOf(newSet), unknown ? found : undefined, env)
    return { newSet, old: sets.old }
  }
  const revision = Math.max(0, ...sets.old.map(revisionOf)) + 1
  const recreates = partOf(deployment, 'spec', 'strategy')['type'] === 'Recreate'
  const size = recreates ? bounds.replicas : newSetSize(bounds, sets.old, 0)
  const newSet = createNewSet(deployment, size, bounds, revision, env)
  if (size > 0) tellScaled(deployment, newSet, 0, size, env)
  const made = { reason: 'NewReplicaSetCreated', message: `Created new replica set "${newSet.metadata.name}"` }
  noteRevision(latest(deployment, env), revision, hasDeadline(deployment) ? made : undefined, env)
  return { newSet, old: sets.old }
}

/** Follows a change of `spec.replicas`, also while a rollout is under way or paused. */
function resize(deployment: KubeObject, bounds: Bounds, { newSet, old }: Sets, env: ControllerEnv): void {
  const all = newSet === undefined ? [...old] : [...old, newSet]
  const active = all.filter((set) => desiredOf(set) > 0)
  const latestSet = newSet ?? [...old].sort(byCreation).at(-1)
  const only = active.length > 1 ? undefined : (active[0] ?? latestSet)
  if (only !== undefined) {
    resizeSet(deployment, only, bounds.replicas, bounds, env)
    return
  }
  if (newSet !== undefined && desiredOf(newSet) === bounds.replicas && availableOf(newSet) === bounds.replicas) {
    for (const set of old) resizeSet(deployment, set, 0, bounds, env)
    return
  }
  const sizes = proportionalSizes(bounds, active, (set) => sizeAnnotation(set, 'max-replicas') ?? 0)
  for (const [set, size] of sizes) resizeSet(deployment, set, size, bounds, env)
}

/** Scales a ReplicaSet and notes what its Deployment wants; says whether its size changed. */
function resizeSet(deployment: KubeObject, set: KubeObject, size: number, bounds: Bounds, env: ControllerEnv): boolean {
  const before = desiredOf(set)
  const noted =
    sizeAnnotation(set, 'desired-replicas') === bounds.replicas &&
    sizeAnnotation(set, 'max-replicas') === bounds.replicas + bounds.maxSurge
  if (before === size && (noted || before === 0)) return false
  updateAs(env.backend, 'kube-controller-manager', {
    ...set,
    metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, ...sizeAnnotations(bounds) } },
    spec: { ...partOf(set, 'spec'), replicas: size },
  })
  if (before !== size) tellScaled(deployment, set, before, size, env)
  return before !== size
}

function tellScaled(deployment: KubeObject, set: KubeObject, from: number, to: number, env: ControllerEnv): void {
  const message = `Scaled ${to > from ? 'up' : 'down'} replica set ${set.metadata.name} from ${from} to ${to}`
  const event = { type: 'Normal', reason: 'ScalingReplicaSet', message } as const
  recordEvent(env.backend, 'deployment-controller', deployment, event)
}

function notePause(deployment: KubeObject, env: ControllerEnv): KubeObject {
  if (!hasDeadline(deployment)) return deployment
  const reason = conditionOf(deployment, 'Progressing')?.reason
  if (reason === 'ProgressDeadlineExceeded') return deployment
  const paused = partOf(deployment, 'spec')['paused'] === true
  if (paused && reason !== 'DeploymentPaused') {
    return notePaused(deployment, true, env)
  }
  if (!paused && reason === 'DeploymentPaused') {
    return notePaused(deployment, false, env)
  }
  return deployment
}

function split(deployment: KubeObject, sets: readonly KubeObject[]): Sets {
  const newSet = findNewSet(deployment, sets)
  return { newSet, old: sets.filter((set) => set !== newSet).sort(byCreation) }
}

function latest(deployment: KubeObject, env: ControllerEnv): KubeObject {
  const { namespace = '', name } = deployment.metadata
  return env.backend.store.get(collection, namespace, name) ?? deployment
}

function reread({ newSet, old }: Sets, env: ControllerEnv): Sets {
  const again = (set: KubeObject): KubeObject =>
    env.backend.store.get('apps/replicasets', set.metadata.namespace ?? '', set.metadata.name) ?? set
  return { newSet: newSet === undefined ? undefined : again(newSet), old: old.map(again) }
}

function recreatedBy(pod: KubeObject, index: ControllerEnv['index']): Key[] {
  const { namespace = '' } = pod.metadata
  const set = index.get('apps/replicasets', namespace, controllerOf(pod)?.name ?? '')
  const owner = set === undefined ? undefined : controllerOf(set)
  const deployment = index.get(collection, namespace, owner?.name ?? '')
  const recreates = deployment !== undefined && partOf(deployment, 'spec', 'strategy')['type'] === 'Recreate'
  return recreates ? [{ namespace, name: deployment.metadata.name }] : []
}
