import { isDeepStrictEqual } from 'node:util'
import { type Context, type LadingEvent, parseJson, refOf, stringifyJson } from '../../core/index.ts'
import type { PlannedOptions, PlanOptions } from '../deploy-options.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Intent } from '../intent.ts'
import type { Plan, PlanAction } from '../plan.ts'
import { needsHealing, type ReleaseHistory } from '../record/history.ts'
import type { InventoryEntry } from '../record/record.ts'
import { checkLabels, givenLabels, nextLabels } from '../storage/release-labels.ts'
import { type Desired, desiredState } from './desired.ts'
import { dryRunHooks } from './dry-run-hooks.ts'
import { missingHome } from './home-namespace.ts'
import { planActions } from './plan-actions.ts'
import { planCluster } from './plan-cluster.ts'
import { newPlanKey, planMask, sealPlan } from './plan-key.ts'
import { withHookObjects, withObjects } from './plan-objects.ts'
import { plannedHooks } from './planned-hooks.ts'
import { problemsError, refusalsOf } from './refuse-plan.ts'

/** A plan with what it was made of. */
export interface Planned {
  readonly desired: Desired
  readonly plan: Plan
  readonly unchanged: ReadonlyMap<string, InventoryEntry>
}

/** Plans an intent for people to read and approve; nothing is written. */
export async function* planIntent(
  engine: ReleaseEngine,
  intent: Intent,
  options: PlanOptions,
  history: ReleaseHistory,
  ctx: Context,
): AsyncGenerator<LadingEvent, Plan> {
  checkLabels(options.labels)
  const desired = yield* wantedState(engine, intent, options, history, ctx)
  const home = (await missingHome(engine.cluster, intent, options, ctx)) ?? []
  const planned = yield* makePlan(engine, intent, desired, history, home, { ...options, isShown: true }, ctx)
  const isIdle = isNothingToDo(intent, planned, history, options) && !needsHealing(history.revisions)
  const plan = yield* shownPlan(engine, planned, isIdle, options, ctx)
  return { ...plan, ...(await planCluster(engine.cluster, ctx)) }
}

/** What an intent wants on the cluster. Throws what is wrong with its objects, together with what the server says about the others. */
export async function* wantedState(
  engine: ReleaseEngine,
  intent: Intent,
  options: PlanOptions,
  history: ReleaseHistory,
  ctx: Context,
): AsyncGenerator<LadingEvent, Desired> {
  const { release, objects, operation } = intent
  const desired = yield* desiredState(engine, release, objects, { ranBefore: operation === 'rollback' }, ctx)
  if (desired.problems.length === 0) return desired
  const { plan } = yield* makePlan(engine, intent, desired, history, [], { ...options, isShown: true }, ctx)
  throw problemsError(desired.problems, refusalsOf(plan))
}

/** Makes the plan of an intent; with `isShown` it is the API server's own word about every object. */
export async function* makePlan(
  engine: ReleaseEngine,
  intent: Intent,
  desired: Desired,
  history: ReleaseHistory,
  home: readonly PlanAction[],
  options: PlanOptions & { readonly isShown?: boolean },
  ctx: Context,
): AsyncGenerator<LadingEvent, Planned> {
  const { release, operation, source, target } = intent
  const { plan: approved } = intent
  // A plan that is carried out at once need not be asked for every object.
  const isShown = options.isShown === true || approved !== undefined
  const key = approved === undefined ? (isShown ? newPlanKey(desired) : undefined) : approved.key
  const how = { ...options, ask: isShown ? 'all' : 'unsure', mask: planMask(key) } as const
  const { actions, unchanged } = yield* planActions(engine, release, desired, history, how, ctx)
  const previous = history.latest?.record.version ?? 0
  const plan: Plan = {
    format: 'lading.dev/plan/v1',
    operation,
    release,
    revision: previous + 1,
    previous,
    ...(target === undefined ? {} : { target }),
    source,
    objectsHash: desired.hash,
    createdAt: new Date(ctx.clock.now()).toISOString(),
    waves: desired.waves.map(({ order, step, objects }) => ({ order, step, objects: objects.map(refOf) })),
    hooks: options.noHooks === true ? [] : plannedHooks(desired, operation),
    actions: [...home, ...actions],
  }
  return { desired, plan: sealPlan(plan, key), unchanged }
}

/** A plan for people to read: with the objects that it creates, and its hooks tried. Where nothing is to do, no hook runs and no revision is made. */
export async function* shownPlan(
  { cluster }: ReleaseEngine,
  { plan, desired }: Planned,
  isIdle: boolean,
  options: PlannedOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, Plan> {
  if (isIdle) return { ...plan, revision: plan.previous, hooks: [] }
  const tested = yield* dryRunHooks(cluster, desired.hooks, plan, options, ctx)
  return {
    ...tested,
    actions: withObjects(tested.actions, desired.objects),
    hooks: withHookObjects(tested.hooks, desired.hooks),
  }
}

/**
 * A good release with the same source and the same input of the user, whose objects are all as it left them, needs no new revision. What
 * the user gave counts even where it changes no object: later upgrades go on from it (ADR 9).
 */
export function isNothingToDo(
  intent: Intent,
  { plan }: Planned,
  { latest }: ReleaseHistory,
  { labels, description }: PlannedOptions,
): boolean {
  if (intent.operation !== 'upgrade' || latest?.record.state.status !== 'deployed') return false
  const { record } = latest
  return (
    isSameJson(record.values, intent.values) &&
    isSameJson(record.userValues ?? {}, intent.userValues ?? {}) &&
    isSameJson(givenLabels(nextLabels(record.labels, labels)), givenLabels(record.labels)) &&
    (description === undefined || description === record.description) &&
    record.pack.digest === intent.source.digest &&
    plan.actions.every(({ action }) => action === 'unchanged' || action === 'keep')
  )
}

/** Whether two values are the same as JSON, whatever the order of their fields. */
function isSameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(parseJson(stringifyJson(a)), parseJson(stringifyJson(b)))
}
