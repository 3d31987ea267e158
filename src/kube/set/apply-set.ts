import {
  type Context,
  gvkOf,
  type KubeObject,
  LadingError,
  type LadingEvent,
  objectId,
  type Operation,
  operation,
  type OperationOptions,
} from '../../core/index.ts'
import { computeStatus } from '../../schema/index.ts'
import { dropAutoscaledReplicas } from './autoscaled-replicas.ts'
import type { Cluster } from '../cluster.ts'
import { outcomeOf, preflight, dryRunStages, warningsOf } from './dry-run-set.ts'
import {
  kindKey,
  kindsOfCrds,
  type PlacedObject,
  type PlacedSet,
  placeObjects,
  refuseDuplicates,
} from '../discovery/scope.ts'
import { failuresOf, Outcomes, type SetObject, type SetSummary, summarize, tellFailures } from './set-result.ts'
import { SetRun, type SetRunOptions } from './set-run.ts'
import { waitUntilEstablished, waitUntilServed } from './wait-for-crds.ts'
import { type Stage, stagesOf } from './stages.ts'

/** How a set is applied. */
export interface ApplySetOptions
  extends Omit<SetRunOptions, 'live' | 'liveVersion' | 'liveMetadata' | 'ifVersion'>, OperationOptions {
  /** For namespaced objects that name none. */
  readonly namespace?: string
  /** Requests in flight (default: 32). */
  readonly concurrency?: number
  /**
   * `stop` writes nothing of the stages after a failure and throws apply.failed; `continue` tries every object and tells
   * failures in the result.
   */
  readonly onError?: 'stop' | 'continue'
  /** Whether every object is dry-run first, so that all errors are told before anything is written (default: true). */
  readonly preflight?: boolean
  /** How long CRDs may take to be established (default: a minute). */
  readonly stageTimeoutMs?: number
  /** Is given each object as it was stored; the result then holds none of them, which many would fill much memory with. */
  readonly onWritten?: (object: KubeObject) => void
  /** What becomes of `spec.replicas` where an autoscaler of the set scales the workload (default: `drop`). */
  readonly autoscaledReplicas?: 'drop' | 'keep'
}

/** What became of each object of a set, in the order in which it was known. */
export interface ApplySetResult {
  readonly objects: readonly SetObject[]
  readonly summary: SetSummary
}

/**
 * Applies a set of objects, stage by stage, everything inside a stage at once. Tells each outcome as it comes; a failing
 * set throws apply.failed with every failure. Leaving the iteration early aborts what is in flight. A `PlacedSet` is taken as it is: its
 * namespaces and its replicas were decided before.
 */
export function applySet(
  cluster: Cluster,
  objects: readonly KubeObject[] | PlacedSet,
  options: ApplySetOptions,
  ctx: Context,
): Operation<ApplySetResult> {
  return operation('applySet', () => applyStages(cluster, objects, options, ctx), options)
}

