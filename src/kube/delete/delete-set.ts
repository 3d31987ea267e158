import {
  type Context,
  isLadingError,
  type KubeObject,
  LadingError,
  type LadingEvent,
  monotonicNow,
  objectId,
  type ObjectMeta,
  type ObjectRef,
  type Operation,
  operation,
  type OperationOptions,
  runConcurrently,
} from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { alreadyGone, defaultDeleteTimeoutMs } from './delete.ts'
import { type Deletion, type DeleteRules, requestDeletion } from './delete-request.ts'
import { readLiveIndex } from '../read/live-index.ts'
import {
  failuresOf,
  objectEvent,
  objectFailure,
  type SetObject,
  type SetSummary,
  summarize,
  tellFailures,
} from '../set/set-result.ts'
import { deletionStagesOf, type Stage } from '../set/stages.ts'
import { type Terminating, terminationTimeout, watchTermination } from './watch-termination.ts'

/** How a set is deleted. */
export interface DeleteSetOptions extends DeleteRules, OperationOptions {
  /** Requests in flight (default: 32). */
  readonly concurrency?: number
  /** Whether to wait, stage by stage, until the objects are gone (default: true). */
  readonly wait?: boolean
  /** How long the whole set may take (default: five minutes). */
  readonly timeoutMs?: number
  /** `stop` deletes nothing of the stages after a failure; `continue` tries them all and tells failures in the result. */
  readonly onError?: 'stop' | 'continue'
}

/** An object to delete; with a uid, an object that took its name since is left alone. */
export type DeleteTarget = ObjectRef & { readonly uid?: string }

/** What became of each object of a set, in the order in which it was known. */
export interface DeleteSetResult {
  readonly objects: readonly SetObject[]
  readonly summary: SetSummary
}

/**
 * Deletes a set in the exact reverse of the order of apply. Each stage is gone before the next one starts, so that the
 * controllers that have to run finalizers are still there for them.
 */
export function deleteSet(
  cluster: Cluster,
  targets: readonly DeleteTarget[],
  options: DeleteSetOptions,
  ctx: Context,
): Operation<DeleteSetResult> {
  return operation('deleteSet', () => deleteStages(cluster, targets, options, ctx), options)
}

async function* deleteStages(
  cluster: Cluster,
  targets: readonly DeleteTarget[],
  options: DeleteSetOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, DeleteSetResult> {
  const { dryRun = false, timeoutMs = defaultDeleteTimeoutMs, onError = 'stop' } = options
  const deadline = monotonicNow(ctx.clock) + timeoutMs
  const looks = options.keep !== 'ignore' || options.owner !== undefined || options.spare !== undefined
  const index = looks ? await readLiveIndex(cluster, targets, 'metadata', ctx) : undefined
  const outcomes: SetObject[] = []
  const stages = deletionStagesOf(targets, (target) => target)
  for (const [at, stage] of stages.entries()) {
    yield { type: 'stage-started', stage: stage.name, objects: stage.objects.length, dryRun }
    const known = (target: DeleteTarget): ObjectMeta | null | undefined => metadataOf(index?.get(objectId(target)))
    for await (const event of deleteStage(cluster, stage, options, known, deadline, ctx)) {
      if (event.type === 'outcome') {
        outcomes.push(event.outcome)
        yield objectEvent(event.outcome, dryRun)
      } else {
        yield event
      }
    }
    yield { type: 'stage-finished', stage: stage.name }
    if (onError === 'continue' || !outcomes.some((outcome) => outcome.action === 'failed')) continue
    for (const ref of stages.slice(at + 1).flatMap((later) => later.objects)) {
      const outcome: SetObject = {
        ref,
        action: 'skipped',
        reason: `not tried after the failure in stage ${stage.name}`,
      }
      outcomes.push(outcome)
      yield objectEvent(outcome, dryRun)
    }
    throw deletionError(outcomes)
  }
  return { objects: outcomes, summary: summarize(outcomes) }
}

type StageEvent = Extract<LadingEvent, { type: 'status' }> | { readonly type: 'outcome'; readonly outcome: SetObject }

async function* deleteStage(
  cluster: Cluster,
  stage: Stage<DeleteTarget>,
  options: DeleteSetOptions,
  known: (target: DeleteTarget) => ObjectMeta | null | undefined,
  deadline: number,
  ctx: Context,
): AsyncGenerator<StageEvent> {
  const waits = options.wait !== false && options.dryRun !== true
  const terminating: Terminating[] = []
  const work = async (target: DeleteTarget, inner: Context): Promise<Requested> => {
    const { uid, ...ref } = target
    try {
      const rules = uid === undefined ? options : { ...options, uid }
      return { ref, deletion: await requestDeletion(cluster, ref, rules, known(target), inner) }
    } catch (error) {
      return { ref, failure: objectFailure(error) }
    }
  }
  for await (const requested of runConcurrently(stage.objects, options.concurrency ?? 32, work, ctx)) {
    const { deletion } = requested
    if (deletion?.outcome === 'accepted' && waits && !deletion.finished) terminating.push(deletion)
    else yield { type: 'outcome', outcome: outcomeOf(requested) }
  }
  if (terminating.length === 0) return

  const left = Math.max(0, deadline - monotonicNow(ctx.clock))
  const watching = watchTermination(cluster, terminating, left, ctx)
  for await (const event of watching) {
    if (event.type === 'gone') yield { type: 'outcome', outcome: { ref: event.ref, action: 'deleted' } }
    else yield { type: 'status', ref: event.holdup.ref, status: 'Terminating', message: event.message }
  }
  for (const holdup of await watching) {
    const error = terminationTimeout([holdup], options.timeoutMs ?? defaultDeleteTimeoutMs)
    yield { type: 'outcome', outcome: { ref: holdup.ref, action: 'failed', error } }
  }
}

interface Requested {
  readonly ref: ObjectRef
  readonly deletion?: Deletion
  readonly failure?: LadingError
}

function outcomeOf({ ref, deletion, failure }: Requested): SetObject {
  if (failure !== undefined) return { ref, action: 'failed', error: failure }
  if (deletion?.outcome === 'absent') return { ref, action: 'unchanged', reason: alreadyGone }
  if (deletion?.outcome === 'skipped') return { ref, action: 'skipped', reason: deletion.reason }
  return { ref, action: 'deleted' }
}

function metadataOf(live: KubeObject | null | undefined): ObjectMeta | null | undefined {
  return live === null ? null : live?.metadata
}

function deletionError(outcomes: readonly SetObject[]): LadingError {
  const failures = failuresOf(outcomes)
  const causes = outcomes.flatMap((outcome) => (outcome.error === undefined ? [] : [outcome.error]))
  if (causes.every((cause) => isLadingError(cause, 'delete.timeout'))) {
    const waitingFor = causes.flatMap((cause) => cause.details.waitingFor ?? [])
    return new LadingError('delete.timeout', tellFailures(failures), { failures, waitingFor })
  }
  const [first] = causes
  // The caller's own rule refused, in its own words.
  if (first?.code.startsWith('release.') === true && causes.every(({ code }) => code === first.code)) {
    return causes.length === 1 ? first : new LadingError(first.code, tellFailures(failures), { failures })
  }
  return new LadingError('delete.failed', `could not delete ${tellFailures(failures)}`, { failures })
}
