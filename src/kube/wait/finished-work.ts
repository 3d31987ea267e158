import { type Context, isRecord, type KubeObject, type ObjectRef } from '../../core/index.ts'
import { computeStatus, type ObjectStatus } from '../../schema/index.ts'
import type { Cluster } from '../cluster.ts'
import { readEvents } from './diagnose.ts'

/** Whether objects of a kind run to an end, and may be cleaned away after it. */
export function runsToEnd(ref: Pick<ObjectRef, 'group' | 'kind'>): boolean {
  return (ref.group === 'batch' && ref.kind === 'Job') || (ref.group === '' && ref.kind === 'Pod')
}

/** How a Job or Pod ended, from its last state, whether or not it is being deleted; undefined while it has not. */
export function endOf(object: KubeObject): ObjectStatus | undefined {
  const status = isRecord(object['status']) ? object['status'] : {}
  const conditions = Array.isArray(status['conditions']) ? status['conditions'].filter(isRecord) : []
  const ended =
    object.kind === 'Job'
      ? conditions.some(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True')
      : status['phase'] === 'Succeeded' || status['phase'] === 'Failed'
  if (!ended) return undefined
  const { deletionTimestamp: _deletion, ...metadata } = object.metadata
  return computeStatus({ ...object, metadata })
}

/**
 * What became of a Job or Pod that is gone. One that was seen to end keeps that end, as a Job's time to live removes it soon
 * after (Argo CD #6880). Else the events that outlive a Job tell; without any sign of success it counts as failed.
 */
export async function statusOfGone(cluster: Cluster, last: KubeObject, ctx: Context): Promise<ObjectStatus> {
  const end = endOf(last)
  if (end !== undefined) return { ...end, message: `${end.message}, and was removed` }
  const { uid, namespace } = last.metadata
  const events = uid === undefined ? [] : await readEvents(cluster, { uid, namespace }, ctx)
  const ending = events.findLast((event) => event.reason === 'Completed' || jobFailures.has(event.reason))
  if (last.kind === 'Job' && ending !== undefined) {
    if (ending.reason === 'Completed') return { status: 'Current', message: 'Job is complete, and was removed' }
    return { status: 'Failed', reason: ending.reason, message: `${ending.message}, and was removed` }
  }
  return { status: 'Failed', reason: 'Deleted', message: `${last.kind} was deleted before it was seen to end` }
}

const jobFailures = new Set(['BackoffLimitExceeded', 'DeadlineExceeded', 'PodFailurePolicy', 'FailedIndexes'])
