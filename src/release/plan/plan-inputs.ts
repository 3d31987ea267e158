import type { PlannedOptions } from '../deploy-options.ts'
import type { Content } from '../intent.ts'
import type { Plan } from '../plan.ts'

/** What a plan was made from: enough to carry it out, or to save it. */
export interface PlanInputs {
  /** Absent for a rollback and an uninstall, which bring their own. */
  readonly content?: Content
  readonly options: PlannedOptions
}

/** By the plan itself, and not in it: a plan that is printed or stored must not hold the values of Secrets. */
const inputsByPlan = new WeakMap<Plan, PlanInputs>()

/** Keeps what a plan was made from for as long as the plan is in memory. */
export function withInputs(plan: Plan, inputs: PlanInputs): Plan {
  inputsByPlan.set(plan, inputs)
  return plan
}

/** What a plan was made from; undefined for a copy of a plan and for one that was read from a file. */
export function inputsOf(plan: Plan): PlanInputs | undefined {
  return inputsByPlan.get(plan)
}
