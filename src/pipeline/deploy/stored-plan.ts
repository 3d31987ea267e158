import { LadingError, stringifyJson } from '../../core/index.ts'
import { parsePlan, planHash, type SavedPlan } from '../../release/index.ts'
import type { Component } from '../config/component.ts'
import { jobOf } from '../jobs/job.ts'
import type { JobStore } from '../jobs/job-store.ts'
import { changesOf, formatChanges } from './change-report.ts'
import type { DeployOperation } from './deploy-handler.ts'
import type { PlanOutputs } from './deploy-outputs.ts'
import type { DeployPlan } from './deploy-plan.ts'
import { deployGroup } from './schedule-drift.ts'

/** A plan of a deploy, and what it was made for. */
export interface PlannedDeploy extends PlanOutputs {
  /** The job that made the plan; absent if it was saved elsewhere. */
  readonly job?: string
  readonly request: DeployPlan
}

/** A saved plan as the plan of a component's deploy; refuses one that was made for another release. */
export function plannedBefore(plan: SavedPlan, { name, namespace }: Component, request: DeployPlan): PlannedDeploy {
  if (plan.release.name !== name || plan.release.namespace !== namespace) {
    const whose = `${plan.release.namespace}/${plan.release.name}`
    throw new LadingError('plan.invalid', `the plan is for ${whose}, not for ${namespace}/${name}`)
  }
  const unchanged = plan.revision === plan.previous && plan.operation !== 'uninstall'
  const changes = changesOf(plan)
  return { request, plan, plan_hash: planHash(plan), unchanged, changes, text: formatChanges(changes) }
}

/** What decides about a plan, and so must be the same when it is applied by its approval. */
const deciding = ['create_namespace', 'force_conflicts', 'take_ownership', 'replace', 'rollback_to'] as const

/**
 * Finds the stored plan that an approval is for. It is applied as it was approved: to plan anew would draw other random values, and
 * would be another plan.
 */
export async function findApproved(
  store: JobStore,
  hash: string,
  operation: DeployOperation,
  asked: DeployPlan,
): Promise<PlannedDeploy> {
  const jobs = await store.list({ group: deployGroup(asked), states: ['finished'], limit: 10_000 })
  const found = jobs
    .flatMap((job) => {
      const isPlan = job.operation === 'create-apply-plan' || job.operation === 'create-teardown-plan'
      return isPlan ? [jobOf(job, 'create-apply-plan', 'create-teardown-plan')] : []
    })
    .find(({ outputs }) => outputs?.plan_hash === hash)
  if (found?.outputs === undefined) {
    const problem = `the approval is for the plan ${hash}, which is not stored here; plan with --plan-only and the same --jobs file, or give the plan with --plan FILE`
    throw new LadingError('approval.denied', problem, { plan_hash: hash })
  }
  const { plan: request, outputs } = found
  const other = deciding.find((field) => request[field] !== asked[field])
  if (other !== undefined || found.operation !== operation) {
    const flag = other === undefined ? '--teardown' : `--${other.replaceAll('_', '-')}`
    const problem = `the approval is for another plan, which was made with another ${flag}`
    throw new LadingError('approval.denied', problem, { plan_hash: hash, flag })
  }
  const { kubernetes_manifest, ...settings } = asked
  const trust = { ...request.trust, ...asked.trust }
  return { ...readPlanned(outputs), request: { ...request, ...settings, trust } }
}

/** The outputs of a job that planned, with the plan as this version of Lading reads it. */
export function readPlanned(outputs: PlanOutputs): PlanOutputs {
  return { ...outputs, plan: parsePlan(stringifyJson(outputs.plan), 'the plan') }
}
