import {
  type Context,
  LadingError,
  type LadingEvent,
  type Operation,
  operation,
  type OperationOptions,
} from '../../core/index.ts'
import { type Approval, refusePlan, type SavedPlan } from '../../release/index.ts'
import { buildComponent } from '../build/build-component.ts'
import type { Component } from '../config/component.ts'
import { type Pipeline, runInPipeline } from '../pipeline.ts'
import type { ApplyOutputs } from './deploy-outputs.ts'
import type { DeployPlan } from './deploy-plan.ts'
import { artifactPlan, baseRequest, type DeploySettings, type DeploySource, newDeploy } from './deploy-request.ts'
import { findApproved, plannedBefore, type PlannedDeploy, readPlanned } from './stored-plan.ts'

/** What is deployed: something to plan, a plan that was saved, or the stored plan that an approval names. */
export type DeployWhat = DeploySource | { readonly plan: SavedPlan } | { readonly approved: true }

/** Follows one part of a deploy to its end; `title` names the part. */
export type FollowPart = <Result>(part: Operation<Result>, title: string) => Promise<Result>

/** How a deploy is approved and followed. */
export interface DeployHow extends DeploySettings {
  /**
   * Decides about the plan; asked only if there is something to apply. An approval that was given earlier applies the stored plan that it
   * names: nothing is built or planned again.
   */
  readonly approve: Approval | ((planned: PlannedDeploy) => Promise<Approval>)
  /** Ends with the plan. */
  readonly planOnly?: boolean | undefined
  /** Called with the plan before it is approved. */
  readonly onPlan?: (planned: PlannedDeploy) => Promise<void> | void
  /** How each part is followed (default: awaited). */
  readonly follow?: FollowPart
}

/** How a deploy ended. */
export type ComponentDeploy =
  | { readonly ended: 'planned' | 'unchanged'; readonly planned: PlannedDeploy }
  | { readonly ended: 'applied'; readonly planned: PlannedDeploy; readonly applied: AppliedDeploy }

/** What applying a plan gave. */
export interface AppliedDeploy extends ApplyOutputs {
  /** The id of the job that did it. */
  readonly job: string
  readonly plan_hash: string
}

/**
 * Brings a component to the cluster: builds it, plans it, has the plan approved, and applies it. A release that needs no change is checked
 * for health instead.
 */
export async function deployComponent(
  pipeline: Pipeline,
  component: Component,
  what: DeployWhat,
  how: DeployHow,
  ctx: Context,
): Promise<ComponentDeploy> {
  const { approve, planOnly = false, follow = (part) => part } = how
  const name = `${component.namespace}/${component.name}`
  const planned = await plannedDeploy(pipeline, component, what, how, ctx)
  await how.onPlan?.(planned)
  if (planOnly) return { ended: 'planned', planned }
  if (planned.unchanged) {
    await follow(checkDeploy(pipeline, component, planned, ctx), `check ${name}`)
    return { ended: 'unchanged', planned }
  }
  // Nobody is asked to approve what cannot be done.
  refusePlan(planned.plan)
  const approval = typeof approve === 'function' ? await approve(planned) : approve
  const applied = await follow(applyDeploy(pipeline, component, planned, approval, ctx), `deploy ${name}`)
  return { ended: 'applied', planned, applied }
}

/** Plans what a source comes to against what is live; what is to be built was built before. */
export function planDeploy(
  pipeline: Pipeline,
  component: Component,
  source: Exclude<DeploySource, { readonly build: unknown }>,
  settings: DeploySettings,
  ctx: Context,
  options: OperationOptions = {},
): Operation<PlannedDeploy> {
  const request = requestOf(pipeline, component, source, settings)
  return operation(
    'planDeploy',
    async function* () {
      const job = newDeploy(component, planningOf(source), request)
      const { id, outputs } = yield* runInPipeline(pipeline, job, ctx)
      return { ...readPlanned(outputs), job: id, request }
    },
    options,
  )
}

/** Applies a plan that was approved, once. */
export function applyDeploy(
  pipeline: Pipeline,
  component: Component,
  { request, plan, plan_hash }: PlannedDeploy,
  approval: Approval,
  ctx: Context,
  options: OperationOptions = {},
): Operation<AppliedDeploy> {
  return operation(
    'applyDeploy',
    async function* () {
      const job = newDeploy(component, 'apply-plan', { ...request, apply_plan_contents: plan, approval })
      const { id, outputs } = yield* runInPipeline(pipeline, job, ctx)
      return { job: id, plan_hash, ...outputs }
    },
    options,
  )
}

/** Nothing to change is a success only if the release is healthy, where the component asks for it. */
function checkDeploy(
  pipeline: Pipeline,
  component: Component,
  { request, plan }: PlannedDeploy,
  ctx: Context,
): Operation<void> {
  return operation('checkDeploy', async function* (): AsyncGenerator<LadingEvent, void> {
    if (request.wait === false) return
    yield* runInPipeline(pipeline, newDeploy(component, 'check-health', { ...request, apply_plan_contents: plan }), ctx)
  })
}

/** The plan that is to be approved and applied: one that was saved, the one that an approval is for, or a new one. */
async function plannedDeploy(
  pipeline: Pipeline,
  component: Component,
  what: DeployWhat,
  { approve, follow = (part) => part, ...settings }: DeployHow,
  ctx: Context,
): Promise<PlannedDeploy> {
  if ('plan' in what) {
    return plannedBefore(what.plan, component, baseRequest(component, settings, pipeline.demands))
  }
  if (typeof approve === 'object') {
    const asked = 'rollbackTo' in what ? { rollback_to: what.rollbackTo } : {}
    const request = { ...baseRequest(component, settings, pipeline.demands), ...asked }
    return findApproved(pipeline.store, approve.plan_hash, planningOf(what), request)
  }
  if ('approved' in what) throw new LadingError('usage.invalid', 'an approved plan is applied with its approval')
  const source = 'build' in what ? { artifact: await build(what.build) } : what
  return follow(planDeploy(pipeline, component, source, settings, ctx), `plan ${component.namespace}/${component.name}`)

  async function build(target: Parameters<typeof buildComponent>[2]): Promise<string> {
    return (await follow(buildComponent(pipeline, component, target, ctx), `build ${component.name}`)).artifact
  }
}

function requestOf(
  { demands }: Pipeline,
  component: Component,
  source: Exclude<DeploySource, { readonly build: unknown }>,
  settings: DeploySettings,
): DeployPlan {
  const base = baseRequest(component, settings, demands)
  if ('rollbackTo' in source) return { ...base, rollback_to: source.rollbackTo }
  if ('teardown' in source) return base
  return { ...base, kubernetes_manifest: { ...base.kubernetes_manifest, ...artifactPlan(source.artifact) } }
}

function planningOf(source: DeployWhat): 'create-apply-plan' | 'create-teardown-plan' {
  return 'teardown' in source ? 'create-teardown-plan' : 'create-apply-plan'
}
