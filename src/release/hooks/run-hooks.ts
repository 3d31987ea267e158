import {
  type Context,
  defined,
  type DetailsOf,
  formatRef,
  isLadingError,
  type KubeObject,
  LadingError,
  type LadingEvent,
  type ObjectMeta,
  type ObjectRef,
  refOf,
  timeLeft,
  toLadingError,
} from '../../core/index.ts'
import { applyObject, type Cluster, deleteObject, waitForReady } from '../../kube/index.ts'
import type { HookPhase, HookRun } from '../record/record.ts'
import type { TextMask } from '../record/secret-mask.ts'
import { hookLog, lastWords, runsToAnEnd } from './hook-log.ts'
import { dropOtherMarks, findReplaced, type HookClaim, markHook, replacedBy } from './hook-ownership.ts'
import { type Hook, hooksOf } from './parse-hook.ts'
import { type EndedHook, isRemovable, removeByPolicy } from './remove-hooks.ts'

/** Which hooks run, whose they are, and until when they may. */
export interface HookOptions extends HookClaim {
  readonly phase: HookPhase
  /** On the monotonic scale. */
  readonly deadlineMs: number
  /** Takes how each hook ended, also when one of them fails the phase. */
  readonly runs: Map<Hook, HookRun>
  /** Takes the values of the release's Secrets out of logs and messages. */
  readonly mask: TextMask
  /** How long failures of its pods that may heal by themselves may last (default: a time for each kind of failure). */
  readonly failGraceMs?: number
}

/**
 * Runs the hooks of a phase one after the other: removes what an earlier run left, creates the object, waits until it has run to its
 * end, and keeps its log. A hook that fails stops the operation unless its policy says otherwise. In the end, or after a failure, those that
 * have run are removed by their policies.
 */
