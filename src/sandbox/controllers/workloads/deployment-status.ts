import type { KubeObject } from '../../../core/index.ts'
import { timestamp } from '../../backend.ts'
import { number, partOf, text } from '../../object-parts.ts'
import { type Condition, conditionsOf, withCondition, withoutCondition } from '../conditions.ts'
import type { ControllerEnv, Key } from '../controller.ts'
import { revisionOf, withRevision } from './deployment-revisions.ts'
import { availableOf, boundsOf, sum } from './rollout.ts'
import { setStatus, updateAs } from '../writes.ts'

const manager = 'kube-controller-manager'
/** Without a deadline the API stores the largest 32-bit number. */
const noDeadline = 2_147_483_647

/** The sets of a rollout. */
export interface Sets {
  readonly newSet: KubeObject | undefined
  readonly old: readonly KubeObject[]
}

/** Writes a Deployment's counts and conditions; `progress` is off while it is paused or being scaled. */
export function writeDeploymentStatus(
  deployment: KubeObject,
  { newSet, old }: Sets,
  progress: boolean,
  env: ControllerEnv,
): void {
  const all = newSet === undefined ? [...old] : [...old, newSet]
  const counts = countsOf(all, newSet)
  const now = timestamp(env.backend.clock)
  let conditions = withCondition(conditionsOf(deployment), availability(deployment, counts.availableReplicas, now))
  if (progress) conditions = withProgress(deployment, conditions, counts, newSet, env)
  const failure = all.flatMap(conditionsOf).find(({ type }) => type === 'ReplicaFailure')
  conditions =
    failure === undefined
      ? withoutCondition(conditions, 'ReplicaFailure')
      : withCondition(conditions, { ...failure, lastUpdateTime: now })
  const { collisionCount } = partOf(deployment, 'status')
  setStatus(env.backend, manager, deployment, {
    observedGeneration: deployment.metadata.generation ?? 1,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
    terminatingReplicas: sum(all, (set) => number(partOf(set, 'status')['terminatingReplicas'], 0)),
    conditions,
    ...(collisionCount === undefined ? {} : { collisionCount }),
  })
}

/** Writes the revision on the Deployment and, with it, what became of its new ReplicaSet. */
export function noteRevision(
  deployment: KubeObject,
  revision: number,
  progress: { reason: string; message: string } | undefined,
  env: ControllerEnv,
): void {
  if (progress === undefined && revisionOf(deployment) === revision) return
  const conditions = progress === undefined ? {} : { conditions: progressing(deployment, 'True', progress, env) }
  const annotated = withRevision(deployment, revision)
  updateAs(env.backend, manager, { ...annotated, status: { ...partOf(deployment, 'status'), ...conditions } }, 'status')
}

/** Says that the rollout was paused, or goes on. */
export function notePaused(deployment: KubeObject, paused: boolean, env: ControllerEnv): KubeObject {
  const progress = paused
    ? { reason: 'DeploymentPaused', message: 'Deployment is paused' }
    : { reason: 'DeploymentResumed', message: 'Deployment is resumed' }
  const conditions = progressing(deployment, 'Unknown', progress, env)
  return setStatus(env.backend, manager, deployment, { ...partOf(deployment, 'status'), conditions })
}

function progressing(
  deployment: KubeObject,
  status: string,
  progress: { reason: string; message: string },
  env: ControllerEnv,
): Condition[] {
  const now = timestamp(env.backend.clock)
  const times = { lastUpdateTime: now, lastTransitionTime: now }
  return withCondition(conditionsOf(deployment), { type: 'Progressing', status, ...progress, ...times })
}

/** Whether the rollout keeps a deadline at all. */
export function hasDeadline(deployment: KubeObject): boolean {
  const deadline = number(partOf(deployment, 'spec')['progressDeadlineSeconds'], noDeadline)
  return deadline !== noDeadline
}

