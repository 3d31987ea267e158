import { type Context, type Operation, operation, type OperationOptions } from '../../core/index.ts'
import { plannedPart, type PlanOptions } from '../deploy-options.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Content } from '../intent.ts'
import type { Plan } from '../plan.ts'
import type { ReleaseName } from '../release-name.ts'
import { inTime } from './in-time.ts'
import { planIntent } from './make-plan.ts'
import { withInputs } from './plan-inputs.ts'
import { installIntent, rollbackIntent, upgradeIntent } from './resolve-intent.ts'

/** Plans what `install` would do. Nothing is written; `apply` carries the plan out. */
export function planInstall(
  engine: ReleaseEngine,
  content: Content,
  { onEvent, ...options }: PlanOptions & OperationOptions,
  ctx: Context,
): Operation<Plan> {
  const work = () =>
    inTime(content.release, options, ctx, async function* (timed) {
      const { intent, history } = await installIntent(engine, content, timed)
      const plan = yield* planIntent(engine, intent, options, history, timed)
      return withInputs(plan, { content, options: plannedPart(options) })
    })
  return operation('planInstall', work, { onEvent })
}

/** Plans what `upgrade` would do; with `install`, that of a release that is not there is an install. */
export function planUpgrade(
  engine: ReleaseEngine,
  content: Content,
  { onEvent, ...options }: PlanOptions & OperationOptions & { readonly install?: boolean },
  ctx: Context,
): Operation<Plan> {
  const work = () =>
    inTime(content.release, options, ctx, async function* (timed) {
      const { intent, history } = await upgradeIntent(engine, content, options, timed)
      const plan = yield* planIntent(engine, intent, options, history, timed)
      return withInputs(plan, { content, options: plannedPart(options) })
    })
  return operation('planUpgrade', work, { onEvent })
}

/** Plans what `rollback` to a revision would do (default: the last good one before the latest). */
export function planRollback(
  engine: ReleaseEngine,
  release: ReleaseName,
  revision: number | undefined,
  { onEvent, ...options }: PlanOptions & OperationOptions,
  ctx: Context,
): Operation<Plan> {
  const work = () =>
    inTime(release, options, ctx, async function* (timed) {
      const { intent, history } = await rollbackIntent(engine, release, revision, timed)
      const plan = yield* planIntent(engine, intent, options, history, timed)
      return withInputs(plan, { options: plannedPart(options) })
    })
  return operation('planRollback', work, { onEvent })
}
