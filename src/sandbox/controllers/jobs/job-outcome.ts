import type { KubeObject } from '../../../core/index.ts'
import { timestamp } from '../../backend.ts'
import { number, partOf } from '../../object-parts.ts'
import { type Condition, conditionOf, conditionsOf, replaceCondition } from '../conditions.ts'
import type { ControllerEnv, Key } from '../controller.ts'
import { recordEvent } from '../events.ts'

/** How a Job ends. */
export interface Outcome {
  readonly type: 'Complete' | 'Failed'
  readonly reason: string
  readonly message: string
}

/** What has become of a Job's Pods so far. */
export interface Tally {
  readonly succeeded: number
  readonly failed: number
  readonly active: number
  readonly startTime: string | undefined
}

/** Whether a Job ends now, and how; one with a deadline is looked at again then. */
export function jobOutcome(job: KubeObject, tally: Tally, env: ControllerEnv, key: Key): Outcome | undefined {
  const decided = conditionOf(job, 'FailureTarget') ?? conditionOf(job, 'SuccessCriteriaMet')
  if (decided?.status === 'True') {
    const type = decided.type === 'FailureTarget' ? 'Failed' : 'Complete'
    return { type, reason: decided.reason ?? '', message: decided.message ?? '' }
  }
  const spec = partOf(job, 'spec')
  if (tally.failed > number(spec['backoffLimit'], 6)) {
    const message = 'Job has reached the specified backoff limit'
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message }
  }
  const deadline = spec['activeDeadlineSeconds']
  if (typeof deadline === 'number' && tally.startTime !== undefined) {
    const left = Date.parse(tally.startTime) + deadline * 1000 - env.backend.clock.now()
    const message = 'Job was active longer than specified deadline'
    if (left <= 0) return { type: 'Failed', reason: 'DeadlineExceeded', message }
    env.after(left, key)
  }
  const { completions } = spec
  const enough =
    typeof completions === 'number' ? tally.succeeded >= completions : tally.succeeded > 0 && tally.active === 0
  const message = 'Reached expected number of succeeded pods'
  return enough && spec['suspend'] !== true ? { type: 'Complete', reason: 'CompletionsReached', message } : undefined
}

/** The conditions with the outcome in them: first what is aimed at, then, once no Pod runs any more, the end itself. */
export function outcomeConditions(
  conditions: readonly Condition[],
  outcome: Outcome | undefined,
  terminating: number,
  now: string,
): Condition[] {
  if (outcome === undefined) return [...conditions]
  const { reason, message, type } = outcome
  const common = { status: 'True', lastProbeTime: now, reason, message }
  const aim = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget'
  const known = conditions.some((condition) => condition.type === aim)
  const aimed = known ? [...conditions] : [...conditions, { type: aim, ...common, lastTransitionTime: now }]
  return terminating > 0 ? aimed : [...aimed, { type, ...common, lastTransitionTime: now }]
}

/** The conditions with Suspended in them, for a Job that is or was suspended. */
export function suspendedConditions(job: KubeObject, suspended: boolean, env: ControllerEnv): Condition[] {
  const conditions = conditionsOf(job)
  const known = conditionOf(job, 'Suspended')
  if (suspended === (known?.status === 'True')) return conditions
  if (!suspended && known === undefined) return conditions
  const now = timestamp(env.backend.clock)
  const reason = suspended ? 'JobSuspended' : 'JobResumed'
  const message = suspended ? 'Job suspended' : 'Job resumed'
  recordEvent(env.backend, 'job-controller', job, {
    type: 'Normal',
    reason: suspended ? 'Suspended' : 'Resumed',
    message,
  })
  const status = suspended ? 'True' : 'False'
  return replaceCondition(conditions, { type: 'Suspended', status, lastProbeTime: now, reason, message }, now)
}
