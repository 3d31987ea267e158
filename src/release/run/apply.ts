import {
  type Context,
  followDuring,
  followWithinDeadline,
  LadingError,
  type LadingEvent,
  type Operation,
  operation,
  type OperationOptions,
} from '../../core/index.ts'
import { type DeployOptions, defaultTimeoutMs, type PlannedOptions, type RunOptions } from '../deploy-options.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Content } from '../intent.ts'
import type { Plan } from '../plan.ts'
import { type Approval, requireApproval } from '../plan/approval.ts'
import { inTime } from '../plan/in-time.ts'
import { refuseOtherCluster, refuseOtherNamespace } from '../plan/plan-cluster.ts'
import { inputsOf } from '../plan/plan-inputs.ts'
import { verifyPlan } from '../plan/plan-signature.ts'
import { refuseExpired, refuseUsed } from '../plan/plan-use.ts'
import { installIntent, type ResolvedIntent, rollbackIntent, upgradeIntent } from '../plan/resolve-intent.ts'
import { withoutInputs } from '../plan/save-plan.ts'
import { identityProblem, type SavedPlan } from '../plan/saved-plan.ts'
import type { ReleaseRecord } from '../record/record.ts'
import { type ReadingOptions, renderContent } from '../source/render-content.ts'
import { deployOrReturn } from './deploy-or-return.ts'
import { uninstalling } from './uninstall.ts'

/** How a plan is applied, and who has to have approved and signed it. */
export interface ApplyOptions extends RunOptions, Pick<DeployOptions, 'labels'> {
  /** Somebody's word on the plan: one that denies it, or names another plan by its hash, refuses the plan. */
  readonly approval?: Approval
  /** Public keys, in PEM: a plan that none of them signed, in itself or by its approval, is refused before anything is sent to the cluster. */
  readonly verifyKeys?: readonly string[]
  /** How the source of a saved plan is read again. */
  readonly reading?: Omit<ReadingOptions, 'cluster'>
}

/** What came of a plan. */
export interface AppliedPlan {
  readonly outcome: 'deployed' | 'unchanged' | 'uninstalled'
  readonly record?: ReleaseRecord
}

/**
 * Carries out exactly what was planned. The plan is made anew under the release's lock, and the given one is refused if it says anything else, or
 * was made for another cluster. A saved plan is applied once, before it expires. A plan in memory must be the one that `planInstall` or another planning
 * function gave: a copy does not know what it was made from.
 */
export function apply(
  engine: ReleaseEngine,
  plan: Plan | SavedPlan,
  { onEvent, ...options }: ApplyOptions & OperationOptions,
  ctx: Context,
): Operation<AppliedPlan> {
  const work = () =>
    followWithinDeadline(options.timeoutMs ?? defaultTimeoutMs, ctx, (timed) =>
      followDuring('checking the plan', timed, applyInTime(engine, plan, options, timed)),
    )
  return operation('apply', work, { onEvent })
}

async function* applyInTime(
  engine: ReleaseEngine,
  given: Plan | SavedPlan,
  { approval, verifyKeys = [], reading = {}, labels, ...options }: ApplyOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, AppliedPlan> {
  if (approval !== undefined) requireApproval(given, approval)
  verifyPlan(given, verifyKeys, approval?.signatures)
  await refuseUnusable(engine, given, ctx)
  const { keepHistory, ...planned } = optionsOf(given)
  const plan = decidedPart(given)
  const { release, operation: what } = plan
  if (what === 'uninstall') {
    const { record } = yield* uninstalling(engine, release, { ...planned, keepHistory, ...options, plan }, ctx)
    return { outcome: 'uninstalled', record }
  }
  const all = labels === undefined ? planned : { ...planned, labels: { ...planned.labels, ...labels } }
  const how = { ...all, ...options }
  const content = what === 'rollback' ? undefined : await contentOf(engine, given, reading, ctx)
  const { outcome, record } = yield* inTime(release, how, ctx, async function* (timed) {
    const { intent, history } = await resolved(engine, plan, content, timed)
    return yield* deployOrReturn(engine, { ...intent, plan }, how, history, timed)
  })
  return { outcome, record }
}

/** Refuses a plan that is incomplete, expired, used, or of another cluster or namespace. */
async function refuseUnusable({ cluster }: ReleaseEngine, plan: Plan | SavedPlan, ctx: Context): Promise<void> {
  if (!isSaved(plan)) {
    if (inputsOf(plan) === undefined) throw withoutInputs(plan, 'applied')
    await refuseOtherCluster(cluster, plan, ctx)
    return
  }
  const problem = identityProblem(plan)
  if (problem !== undefined) throw new LadingError('plan.invalid', `the plan cannot be applied: ${problem}`)
  refuseExpired(plan, ctx)
  await refuseOtherCluster(cluster, plan, ctx)
  await refuseUsed(cluster, plan, ctx)
  await refuseOtherNamespace(cluster, plan, ctx)
}

function resolved(
  engine: ReleaseEngine,
  { operation: what, release, target }: Plan,
  content: Content | undefined,
  ctx: Context,
): Promise<ResolvedIntent> {
  if (content === undefined) return rollbackIntent(engine, release, target, ctx)
  return what === 'install' ? installIntent(engine, content, ctx) : upgradeIntent(engine, content, {}, ctx)
}

/** What is deployed: rendered again for a saved plan of a source. */
async function contentOf(
  { store, cluster }: ReleaseEngine,
  plan: Plan | SavedPlan,
  reading: Omit<ReadingOptions, 'cluster'>,
  ctx: Context,
): Promise<Content> {
  const { release } = plan
  const { content, made } = isSaved(plan) ? plan.inputs : { content: undefined, made: inputsOf(plan)?.content }
  if (made !== undefined) return { ...made, release }
  if (content === undefined) throw new LadingError('plan.invalid', 'the plan does not say what to render')
  return await renderContent(store, release, content, { ...reading, cluster }, ctx)
}

function optionsOf(plan: Plan | SavedPlan): PlannedOptions {
  return (isSaved(plan) ? plan.inputs.options : inputsOf(plan)?.options) ?? {}
}

/** What a plan says will be done, without what it was made from and who signed it. */
function decidedPart(plan: Plan & Partial<Pick<SavedPlan, 'inputs' | 'signatures'>>): Plan {
  const { inputs: _, signatures: __, ...decided } = plan
  return decided
}

function isSaved(plan: Plan | SavedPlan): plan is SavedPlan {
  return 'inputs' in plan
}
