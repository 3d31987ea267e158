import type { KubeObject } from '../../core/index.ts'
import { current, failed, inProgress, type ObjectStatus } from './object-status.ts'
import { conditionOf, countAt, explain, integerAt, recordsAt, textAt, valueAt } from './read-fields.ts'

/** What keeps one container of a pod from running. */
export interface ContainerProblem {
  readonly container: string
  /** The kubelet's own word, such as `CrashLoopBackOff`. */
  readonly reason: string
  readonly message: string
  readonly restarts: number
  /** Whether its last run ended, so that the log of that run is the one to read. */
  readonly ran: boolean
}

// Words that the kubelet gives for a container that waits for something that will not happen by itself.
const fatal = new Set([
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
])

/** A Pod: running and ready, or done; failed as soon as one of its containers cannot run. */
export function podStatus(object: KubeObject): ObjectStatus {
  const phase = textAt(object, 'status', 'phase')
  if (phase === 'Succeeded') return current('Pod has completed')
  if (phase === 'Failed') return failed(textAt(object, 'status', 'reason') || 'PodFailed', podFailure(object))
  const problem = containerProblems(object)[0]
  if (problem !== undefined) return failed(problem.reason, describeProblem(problem))
  if (phase === 'Running') {
    const ready = conditionOf(object, 'Ready')
    if (ready?.status === 'True') return current('Pod is ready')
    return inProgress('PodRunningNotReady', ready?.message || 'Pod is running but not ready')
  }
  const why = unschedulable(object)
  if (why !== undefined) return inProgress('Unschedulable', `no node takes the pod: ${why}`)
  return inProgress('PodPending', phase === '' ? 'no kubelet has seen the pod yet' : 'Pod is pending')
}

/** The containers of a pod that cannot run, init containers first, as they stop the others. */
export function containerProblems(pod: KubeObject): ContainerProblem[] {
  const statuses = ['initContainerStatuses', 'containerStatuses'].flatMap((list) => recordsAt(pod, 'status', list))
  return statuses.flatMap((status) => {
    const reason = textAt(status, 'state', 'waiting', 'reason')
    if (!fatal.has(reason)) return []
    return [
      {
        container: textAt(status, 'name'),
        reason,
        message: lastExit(status) ?? textAt(status, 'state', 'waiting', 'message'),
        restarts: countAt(status, 'restartCount'),
        ran: valueAt(status, 'lastState', 'terminated') !== undefined,
      },
    ]
  })
}

/** One sentence on a container that cannot run. */
export function describeProblem(problem: ContainerProblem): string {
  const why = problem.message === '' ? '' : `: ${problem.message}`
  return `container ${problem.container} is in ${problem.reason}${why}`
}

/** Why the scheduler finds no node for a pod, when it said so. */
export function unschedulable(pod: KubeObject): string | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled')
  return scheduled?.status === 'False' && scheduled.reason === 'Unschedulable' ? explain(scheduled) : undefined
}

/** The container of a failed pod to look at: the first that did not exit with zero. */
export function failedContainer(pod: KubeObject): string | undefined {
  const statuses = ['initContainerStatuses', 'containerStatuses'].flatMap((list) => recordsAt(pod, 'status', list))
  const status = statuses.find((status) => (integerAt(status, 'state', 'terminated', 'exitCode') ?? 0) !== 0)
  return status === undefined ? undefined : textAt(status, 'name')
}

function podFailure(pod: KubeObject): string {
  const message = textAt(pod, 'status', 'message')
  if (message !== '') return message
  const name = failedContainer(pod)
  if (name === undefined) return 'Pod has failed'
  const status = ['initContainerStatuses', 'containerStatuses']
    .flatMap((list) => recordsAt(pod, 'status', list))
    .find((status) => textAt(status, 'name') === name)
  const code = countAt(status, 'state', 'terminated', 'exitCode')
  return `container ${name} ${exitWords(code, textAt(status, 'state', 'terminated', 'reason'))}`
}

function lastExit(status: Record<string, unknown>): string | undefined {
  const code = integerAt(status, 'lastState', 'terminated', 'exitCode')
  return code === undefined ? undefined : exitWords(code, textAt(status, 'lastState', 'terminated', 'reason'))
}

function exitWords(code: number, reason: string): string {
  // `Error` is what the kubelet writes for any other code than zero: it adds nothing.
  return reason === '' || reason === 'Error' ? `exited with code ${code}` : `exited with code ${code} (${reason})`
}
