import type { KubeObject } from '../../core/index.ts'
import { current, failed, inProgress, type ObjectStatus } from './object-status.ts'
import { conditionsOf, countAt, explain, textAt, valueAt } from './read-fields.ts'

/** A Job: in progress until it is complete, which kstatus calls current as soon as it runs. */
export function jobStatus(object: KubeObject): ObjectStatus {
  const conditions = conditionsOf(object).filter((condition) => condition.status === 'True')
  for (const condition of conditions) {
    // `SuccessCriteriaMet` and `FailureTarget` come earlier, while the controller still removes running pods.
    if (condition.type === 'Complete') return current('Job is complete')
    if (condition.type === 'Failed') return failed(condition.reason || 'JobFailed', explain(condition))
  }
  const suspended = conditions.some((condition) => condition.type === 'Suspended')
  if (suspended && valueAt(object, 'spec', 'suspend') === true) return current('Job is suspended')
  if (textAt(object, 'status', 'startTime') === '') return inProgress('JobNotStarted', 'Job has not started yet')
  const counts = ['active', 'succeeded', 'failed'].map((name) => `${countAt(object, 'status', name)} ${name}`)
  return inProgress('JobRunning', `Job is running: ${counts.join(', ')}`)
}

/** A CronJob does its work later; being stored is all that can be waited for. */
export function cronJobStatus(object: KubeObject): ObjectStatus {
  return current(valueAt(object, 'spec', 'suspend') === true ? 'CronJob is suspended' : 'CronJob is scheduled')
}
