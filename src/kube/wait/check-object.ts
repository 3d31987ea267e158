import { type Context, formatRef, type KubeObject, type ObjectRef, refOf } from '../../core/index.ts'
import { describeProblem, type ObjectStatus, unschedulable } from '../../schema/index.ts'
import type { Cluster } from '../cluster.ts'
import type { RuleStatus } from './rules/custom-rules.ts'
import { endOf, runsToEnd, statusOfGone } from './finished-work.ts'
import { statusReader } from './read-status.ts'
import type { TrackedObject } from './tracked-object.ts'
import { isWorkload, problemFor, type WorkloadPods } from './workload-pods.ts'

/** The status of one object at one moment, and its cause. */
export interface ObjectCheck {
  readonly status: ObjectStatus
  /** The pods that are the cause of a failure. */
  readonly pods: readonly KubeObject[]
  /** Pods that no node takes: no failure, as a node may come. */
  readonly unscheduled: readonly { readonly ref: ObjectRef; readonly message: string }[]
}

/** How objects are checked. */
export interface CheckOptions {
  readonly rules: RuleStatus
  readonly pods: WorkloadPods
  readonly until: 'Current' | 'Completed'
  readonly waitForJobs: boolean | ((job: ObjectRef) => boolean)
  readonly allowedRestarts: number
  readonly statusGraceMs: number
}

/** Annotations with which an object asks not to be waited for. */
const skipAnnotations = ['lading.dev/skip-wait', 'sherpack.io/skip-wait']

/** Checks tracked objects by what was last seen of them, and asks the cluster for what they do not say themselves. */
export function createObjectCheck(
  cluster: Cluster,
  options: CheckOptions,
  ctx: Context,
): (tracked: TrackedObject) => Promise<ObjectCheck> {
  const read = statusReader(cluster, options.statusGraceMs, ctx)

  return async ({ ref, last, presence, silentMs }) => {
    if (presence === 'absent' || last === undefined) {
      if (last === undefined || !runsToEnd(ref)) return only(notFound)
      return only(await statusOfGone(cluster, last, ctx))
    }
    if (skipAnnotations.some((name) => last.metadata.annotations?.[name] === 'true')) {
      return only({ status: 'Current', message: 'asks not to be waited for' })
    }
    const status = options.rules(last) ?? (await builtinStatus(ref, last, silentMs))
    if (status.status === 'Failed' && ref.kind === 'Pod' && ref.group === '') return ofPod(last, status)
    if (status.status !== 'InProgress') return only(status)
    if (isWorkload(ref) && status.reason !== 'LatestGenerationNotObserved') return withPods(last, status)
    const why = ref.kind === 'Pod' && ref.group === '' ? unschedulable(last) : undefined
    return { status, pods: [], unscheduled: why === undefined ? [] : [{ ref, message: waitsForNode(ref, why) }] }
  }

  async function builtinStatus(ref: ObjectRef, object: KubeObject, silentMs: number): Promise<ObjectStatus> {
    const status = await read(object, silentMs)
    return runsToEnd(ref) ? byItsEnd(object, status) : status
  }

  function byItsEnd(object: KubeObject, status: ObjectStatus): ObjectStatus {
    const end = endOf(object)
    if (end !== undefined) return end
    if (options.until === 'Current' && status.reason === 'JobRunning' && !waitsForJob(refOf(object))) {
      return { status: 'Current', message: 'Job has started' }
    }
    if (options.until !== 'Completed' || status.status !== 'Current') return status
    return { status: 'InProgress', reason: 'NotCompleted', message: `${object.kind} has not completed yet` }
  }

  function waitsForJob(ref: ObjectRef): boolean {
    return typeof options.waitForJobs === 'boolean' ? options.waitForJobs : options.waitForJobs(ref)
  }

  function ofPod(pod: KubeObject, status: ObjectStatus): ObjectCheck {
    const tolerated =
      status.reason === 'CrashLoopBackOff' && problemFor(pod, pod, options.allowedRestarts) === undefined
    return { status: tolerated ? { ...status, status: 'InProgress' } : status, pods: [pod], unscheduled: [] }
  }

  async function withPods(workload: KubeObject, status: ObjectStatus): Promise<ObjectCheck> {
    const troubled = await options.pods.troubledPods(workload)
    const unscheduled = troubled.flatMap(({ pod, unschedulable: why }) => {
      return why === undefined ? [] : [{ ref: refOf(pod), message: waitsForNode(refOf(pod), why) }]
    })
    const failing = troubled.filter(({ problem }) => problem !== undefined)
    const { pod, problem } = failing[0] ?? {}
    if (pod === undefined || problem === undefined) return { status, pods: [], unscheduled }
    const message = `pod ${pod.metadata.name}: ${describeProblem(problem)}`
    const failed: ObjectStatus = { status: 'Failed', reason: problem.reason, message }
    return { status: failed, pods: failing.map((each) => each.pod), unscheduled }
  }
}

const notFound: ObjectStatus = { status: 'NotFound', reason: 'NotFound', message: 'does not exist' }

function only(status: ObjectStatus): ObjectCheck {
  return { status, pods: [], unscheduled: [] }
}

function waitsForNode(ref: ObjectRef, why: string): string {
  return `no node takes ${formatRef(ref)}: ${why}`
}
