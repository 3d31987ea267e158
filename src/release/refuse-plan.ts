import { formatRef, LadingError } from '../core/index.ts'
import type { Plan } from './plan.ts'

/** Refuses to carry out a plan in which something cannot be done, with everything that stands in its way. */
export function refusePlan(plan: Plan): void {
  const conflicts = plan.actions.filter(({ action }) => action === 'conflict')
  const invalid = plan.actions.filter(({ action }) => action === 'invalid')
  if (invalid.length > 0) throw problem('apply.failed', [...invalid, ...conflicts])
  if (conflicts.length > 0) throw problem('kube.field-conflict', conflicts)
}

function problem(code: 'apply.failed' | 'kube.field-conflict', actions: Plan['actions']): LadingError {
  const texts = actions.map(({ ref, reason }) => `${formatRef(ref)}: ${reason ?? 'refused'}`)
  return new LadingError(code, texts.join('; '), {
    failures: actions.map(({ ref, reason, conflicts }) => ({
      ref,
      message: reason,
      ...(conflicts === undefined ? {} : { conflicts }),
    })),
  })
}
