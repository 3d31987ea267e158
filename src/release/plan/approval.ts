import { isRecord, LadingError } from '../../core/index.ts'
import type { Plan } from '../plan.ts'
import { planHash } from './plan-hash.ts'

/** Somebody's word on one plan, and on no other. */
export interface Approval {
  readonly plan_hash: string
  readonly decision: 'approve' | 'deny'
  readonly by: string
  readonly at: string
  /** Signatures of the plan's hash, in base64. */
  readonly signatures?: readonly string[]
}

/** Refuses a plan that nobody approved, that was denied, or whose approval was given for another plan. */
export function requireApproval(plan: Plan, approval: Approval | undefined): void {
  const { name, namespace } = plan.release
  if (approval === undefined) {
    throw new LadingError('approval.denied', `the plan for ${namespace}/${name} was not approved`, { name, namespace })
  }
  if (approval.decision !== 'approve') {
    const problem = `the plan for ${namespace}/${name} was denied by ${approval.by}`
    throw new LadingError('approval.denied', problem, { name, namespace, by: approval.by })
  }
  if (approval.plan_hash !== planHash(plan)) {
    const problem = `the approval by ${approval.by} is for another plan than the one for ${namespace}/${name}`
    throw new LadingError('approval.denied', problem, { name, namespace, by: approval.by })
  }
}

/** Reads an approval as its file says it; `file` is what messages call it. */
export function readApproval(value: unknown, file: string): Approval {
  const { plan_hash, decision, by, at, signatures } = isRecord(value) ? value : {}
  if (typeof plan_hash !== 'string' || typeof by !== 'string' || (decision !== 'approve' && decision !== 'deny')) {
    const problem = `${file} is no approval: it needs plan_hash, by, and decision (approve or deny)`
    throw new LadingError('config.invalid', problem, { file })
  }
  const signed = Array.isArray(signatures) ? signatures.filter((each) => typeof each === 'string') : []
  const more = signed.length === 0 ? {} : { signatures: signed }
  return { plan_hash, decision, by, at: typeof at === 'string' ? at : '', ...more }
}
