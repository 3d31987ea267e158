import type { Context, LadingEvent } from '../../core/index.ts'
import type { PlacedObject } from '../discovery/scope.ts'
import type { Outcomes, SetObject } from './set-result.ts'
import type { SetRun, Tried } from './set-run.ts'
import type { Stage } from './stages.ts'

/** Tells what applying a set would do, stage by stage; what only the set itself makes possible is told as skipped. */
export async function* dryRunStages(
  run: SetRun,
  stages: readonly Stage<PlacedObject>[],
  outcomes: Outcomes,
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  for (const stage of stages) {
    yield { type: 'stage-started', stage: stage.name, objects: stage.objects.length, dryRun: true }
    for await (const tried of dryRunEach(run, stage.objects, ctx)) {
      yield* warningsOf(tried)
      yield outcomes.record(tried.item.id, outcomeOf(tried), true)
    }
    yield { type: 'stage-finished', stage: stage.name }
  }
}

/** Dry-runs objects before they are written and tells every refusal; returns those that cannot be dry-run yet. */
export async function* preflight(
  run: SetRun,
  items: readonly PlacedObject[],
  outcomes: Outcomes,
  ctx: Context,
): AsyncGenerator<LadingEvent, PlacedObject[]> {
  yield { type: 'stage-started', stage: 'preflight', objects: items.length, dryRun: true }
  // CRDs first: what they change decides which of the others can be dry-run yet.
  const [crds = [], others = []] = [true, false].map((wanted) => items.filter((item) => isCrd(item) === wanted))
  const deferred: PlacedObject[] = []
  for (const batch of [crds, others]) {
    for await (const tried of dryRunEach(run, batch, ctx)) {
      if (tried.error !== undefined) yield outcomes.record(tried.item.id, outcomeOf(tried), true)
      else if (tried.deferral !== undefined) deferred.push(tried.item)
    }
  }
  yield { type: 'stage-finished', stage: 'preflight' }
  return deferred
}

/** What one try made of an object. */
export function outcomeOf({ item: { ref }, result, error, deferral }: DryRunOutcome): SetObject {
  if (error !== undefined) return { ref, action: 'failed', error }
  if (result !== undefined) {
    const { action, object, live } = result
    return { ref, action, object, live }
  }
  return { ref, action: 'skipped', reason: deferral ?? 'not tried' }
}

/** What the server, or the policy about conflicts, has to say about an object that was applied. */
export function* warningsOf({ item: { ref }, result }: Tried): Generator<LadingEvent> {
  for (const message of result?.warnings ?? []) yield { type: 'warning', ref, message }
  for (const { path, manager } of result?.overridden ?? []) {
    yield { type: 'warning', ref, message: `took ${path} over from ${manager}` }
  }
  for (const { path, manager } of result?.yielded ?? []) {
    yield { type: 'warning', ref, message: `left ${path} to ${manager}` }
  }
}

interface DryRunOutcome extends Tried {
  /** Why the server cannot dry-run it yet. */
  readonly deferral?: string
}

async function* dryRunEach(run: SetRun, items: readonly PlacedObject[], ctx: Context): AsyncGenerator<DryRunOutcome> {
  const ready: PlacedObject[] = []
  for (const item of items) {
    const deferral = run.deferral(item)
    if (deferral === undefined) {
      ready.push(item)
      continue
    }
    const error = run.validateOffline(item)
    yield error === undefined ? { item, deferral } : { item, error }
  }
  // Whether a refusal stands is known when all is known that the refused object may need.
  const refused: Tried[] = []
  for await (const tried of run.dryRun(ready, ctx)) {
    if (tried.error === undefined) yield tried
    else refused.push(tried)
  }
  for (const tried of refused) {
    const deferral = tried.error === undefined ? undefined : run.excuse(tried.item, tried.error)
    yield deferral === undefined ? tried : { item: tried.item, deferral }
  }
}

function isCrd({ ref }: PlacedObject): boolean {
  return ref.kind === 'CustomResourceDefinition' && ref.group === 'apiextensions.k8s.io'
}
