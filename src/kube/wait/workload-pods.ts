import { type Context, gvkOf, isLadingError, isRecord, type KubeObject } from '../../core/index.ts'
import { type ContainerProblem, containerProblems, unschedulable } from '../../schema/index.ts'
import type { Cluster } from '../cluster.ts'
import { watchObjects, type WatchQuery } from '../watch/watch.ts'
import { revisionCheck } from './newest-revision.ts'

/** A pod of a workload's newest revision that does not come up. */
export interface TroubledPod {
  readonly pod: KubeObject
  /** What fails the workload; absent while the pod only waits for a node. */
  readonly problem?: ContainerProblem
  readonly unschedulable?: string
}

/** The pods of the workloads that are waited for, watched from the first time that one of these is not ready. */
export interface WorkloadPods {
  /** The pods that keep a workload from becoming ready. */
  troubledPods(workload: KubeObject): Promise<TroubledPod[]>
}

/** News that pods of a namespace got into trouble or out of it. */
export interface PodNews {
  readonly type: 'pods'
  readonly namespace: string
}

/** How pods are looked at. */
export interface PodOptions {
  /** How many workloads of a namespace are waited for: a single one's pods are found by its own selector. */
  readonly workloadsIn: (namespace: string) => number
  /** Restarts after which a crash-looping container is given up; 0 gives it up at once. */
  readonly allowedRestarts: number
  readonly tell: (news: PodNews) => void
  /** Lets work go on in the background. */
  readonly run: (work: Promise<void>) => void
}

const podGvk = { group: '', version: 'v1', kind: 'Pod' }

/** The kinds whose pods are looked at. */
export function isWorkload(gvk: { readonly group: string; readonly kind: string }): boolean {
  return workloadKinds.has(`${gvk.kind}.${gvk.group}`)
}

const workloadKinds = new Set(['Deployment.apps', 'ReplicaSet.apps', 'StatefulSet.apps', 'DaemonSet.apps', 'Job.batch'])

/** Problems of a container that no restart heals, and that a Job's backoff limit therefore does not count. */
const neverStarted = (problem: ContainerProblem): boolean => problem.reason !== 'CrashLoopBackOff'

/** Looks at pods for as long as the context's signal lasts. */
export function watchWorkloadPods(cluster: Cluster, options: PodOptions, ctx: Context): WorkloadPods {
  const namespaces = new Map<string, Map<string, KubeObject>>()
  const isNewest = revisionCheck(cluster, ctx)

  const follow = async (query: WatchQuery, namespace: string, troubled: Map<string, KubeObject>): Promise<void> => {
    try {
      for await (const event of watchObjects(cluster, query, ctx)) {
        if (event.type === 'bookmark' || event.type === 'synced' || event.type === 'relisted') continue
        const key = event.object.metadata.uid ?? event.object.metadata.name
        const known = troubled.delete(key)
        const inTrouble = event.type !== 'deleted' && isTroubled(event.object)
        if (inTrouble) troubled.set(key, event.object)
        if (known || inTrouble) options.tell({ type: 'pods', namespace })
      }
    } catch (error) {
      if (!isLadingError(error, 'kube.forbidden')) throw error
      ctx.log.warn('pods cannot be watched: failures are noticed later', { namespace, code: error.code })
    }
  }
  const troubledIn = (workload: KubeObject): ReadonlyMap<string, KubeObject> => {
    const namespace = workload.metadata.namespace ?? ''
    const known = namespaces.get(namespace)
    if (known !== undefined) return known
    const troubled = new Map<string, KubeObject>()
    namespaces.set(namespace, troubled)
    const labelSelector = options.workloadsIn(namespace) === 1 ? selectorOf(workload) : undefined
    options.run(follow({ gvk: podGvk, namespace, labelSelector }, namespace, troubled))
    return troubled
  }

  return {
    async troubledPods(workload) {
      const found: TroubledPod[] = []
      for (const pod of troubledIn(workload).values()) {
        const problem = problemFor(workload, pod, options.allowedRestarts)
        const why = unschedulable(pod)
        if (problem === undefined && why === undefined) continue
        if (!(await isNewest(workload, pod))) continue
        found.push({ pod, problem, unschedulable: why })
      }
      return found
    },
  }
}

/** The problem of a pod that is to be held against its owner, or against the pod itself where it has none. */
export function problemFor(owner: KubeObject, pod: KubeObject, allowedRestarts: number): ContainerProblem | undefined {
  const ofJob = owner.kind === 'Job' && gvkOf(owner).group === 'batch'
  return containerProblems(pod).find((problem) => {
    // A Job counts the crashes of its pods itself and fails when its backoff limit is reached.
    if (ofJob) return neverStarted(problem)
    return problem.reason !== 'CrashLoopBackOff' || problem.restarts >= allowedRestarts
  })
}

/** The label selector of a workload as a query takes it; undefined when it has none. */
export function selectorOf(workload: KubeObject): string | undefined {
  const spec = workload['spec']
  const selector = isRecord(spec) ? spec['selector'] : undefined
  if (!isRecord(selector)) return undefined
  const labels = isRecord(selector['matchLabels']) ? Object.entries(selector['matchLabels']) : []
  const parts = labels.map(([key, value]) => `${key}=${String(value)}`)
  const expressions = Array.isArray(selector['matchExpressions']) ? selector['matchExpressions'].filter(isRecord) : []
  for (const { key, operator, values } of expressions) {
    const list = Array.isArray(values) ? values.join(',') : ''
    if (operator === 'In') parts.push(`${String(key)} in (${list})`)
    if (operator === 'NotIn') parts.push(`${String(key)} notin (${list})`)
    if (operator === 'Exists') parts.push(String(key))
    if (operator === 'DoesNotExist') parts.push(`!${String(key)}`)
  }
  return parts.length === 0 ? undefined : parts.join(',')
}

function isTroubled(pod: KubeObject): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false
  return containerProblems(pod).length > 0 || unschedulable(pod) !== undefined
}
