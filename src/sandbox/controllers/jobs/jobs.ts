import { defined, type KubeObject } from '../../../core/index.ts'
import { timestamp } from '../../backend.ts'
import { StatusError } from '../../status-error.ts'
import { number, partOf, text } from '../../object-parts.ts'
import { isReady } from '../workloads/availability.ts'
import { isTrue } from '../conditions.ts'
import { type Controller, type ControllerEnv, controllerKey, type Key, ownKey } from '../controller.ts'
import { recordEvent } from '../events.ts'
import { addIndexes, formatIndexes, freeIndexes, parseIndexes } from './job-indexes.ts'
import { jobOutcome, type Outcome, outcomeConditions, suspendedConditions } from './job-outcome.ts'
import { createPod, deletePod, isActive, isEnded, podFromTemplate } from '../pods/pod-factory.ts'
import { deleteAs, setMetadata, setStatus } from '../writes.ts'

const collection = 'batch/jobs'
const component = 'job-controller'
const manager = 'kube-controller-manager'
const tracking = 'batch.kubernetes.io/job-tracking'

/** Runs the Pods of a Job until enough of them succeeded or too many failed. */
export const jobController: Controller = {
  name: 'job',
  watches: { [collection]: ownKey, '/pods': controllerKey('Job') },
  reconcile: (key, env) => {
    const job = env.backend.store.get(collection, key.namespace, key.name)
    if (job === undefined || isForeign(job)) return
    const pods = env.index.controlled(job, '/pods')
    if (job.metadata.deletionTimestamp !== undefined || isFinished(job)) {
      for (const pod of pods) untrack(pod, env)
      if (isFinished(job)) expire(job, key, env)
    } else work(job, key, pods, env)
  },
}

/** Whether somebody else looks after the Job. */
function isForeign(job: KubeObject): boolean {
  const managedBy = text(partOf(job, 'spec')['managedBy'])
  return managedBy !== '' && managedBy !== 'kubernetes.io/job-controller'
}

/** Whether a Job has come to its end. */
export function isFinished(job: KubeObject): boolean {
  return isTrue(job, 'Complete') || isTrue(job, 'Failed')
}

function work(job: KubeObject, key: Key, pods: readonly KubeObject[], env: ControllerEnv): void {
  const spec = partOf(job, 'spec')
  const before = partOf(job, 'status')
  const suspended = spec['suspend'] === true
  const now = timestamp(env.backend.clock)
  // Each Pod is counted once: its finalizer goes when it is.
  const uncounted = pods.filter((pod) => pod.metadata.finalizers?.includes(tracking) === true && isOver(pod))
  const won = uncounted.filter((pod) => partOf(pod, 'status')['phase'] === 'Succeeded')
  const active = pods.filter(isActive)
  const indexed = spec['completionMode'] === 'Indexed'
  const completed = indexed ? addIndexes(parseIndexes(text(before['completedIndexes'])), won) : undefined
  const succeeded = completed?.size ?? number(before['succeeded'], 0) + won.length
  const failed = number(before['failed'], 0) + (suspended ? 0 : uncounted.length - won.length)
  const startTime = suspended ? undefined : text(before['startTime']) || now
  const outcome = jobOutcome(job, { succeeded, failed, active: active.length, startTime }, env, key)
  let alive = active
  if (outcome !== undefined || suspended) {
    for (const pod of active) deletePod(env, component, job, pod)
    alive = []
  } else alive = [...active, ...startMore(job, key, active, { succeeded, completed }, env)]
  const terminating = env.index
    .controlled(job, '/pods')
    .filter((pod) => pod.metadata.deletionTimestamp !== undefined && !isEnded(pod)).length
  setStatus(env.backend, manager, job, {
    ...defined({
      conditions: nonEmpty(outcomeConditions(suspendedConditions(job, suspended, env), outcome, terminating, now)),
      startTime,
      completionTime: outcome?.type === 'Complete' ? now : undefined,
      active: nonZero(alive.length),
      succeeded: nonZero(succeeded),
      failed: nonZero(failed),
      completedIndexes: completed === undefined || completed.size === 0 ? undefined : formatIndexes(completed),
    }),
    terminating,
    uncountedTerminatedPods: {},
    ready: alive.filter(isReady).length,
  })
  for (const pod of uncounted) untrack(pod, env)
  if (outcome !== undefined) tellOutcome(job, outcome, env)
}

