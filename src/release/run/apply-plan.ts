import { type Context, followDuring, followWithinDeadline, LadingError, type LadingEvent } from '../../core/index.ts'
import { defaultTimeoutMs } from '../deploy-options.ts'
import type { ReleaseEngine } from '../engine.ts'
import { refuseOtherCluster, refuseOtherNamespace } from '../plan/plan-cluster.ts'
import { verifyPlan } from '../plan/plan-signature.ts'
import { refuseExpired, refuseUsed } from '../plan/plan-use.ts'
import { identityProblem, type RunOptions, type SavedPlan } from '../plan/saved-plan.ts'
import type { ReleaseRecord } from '../record/record.ts'
import { renderContent } from '../source/render-content.ts'
import type { SourceOptions } from '../source/source.ts'
import { install, rollback, upgrade } from './operations.ts'
import { uninstall } from './uninstall.ts'

/** How a plan is applied, and who has to have signed it. */
export interface ApplyPlanOptions extends RunOptions {
  /** Public keys, in PEM: a plan that none of them signed is refused before anything is sent to the cluster. */
  readonly verifyKeys?: readonly string[]
}

/** What came of a plan. */
export interface AppliedPlan {
  readonly outcome: 'deployed' | 'unchanged' | 'uninstalled'
  readonly record?: ReleaseRecord
}

/**
 * Carries out exactly what was planned, once. The plan is made anew under the lock, and the saved one is refused if it says anything else;
 * it is also refused after it was applied, after it expired, and on another cluster.
 */
export function applyPlan(
  engine: ReleaseEngine,
  saved: SavedPlan,
  options: ApplyPlanOptions,
  reading: Pick<SourceOptions, 'stdin' | 'cwd' | 'artifacts' | 'fetchChart'>,
  ctx: Context,
): AsyncGenerator<LadingEvent, AppliedPlan> {
  return followWithinDeadline(options.timeoutMs ?? defaultTimeoutMs, ctx, (timed) =>
    followDuring('checking the plan', timed, applyInTime(engine, saved, options, reading, timed)),
  )
}

async function* applyInTime(
  engine: ReleaseEngine,
  saved: SavedPlan,
  { verifyKeys = [], ...options }: ApplyPlanOptions,
  reading: Pick<SourceOptions, 'stdin' | 'cwd' | 'artifacts' | 'fetchChart'>,
  ctx: Context,
): AsyncGenerator<LadingEvent, AppliedPlan> {
  const { inputs, signatures: _, ...plan } = saved
  const problem = identityProblem(saved)
  if (problem !== undefined) throw new LadingError('plan.invalid', `the plan cannot be applied: ${problem}`)
  verifyPlan(saved, verifyKeys)
  refuseExpired(saved, ctx)
  const { keepHistory, ...planned } = inputs.options
  const { release, operation } = plan
  const { cluster } = engine
  await refuseOtherCluster(cluster, saved, ctx)
  await refuseUsed(cluster, plan, ctx)
  await refuseOtherNamespace(cluster, plan, ctx)
  if (operation === 'uninstall') {
    const kept = keepHistory === undefined ? {} : { keepHistory }
    const { record } = yield* uninstall(engine, release, { ...planned, ...kept, ...options, plan }, ctx)
    return { outcome: 'uninstalled', record }
  }
  const all = { ...planned, ...options }
  if (operation === 'rollback') return applied(yield* rollback(engine, release, plan.target, { ...all, plan }, ctx))
  if (inputs.content === undefined) throw new LadingError('plan.invalid', 'the plan does not say what to render')
  const content = {
    ...(await renderContent(engine.store, release, inputs.content, { ...reading, cluster }, ctx)),
    plan,
  }
  if (operation === 'install') return applied(yield* install(engine, content, all, ctx))
  return applied(yield* upgrade(engine, content, all, ctx))
}

function applied({ outcome, record }: { outcome: string; record?: ReleaseRecord }): AppliedPlan {
  const known = record === undefined ? {} : { record }
  return { outcome: outcome === 'unchanged' ? 'unchanged' : 'deployed', ...known }
}
