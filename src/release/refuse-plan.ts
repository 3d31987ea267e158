import { formatRef, LadingError, type ObjectRef } from '../core/index.ts'
import type { FieldConflict, SetObject } from '../kube/index.ts'
import type { Plan, PlanAction } from './plan.ts'

/** An object that cannot be made what it should be, and why. */
export interface Refusal {
  readonly ref: ObjectRef
  readonly message: string
  readonly conflicts?: readonly FieldConflict[]
}

/** Refuses to carry out a plan in which something cannot be done, with everything that stands in its way. */
export function refusePlan(plan: Plan): void {
  const hooks = plan.hooks.flatMap(({ ref, problem: message }) => (message === undefined ? [] : [{ ref, message }]))
  const refusals = [...refusalsOf(plan), ...hooks]
  if (refusals.length === 0) return
  const invalid = hooks.length > 0 || plan.actions.some(({ action }) => action === 'invalid')
  throw problem(invalid ? 'apply.failed' : 'kube.field-conflict', refusals)
}

/** Everything of a plan that cannot be done: what is invalid first, then conflicts. */
export function refusalsOf({ actions }: Plan): Refusal[] {
  const of = (wanted: PlanAction['action']): readonly PlanAction[] => actions.filter(({ action }) => action === wanted)
  return [...of('invalid'), ...of('conflict')].map(({ ref, reason = 'refused', conflicts }) => ({
    ref,
    message: reason,
    ...(conflicts === undefined ? {} : { conflicts }),
  }))
}

/** What was refused when it was written. */
export function failuresOf(objects: readonly SetObject[]): Refusal[] {
  return objects.flatMap(({ ref, action, error }) =>
    action === 'failed' ? [{ ref, message: error?.message ?? 'refused' }] : [],
  )
}

/** The failure of an operation that went on past what it could not do. */
export function notAllApplied(refusals: readonly Refusal[]): LadingError {
  return problem('apply.failed', refusals)
}

/** One object is told with its reason; of many the names, for the reasons stand beside them as data. */
function problem(code: 'apply.failed' | 'kube.field-conflict', refusals: readonly Refusal[]): LadingError {
  const failures = refusals.map((refusal) => ({ ...refusal, message: reasonAlone(refusal) }))
  const [first] = failures
  const message =
    first !== undefined && failures.length === 1
      ? `${formatRef(first.ref)}: ${first.message}`
      : `${failures.length} objects cannot be applied: ${failures.map(({ ref }) => formatRef(ref)).join(', ')}`
  return new LadingError(code, message, { failures })
}

/** Some reasons begin with the name of their object. */
function reasonAlone({ ref, message }: Refusal): string {
  const name = `${formatRef(ref)}: `
  return message.startsWith(name) ? message.slice(name.length) : message
}