async function* applyStages(
  cluster: Cluster,
  objects: readonly KubeObject[] | PlacedSet,
  options: ApplySetOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, ApplySetResult> {
  const { dryRun = false, preflight: dryRunsFirst = true, concurrency = 32 } = options
  const outcomes = new Outcomes()
  const items = yield* prepare(cluster, objects, options, outcomes, ctx)
  const run = new SetRun(cluster, items, options, concurrency)
  if (dryRun || dryRunsFirst) await run.look(items, 'object', ctx)
  const stages = stagesOf(items, (item) => item.ref)

  if (dryRun) yield* dryRunStages(run, stages, outcomes, ctx)
  else yield* performStages({ cluster, run, items, stages, outcomes, options }, ctx)
  stopIfFailed(outcomes, options)
  const all = outcomes.all()
  return { objects: all, summary: summarize(all) }
}

interface Performance {
  readonly cluster: Cluster
  readonly run: SetRun
  readonly items: readonly PlacedObject[]
  readonly stages: readonly Stage<PlacedObject>[]
  readonly outcomes: Outcomes
  readonly options: ApplySetOptions
}

/** Places the objects and tells what is changed about them, or wrong with them, before any of them is tried. */
async function* prepare(
  cluster: Cluster,
  objects: readonly KubeObject[] | PlacedSet,
  options: ApplySetOptions,
  outcomes: Outcomes,
  ctx: Context,
): AsyncGenerator<LadingEvent, readonly PlacedObject[]> {
  const isPlaced = 'placed' in objects
  const { placed, failures, warnings } = isPlaced
    ? objects
    : await placeObjects(cluster, objects, options.namespace, ctx)
  refuseDuplicates(placed)
  for (const { ref, message } of warnings) yield { type: 'warning', ref, message }
  for (const [at, { ref, error }] of failures.entries()) {
    yield outcomes.record(`${objectId(ref)} ${at}`, { ref, action: 'failed', error }, true)
  }
  if (isPlaced || options.autoscaledReplicas === 'keep') return placed
  const { objects: kept, dropped } = dropAutoscaledReplicas(placed.map((item) => item.object))
  for (const ref of dropped) {
    yield { type: 'warning', ref, message: 'spec.replicas is left to the HorizontalPodAutoscaler of the set' }
  }
  return placed.map((item, at) => ({ ...item, object: kept[at] ?? item.object }))
}

async function* performStages(set: Performance, ctx: Context): AsyncGenerator<LadingEvent> {
  const { run, items, stages, outcomes, options } = set
  let deferred: PlacedObject[] = []
  if (options.preflight !== false) deferred = yield* preflight(run, items, outcomes, ctx)
  stopIfFailed(outcomes, options)
  for (const [at, stage] of stages.entries()) {
    if (deferred.length > 0 && stage.name !== 'crds' && stage.name !== 'namespaces') {
      deferred = yield* preflight(run, deferred, outcomes, ctx)
      stopIfFailed(outcomes, options)
    }
    yield* performStage(set, stage, ctx)
    if (options.onError === 'continue' || !outcomes.anyFailed) continue
    const reason = `not tried after the failure in stage ${stage.name}`
    for (const { id, ref } of stages.slice(at + 1).flatMap((later) => later.objects)) {
      yield outcomes.record(id, { ref, action: 'skipped', reason }, false)
    }
    return
  }
}

async function* performStage(set: Performance, stage: Stage<PlacedObject>, ctx: Context): AsyncGenerator<LadingEvent> {
  const { run, outcomes, options } = set
  const chosen = stage.objects.filter((item) => outcomes.get(item.id) === undefined)
  yield { type: 'stage-started', stage: stage.name, objects: chosen.length, dryRun: false }
  // Not earlier than now: controllers go on writing status, and a version that moved looks like a change of ours.
  if (options.preflight === false) await run.look(chosen, 'metadata', ctx)
  for await (const tried of run.write(chosen, ctx)) {
    yield* warningsOf(tried)
    const outcome = outcomeOf(tried)
    if (outcome.object !== undefined) options.onWritten?.(outcome.object)
    // Of a CRD its status is asked yet.
    const kept = options.onWritten === undefined || stage.name === 'crds' ? outcome : withoutObjects(outcome)
    yield outcomes.record(tried.item.id, kept, false)
  }
  if (stage.name === 'crds') yield* waitForCrds(set, chosen, ctx)
  yield { type: 'stage-finished', stage: stage.name }
}

/** Waits until the kinds of new and changed CRDs can be used. */
async function* waitForCrds(
  set: Performance,
  crds: readonly PlacedObject[],
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  const { cluster, items, outcomes, options } = set
  const { stageTimeoutMs = 60_000 } = options
  const applied = crds.flatMap(({ id, ref }) => {
    const outcome = outcomes.get(id)
    return outcome?.object === undefined ? [] : [{ id, ref, action: outcome.action, object: outcome.object }]
  })
  // The answer to the apply may already show it; only the others are watched.
  const pending = applied.filter(({ object }) => computeStatus(object).status !== 'Current')
  const refs = pending.map(({ ref }) => ref)
  const failures = await waitUntilEstablished(cluster, refs, stageTimeoutMs, ctx)
  for (const { id, ref } of pending) {
    const error = failures.get(id)
    if (error !== undefined) yield outcomes.record(id, { ref, action: 'failed', error }, false)
    else yield { type: 'status', ref, status: 'Current', message: 'CustomResourceDefinition is established' }
  }
  if (applied.every(({ action }) => action === 'unchanged') && pending.length === 0) return
  const established = applied.filter(({ id }) => !failures.has(id)).map(({ object }) => object)
  const defined = kindsOfCrds(established)
  const wanted = new Map(items.map(({ object }) => [kindKey(object), gvkOf(object)] as const))
  const kinds = [...wanted].flatMap(([key, gvk]) => (defined.has(key) ? [gvk] : []))
  await waitUntilServed(cluster, kinds, stageTimeoutMs, ctx)
}

function withoutObjects({ object: _, live: __, ...rest }: SetObject): SetObject {
  return rest
}

function stopIfFailed(outcomes: Outcomes, { onError = 'stop' }: ApplySetOptions): void {
  if (onError === 'continue' || !outcomes.anyFailed) return
  const all = outcomes.all()
  const failures = failuresOf(all)
  const count = failures.length === 1 ? 'one object' : `${failures.length} objects`
  const message = `${count} could not be applied: ${tellFailures(failures)}`
  throw new LadingError('apply.failed', message, { failures, summary: summarize(all) })
}
