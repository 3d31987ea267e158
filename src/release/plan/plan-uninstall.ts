import {
  type Context,
  type LadingEvent,
  objectId,
  type Operation,
  operation,
  type OperationOptions,
  refOf,
} from '../../core/index.ts'
import { type PlannedOptions, plannedPart } from '../deploy-options.ts'
import { withInputs } from './plan-inputs.ts'
import { refuseDifferent } from './compare-plans.ts'
import { deletionWaves } from './deletion-waves.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Desired } from './desired.ts'
import type { ReleaseName } from '../release-name.ts'
import { noSuchRelease, readHistory } from '../record/history.ts'
import { isHome } from './home-namespace.ts'
import { hooksOf, parseHook } from '../hooks/parse-hook.ts'
import { dryRunHooks } from './dry-run-hooks.ts'
import { objectsHash } from '../record/object-hash.ts'
import { phasesOf, type Plan, type PlanAction } from '../plan.ts'
import { planCluster } from './plan-cluster.ts'
import { planActions } from './plan-actions.ts'
import { refuseUnmarkable } from './plan-use.ts'
import { sortOrphans, orphanStays, withOrphans } from '../ownership/orphans.ts'

/** Plans what an uninstall would delete and what it would keep. */
export function planUninstall(
  engine: ReleaseEngine,
  release: ReleaseName,
  { onEvent, ...options }: UninstallDecision & OperationOptions,
  ctx: Context,
): Operation<Plan> {
  const work = async function* (): AsyncGenerator<LadingEvent, Plan> {
    const plan = yield* planning(engine, release, options, ctx)
    return withInputs(plan, { options: plannedPart(options) })
  }
  return operation('planUninstall', work, { onEvent })
}

/** The options of an uninstall that belong to the decision. */
export type UninstallDecision = Pick<
  PlannedOptions,
  'noHooks' | 'keepHistory' | 'deleteCustomResources' | 'description'
>

async function* planning(
  engine: ReleaseEngine,
  release: ReleaseName,
  options: UninstallDecision,
  ctx: Context,
): AsyncGenerator<LadingEvent, Plan> {
  const known = await readHistory(engine.store, release, ctx)
  if (known.latest === undefined) throw noSuchRelease(release)
  const { record } = known.latest
  const orphans = await sortOrphans(engine, release, known, ctx)
  const history = withOrphans(known, [...orphans.going, ...orphans.staying])
  // Seen from what is wanted afterwards, an uninstall is an upgrade to nothing.
  const nothing: Desired = { objects: [], required: [], hooks: [], waves: [], problems: [], hash: '', manifest: '' }
  const { keepHistory = false, deleteCustomResources = false } = options
  const how = { leavesHome: !keepHistory, deleteCustomResources }
  const planned = yield* planActions(engine, release, nothing, history, how, ctx)
  const staying = new Set(orphans.staying.map(objectId))
  const actions = planned.actions.map((action): PlanAction =>
    staying.has(objectId(action.ref)) ? { ...action, action: 'keep', reason: orphanStays } : action,
  )
  const going = actions.filter(({ action, ref }) => action === 'delete' && !isHome(ref, release)).map(({ ref }) => ref)
  const hooks = options.noHooks === true ? [] : record.hooks.flatMap(({ object }) => parseHook(object) ?? [])
  const plan: Plan = {
    format: 'lading.dev/plan/v1',
    operation: 'uninstall',
    release,
    ...(await planCluster(engine.cluster, ctx)),
    revision: record.version,
    previous: record.version,
    source: record.pack,
    objectsHash: objectsHash([]),
    createdAt: new Date(ctx.clock.now()).toISOString(),
    waves: deletionWaves(going, (ref) => ref, history, release).map(({ items, ...wave }) => ({
      ...wave,
      objects: items,
    })),
    hooks: phasesOf('uninstall').flatMap((phase) =>
      hooksOf(hooks, phase).map(({ object, weight }) => ({ phase, weight, ref: refOf(object) })),
    ),
    actions,
  }
  return yield* dryRunHooks(engine.cluster, hooks, plan, {}, ctx)
}

/** Refuses an approved uninstall that was applied before, or that does not say what would be done now. */
export async function* refuseOtherUninstall(
  engine: ReleaseEngine,
  approved: Plan,
  options: UninstallDecision,
  ctx: Context,
): AsyncGenerator<LadingEvent, void> {
  await refuseUnmarkable(engine.cluster, approved, ctx)
  const current = yield* planning(engine, approved.release, options, ctx)
  refuseDifferent(approved, current, { madeHome: false })
}