function startMore(
  job: KubeObject,
  key: Key,
  active: readonly KubeObject[],
  { succeeded, completed }: { succeeded: number; completed: ReadonlySet<number> | undefined },
  env: ControllerEnv,
): KubeObject[] {
  const spec = partOf(job, 'spec')
  const parallelism = number(spec['parallelism'], 1)
  const completions = spec['completions']
  // Without a number of completions, the first success means that no more Pods are needed.
  const needed = typeof completions === 'number' ? completions - succeeded : succeeded > 0 ? active.length : parallelism
  const surplus = active.length - Math.min(parallelism, needed)
  for (const pod of active.slice(0, Math.max(0, surplus))) deletePod(env, component, job, pod)
  const indexes = completed === undefined ? undefined : freeIndexes(number(completions, 1), completed, active)
  const made: KubeObject[] = []
  for (let at = 0; at < -surplus; at += 1) {
    const pod = createPod(env, component, job, podOf(job, indexes?.[at]))
    if (pod instanceof StatusError) {
      env.after(5000, key)
      break
    }
    made.push(pod)
  }
  return made
}

function podOf(job: KubeObject, index: number | undefined): ReturnType<typeof podFromTemplate> {
  const template = partOf(job, 'spec', 'template')
  if (index === undefined) return podFromTemplate(job, template, { finalizers: [tracking] })
  const number = { 'batch.kubernetes.io/job-completion-index': String(index) }
  const pod = podFromTemplate(job, template, { labels: number, annotations: number, finalizers: [tracking] })
  pod.metadata.generateName = `${job.metadata.name}-${index}-`
  pod['spec'] = { ...partOf(pod, 'spec'), hostname: `${job.metadata.name}-${index}` }
  return pod
}

function untrack(pod: KubeObject, env: ControllerEnv): void {
  const finalizers = pod.metadata.finalizers ?? []
  if (!finalizers.includes(tracking)) return
  setMetadata(env.backend, manager, pod, { finalizers: finalizers.filter((finalizer) => finalizer !== tracking) })
}

function expire(job: KubeObject, key: Key, env: ControllerEnv): void {
  const ttl = partOf(job, 'spec')['ttlSecondsAfterFinished']
  if (typeof ttl !== 'number' || job.metadata.deletionTimestamp !== undefined) return
  const { conditions } = partOf(job, 'status')
  const last = Array.isArray(conditions) ? partOf(conditions.at(-1)) : {}
  const left = Date.parse(text(last['lastTransitionTime'])) + ttl * 1000 - env.backend.clock.now()
  if (left > 0) env.after(left, key)
  else deleteAs(env.backend, job, { propagationPolicy: 'Foreground' })
}

function tellOutcome(job: KubeObject, outcome: Outcome, env: ControllerEnv): void {
  const complete = outcome.type === 'Complete'
  recordEvent(env.backend, component, job, {
    type: complete ? 'Normal' : 'Warning',
    reason: complete ? 'Completed' : outcome.reason,
    message: complete ? 'Job completed' : outcome.message,
  })
}

/** A Pod that is deleted before it ends counts as failed. */
function isOver(pod: KubeObject): boolean {
  return isEnded(pod) || pod.metadata.deletionTimestamp !== undefined
}

function nonZero(count: number): number | undefined {
  return count === 0 ? undefined : count
}

function nonEmpty<Item>(items: Item[]): Item[] | undefined {
  return items.length === 0 ? undefined : items
}
