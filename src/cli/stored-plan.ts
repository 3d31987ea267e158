import { isRecord, LadingError, stringifyJson } from '../core/index.ts'
import type { Component, DeployPlan, Job, JobStore } from '../pipeline/index.ts'
import type { SavedPlan } from '../release/index.ts'
import { pathFrom } from './connect.ts'
import type { Io } from './io.ts'
import { readText } from './files/read-text.ts'

/** A plan of a deploy, as the job that made it left it. */
export interface PlannedDeploy {
  readonly plan: SavedPlan
  readonly plan_hash: string
  readonly unchanged: boolean
  readonly text: string
}

/** What a finished job of planning left. */
export async function plannedOf({ outputs = {} }: Job): Promise<PlannedDeploy> {
  const { parsePlan } = await import('../release/index.ts')
  const { plan, plan_hash: hash, unchanged, text } = outputs
  return {
    plan: parsePlan(stringifyJson(plan), 'the plan'),
    plan_hash: String(hash),
    unchanged: unchanged === true,
    text: String(text),
  }
}

/** The plan of a file, for its component. */
export async function plannedInFile(io: Io, file: string, { name, namespace }: Component): Promise<PlannedDeploy> {
  const [{ parsePlan, planHash }, { changesOf, formatChanges }] = await Promise.all([
    import('../release/index.ts'),
    import('../pipeline/index.ts'),
  ])
  const plan = parsePlan(await readText(io, pathFrom(io, file)), file)
  if (plan.release.name !== name || plan.release.namespace !== namespace) {
    const whose = `${plan.release.namespace}/${plan.release.name}`
    throw new LadingError('plan.invalid', `${file} is a plan for ${whose}, not for ${namespace}/${name}`, { file })
  }
  const unchanged = plan.revision === plan.previous && plan.operation !== 'uninstall'
  return { plan, plan_hash: planHash(plan), unchanged, text: formatChanges(changesOf(plan)) }
}

/** What decides about a plan, and so must be the same when it is applied by its approval. */
const deciding = ['create_namespace', 'force_conflicts', 'take_ownership', 'replace', 'rollback_to'] as const

/**
 * The stored plan that an approval is for. It is applied as it was approved: to plan anew would draw other random values, and would be
 * another plan.
 */
export async function approvedPlan(
  store: JobStore,
  group: string,
  hash: string,
  asked: Partial<DeployPlan> & { readonly operation: string },
): Promise<{ readonly planned: PlannedDeploy; readonly request: DeployPlan }> {
  const jobs = await store.list({ group, states: ['finished'], limit: 10_000 })
  const found = jobs.find(({ outputs }) => outputs?.['plan_hash'] === hash && isRecord(outputs['plan']))
  if (found === undefined) {
    const problem = `the approval is for the plan ${hash}, which is not stored here; plan with --plan-only and the same --jobs file, or give the plan with --plan FILE`
    throw new LadingError('approval.denied', problem, { plan_hash: hash })
  }
  const request = found.plan as unknown as DeployPlan
  const other = deciding.find((field) => request[field] !== asked[field])
  if (other !== undefined || found.operation !== asked.operation) {
    const flag = other === undefined ? '--teardown' : `--${other.replaceAll('_', '-')}`
    const problem = `the approval is for another plan, which was made with another ${flag}`
    throw new LadingError('approval.denied', problem, { plan_hash: hash, flag })
  }
  return { planned: await plannedOf(found), request }
}