/** Whether all Pods are of the new template and available. */
export function isComplete(deployment: KubeObject): boolean {
  const counts = partOf(deployment, 'status')
  const wanted = boundsOf(deployment).replicas
  const all = ['updatedReplicas', 'replicas', 'availableReplicas'].every((name) => number(counts[name], 0) === wanted)
  return all && number(counts['observedGeneration'], 0) >= (deployment.metadata.generation ?? 0)
}

type Counts = Record<
  'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas' | 'unavailableReplicas',
  number
>

function countsOf(all: readonly KubeObject[], newSet: KubeObject | undefined): Counts {
  const count = (name: string) => (set: KubeObject) => number(partOf(set, 'status')[name], 0)
  const replicas = sum(all, count('replicas'))
  const availableReplicas = sum(all, availableOf)
  return {
    replicas,
    updatedReplicas: newSet === undefined ? 0 : count('replicas')(newSet),
    readyReplicas: sum(all, count('readyReplicas')),
    availableReplicas,
    unavailableReplicas: Math.max(0, replicas - availableReplicas),
  }
}

function availability(deployment: KubeObject, available: number, now: string): Condition {
  const { replicas, maxUnavailable } = boundsOf(deployment)
  const enough = available >= replicas - maxUnavailable
  return {
    type: 'Available',
    status: enough ? 'True' : 'False',
    lastUpdateTime: now,
    lastTransitionTime: now,
    reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: enough ? 'Deployment has minimum availability.' : 'Deployment does not have minimum availability.',
  }
}

function withProgress(
  deployment: KubeObject,
  conditions: Condition[],
  counts: Counts,
  newSet: KubeObject | undefined,
  env: ControllerEnv,
): Condition[] {
  if (!hasDeadline(deployment)) return withoutCondition(conditions, 'Progressing')
  const current = conditions.find(({ type }) => type === 'Progressing')
  if (counts.replicas === counts.updatedReplicas && current?.reason === 'NewReplicaSetAvailable') return conditions
  const now = timestamp(env.backend.clock)
  const subject =
    newSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newSet.metadata.name}"`
  const condition = (status: string, reason: string, what: string): Condition => {
    const times = { lastUpdateTime: now, lastTransitionTime: now }
    return { type: 'Progressing', status, ...times, reason, message: `${subject} ${what}` }
  }
  const { replicas } = boundsOf(deployment)
  if ([counts.updatedReplicas, counts.replicas, counts.availableReplicas].every((count) => count === replicas)) {
    return withCondition(conditions, condition('True', 'NewReplicaSetAvailable', 'has successfully progressed.'))
  }
  if (progressed(deployment, counts)) {
    const next = condition('True', 'ReplicaSetUpdated', 'is progressing.')
    const kept = current?.status === 'True' ? { lastTransitionTime: current['lastTransitionTime'] } : {}
    return [...withoutCondition(conditions, 'Progressing'), { ...next, ...kept }]
  }
  if (current !== undefined && timedOut(deployment, current, env)) {
    return withCondition(conditions, condition('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'))
  }
  return conditions
}

function progressed(deployment: KubeObject, counts: Counts): boolean {
  const before = partOf(deployment, 'status')
  const was = (name: string): number => number(before[name], 0)
  const oldCount = counts.replicas - counts.updatedReplicas
  return (
    counts.updatedReplicas > was('updatedReplicas') ||
    oldCount < was('replicas') - was('updatedReplicas') ||
    counts.readyReplicas > was('readyReplicas') ||
    counts.availableReplicas > was('availableReplicas')
  )
}

function timedOut(deployment: KubeObject, current: Condition, env: ControllerEnv): boolean {
  if (current.reason === 'NewReplicaSetAvailable') return false
  if (current.reason === 'ProgressDeadlineExceeded') return true
  const { progressDeadlineSeconds, paused } = partOf(deployment, 'spec')
  if (paused === true) return false
  const end = Date.parse(text(current['lastUpdateTime'])) + number(progressDeadlineSeconds, 600) * 1000
  const left = end - env.backend.clock.now()
  if (left < 0) return true
  const key: Key = { namespace: deployment.metadata.namespace ?? '', name: deployment.metadata.name }
  env.after(left + 1, key)
  return false
}
