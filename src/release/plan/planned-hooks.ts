import { refOf } from '../../core/index.ts'
import { hooksOf } from '../hooks/parse-hook.ts'
import type { Desired } from './desired.ts'
import { type Operation, phasesOf, type PlannedHook } from '../plan.ts'

/** The hooks of an operation in the order in which they run. */
export function plannedHooks(desired: Desired, operation: Operation): PlannedHook[] {
  return phasesOf(operation).flatMap((phase) =>
    hooksOf(desired.hooks, phase).map(({ object, weight }) => ({ phase, weight, ref: refOf(object) })),
  )
}