export async function* runHooks(
  cluster: Cluster,
  hooks: readonly Hook[],
  run: HookOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, void> {
  const { phase, runs, deadlineMs } = run
  const ended: EndedHook[] = []
  let failed: LadingError | undefined
  for (const hook of hooksOf(hooks, phase)) {
    const startedAt = new Date(ctx.clock.now()).toISOString()
    const { failure, uid, log } = yield* runHook(cluster, hook, run, ctx)
    const completedAt = new Date(ctx.clock.now()).toISOString()
    runs.set(hook, { phase: failure === undefined ? 'Succeeded' : 'Failed', startedAt, completedAt })
    if (uid !== undefined) ended.push({ hook, outcome: failure === undefined ? 'succeeded' : 'failed', uid })
    if (failure === undefined) continue
    failed = isInterrupted(failure, ctx) ? interrupted(hook, phase, failure, log) : hookError(hook, phase, failure, log)
    if (endsPhase(hook, failure, ctx)) break
    failed = undefined
    yield {
      type: 'warning',
      ref: refOf(hook.object),
      message: `the hook failed and its policy is to continue: ${failure.message}`,
    }
  }
  yield* removeByPolicy(cluster, ended, { phase, deadlineMs, failed: failed !== undefined }, ctx)
  if (failed !== undefined) throw failed
}

/** How a hook ended: the object that it ran as, where it came so far, and what it wrote. */
interface HookEnd {
  readonly failure?: LadingError
  readonly uid?: string
  readonly log: readonly string[]
}

async function* runHook(
  cluster: Cluster,
  hook: Hook,
  { phase, ...how }: HookOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, HookEnd> {
  const ref = refOf(hook.object)
  const refusal = await refusalOf(cluster, hook, how, ctx)
  if (refusal !== undefined) {
    yield { type: 'hook', ref, phase, status: 'failed', message: refusal.message }
    return { failure: refusal, log: [] }
  }
  const attempts = hook.failurePolicy.type === 'retry' ? hook.failurePolicy.retries + 1 : 1
  for (let attempt = 1; ; attempt += 1) {
    if (attempt > 1) yield { type: 'hook', ref, phase, status: 'retried', message: `attempt ${attempt} of ${attempts}` }
    else yield { type: 'hook', ref, phase, status: 'started' }
    const { failure, object } = await attemptHook(cluster, hook, attempt > 1, how, ctx)
    // Before anything is removed: with the hook its log goes.
    const log = object === undefined ? [] : await hookLog(cluster, object, how.mask, ctx)
    const { uid } = object?.metadata ?? {}
    const end = { log, ...(uid === undefined ? {} : { uid }) }
    if (failure === undefined) {
      yield { type: 'hook', ref, phase, status: 'succeeded', log }
      return end
    }
    const last = attempt >= attempts || isInterrupted(failure, ctx)
    // The report of the tests tells of every one that failed.
    const fatal = last && (phase === 'test' || endsPhase(hook, failure, ctx))
    yield { type: 'hook', ref, phase, status: 'failed', message: failure.message, log, ...(fatal ? { fatal } : {}) }
    if (last) return { ...end, failure }
  }
}

function endsPhase(hook: Hook, failure: LadingError, ctx: Context): boolean {
  return hook.failurePolicy.type !== 'continue' || isInterrupted(failure, ctx)
}

/** Whether it was the operation that was stopped, so that no policy of a hook matters any more. */
function isInterrupted(failure: LadingError, ctx: Context): boolean {
  return ctx.signal.aborted || isLadingError(failure, 'cancelled', 'timeout')
}

/** What keeps a hook from running: an object of its name that it may not replace. */
async function refusalOf(
  cluster: Cluster,
  { object }: Hook,
  claim: HookClaim,
  ctx: Context,
): Promise<LadingError | undefined> {
  try {
    const live = await findReplaced(cluster, refOf(object), ctx)
    if (live !== undefined) replacedBy(object, live.metadata, claim)
    return undefined
  } catch (error) {
    return toLadingError(error)
  }
}

/** Gives the failure of one attempt as data, with the object as far as there is one: what it means is up to the hook's policy. */
async function attemptHook(
  cluster: Cluster,
  hook: Hook,
  again: boolean,
  { deadlineMs, failGraceMs, mask, ...claim }: HookClaim & Pick<HookOptions, 'deadlineMs' | 'failGraceMs' | 'mask'>,
  ctx: Context,
): Promise<{ readonly failure?: LadingError; readonly object?: KubeObject }> {
  const ref = refOf(hook.object)
  let created: { readonly object?: KubeObject } = {}
  try {
    const isFree = await makeRoom(cluster, hook, again, { ...claim, deadlineMs }, ctx)
    // Where nothing was, a conflict means that somebody else has just created it.
    const conflicts = isFree ? 'fail' : 'force'
    const { object } = await applyObject(cluster, markHook(hook.object, claim.release), { conflicts }, ctx)
    created = { object }
    // As in Helm, only what runs to an end is waited for.
    if (runsToAnEnd(ref)) {
      const timeoutMs = Math.min(hook.timeoutMs ?? Infinity, timeLeft(deadlineMs, ctx))
      const limits = { until: 'Completed', timeoutMs, mask, logTailLines: 0, ...defined({ failGraceMs }) } as const
      for await (const _ of waitForReady(cluster, [object], limits, ctx)) {
        // The hook's own events tell enough.
      }
    }
    return created
  } catch (error) {
    return { ...created, failure: toLadingError(error) }
  }
}

/** Removes what has the hook's name, or takes it over, as far as the hook may; says whether the name is free then. */
async function makeRoom(
  cluster: Cluster,
  hook: Hook,
  again: boolean,
  { deadlineMs, ...claim }: HookClaim & Pick<HookOptions, 'deadlineMs'>,
  ctx: Context,
): Promise<boolean> {
  const ref = refOf(hook.object)
  const live = await findReplaced(cluster, ref, ctx)
  if (live === undefined) return true
  replacedBy(hook.object, live.metadata, claim)
  if (!isRemovedFirst(hook) && !(again && isRemovable(ref))) {
    await dropOtherMarks(cluster, ref, live.metadata, claim.release, ctx)
    return false
  }
  // Asked again for the very version that is deleted: it may have become another's since.
  const spare = async (_: ObjectRef, now: ObjectMeta): Promise<undefined> => void replacedBy(hook.object, now, claim)
  await deleteObject(cluster, ref, { keep: 'ignore', spare, timeoutMs: timeLeft(deadlineMs, ctx) }, ctx)
  return true
}

/** Whether what an earlier run left is removed before the hook runs again. */
export function isRemovedFirst({ object, deletePolicies }: Hook): boolean {
  if (!isRemovable(refOf(object))) return false
  // Whatever the policy: a Job that ran before would be found complete, or failed, and this run would never happen.
  return runsToAnEnd(refOf(object)) || deletePolicies.includes('before-hook-creation')
}

function hookError(hook: Hook, phase: HookPhase, failure: LadingError, log: readonly string[]): LadingError {
  const ref = refOf(hook.object)
  const rollback = hook.failurePolicy.type === 'rollback'
  const last = lastWords(log)
  const said = last === undefined ? '' : `; its log ends with: ${last}`
  const message = `${phase} hook ${formatRef(ref)} failed: ${withoutName(ref, failure.message)}${said}`
  return new LadingError(
    'hook.failed',
    message,
    { ref, phase, rollback, ...(failure.details as DetailsOf<'hook.failed'>), ...logOf(log) },
    { cause: failure },
  )
}

/** What is wrong, without the name that the sentence around it says. */
function withoutName(ref: ObjectRef, message: string): string {
  const name = formatRef(ref)
  if (message.startsWith(`${name} failed: `)) return message.slice(`${name} failed: `.length)
  return message.startsWith(`${name} `) ? `it ${message.slice(name.length + 1)}` : message
}

function interrupted(hook: Hook, phase: HookPhase, failure: LadingError, log: readonly string[]): LadingError {
  const { code, message, details } = failure
  return new LadingError(
    code,
    message,
    { ...details, ref: refOf(hook.object), phase, ...logOf(log) },
    { cause: failure },
  )
}

function logOf(log: readonly string[]): { log?: readonly string[] } {
  return log.length === 0 ? {} : { log }
}
