import {
  type Context,
  formatRef,
  isLadingError,
  type KubeObject,
  LadingError,
  type LadingEvent,
  type ObjectRef,
  refOf,
  toLadingError,
} from '../../core/index.ts'
import {
  applyObject,
  type Cluster,
  deleteObject,
  getMetadata,
  listObjects,
  readLog,
  waitForReady,
} from '../../kube/index.ts'
import type { ReleaseName } from '../desired.ts'
import { otherOwner } from '../ownership.ts'
import type { HookPhase, HookRun } from '../record.ts'
import { type Hook, hooksOf } from './parse-hook.ts'

/** How the hooks of a phase ended. */
export interface PhaseResult {
  readonly runs: ReadonlyMap<Hook, HookRun>
}

/** Which hooks run, whose they are, and until when they may. */
export interface HookOptions {
  readonly phase: HookPhase
  readonly release: ReleaseName
  readonly deadlineMs: number
}

/** Lines of a hook's log that are kept. */
const logLines = 50

/**
 * Runs the hooks of a phase one after the other: removes what an earlier run left, creates the object, waits until it has run to its
 * end, keeps its log, and cleans up by policy. A hook that fails stops the operation unless its policy says otherwise.
 */
export async function* runHooks(
  cluster: Cluster,
  hooks: readonly Hook[],
  run: HookOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, PhaseResult> {
  const { phase } = run
  const runs = new Map<Hook, HookRun>()
  for (const hook of hooksOf(hooks, phase)) {
    const startedAt = new Date(ctx.clock.now()).toISOString()
    const failure = yield* runHook(cluster, hook, run, ctx)
    const completedAt = new Date(ctx.clock.now()).toISOString()
    runs.set(hook, { phase: failure === undefined ? 'Succeeded' : 'Failed', startedAt, completedAt })
    if (failure === undefined) continue
    if (hook.failurePolicy.type !== 'continue') throw hookError(hook, phase, failure)
    yield {
      type: 'warning',
      ref: refOf(hook.object),
      message: `the hook failed and its policy is to continue: ${failure.message}`,
    }
  }
  return { runs }
}

async function* runHook(
  cluster: Cluster,
  hook: Hook,
  { phase, release, deadlineMs }: HookOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, LadingError | undefined> {
  const ref = refOf(hook.object)
  const live = await lookFor(cluster, ref, ctx)
  const foreign = live === undefined ? undefined : refuseForeign(live, release)
  if (foreign !== undefined) {
    yield { type: 'hook', ref, phase, status: 'failed', message: foreign.message }
    return foreign
  }
  const attempts = hook.failurePolicy.type === 'retry' ? hook.failurePolicy.retries + 1 : 1
  for (let attempt = 1; ; attempt += 1) {
    if (attempt > 1) yield { type: 'hook', ref, phase, status: 'retried', message: `attempt ${attempt} of ${attempts}` }
    else yield { type: 'hook', ref, phase, status: 'started' }
    const failure = await attemptHook(cluster, hook, attempt > 1, deadlineMs, ctx)
    const log = await hookLog(cluster, hook.object, ctx)
    const status = failure === undefined ? 'succeeded' : 'failed'
    yield { type: 'hook', ref, phase, status, ...(failure === undefined ? {} : { message: failure.message }), log }
    const last = failure === undefined || attempt >= attempts
    if (last && hook.deletePolicies.includes(failure === undefined ? 'hook-succeeded' : 'hook-failed')) {
      await deleteObject(cluster, ref, { keep: 'ignore' }, ctx)
      yield { type: 'hook', ref, phase, status: 'deleted' }
    }
    if (last) return failure
  }
}

/** What keeps a hook from running: an object of its name that is a part of another release, and would be replaced. */
export function refuseForeign(live: KubeObject, release: ReleaseName): LadingError | undefined {
  const owner = otherOwner(live, release)
  if (owner === undefined) return undefined
  return new LadingError('release.not-owned', `it would replace what belongs to the release ${owner}`)
}

/** What has the hook's name. Of a kind that is not served nothing can be there; what may not be looked at is left to the server. */
async function lookFor(cluster: Cluster, ref: ObjectRef, ctx: Context): Promise<KubeObject | undefined> {
  try {
    return await getMetadata(cluster, ref, ctx)
  } catch (error) {
    if (isLadingError(error, 'kube.unknown-kind', 'kube.forbidden')) return undefined
    throw error
  }
}

/** Gives the failure of one attempt as data: what it means is up to the hook's policy. */
async function attemptHook(
  cluster: Cluster,
  hook: Hook,
  again: boolean,
  deadlineMs: number,
  ctx: Context,
): Promise<LadingError | undefined> {
  const ref = refOf(hook.object)
  try {
    if (again || isRemovedFirst(hook)) {
      await deleteObject(cluster, ref, { keep: 'ignore', timeoutMs: left(deadlineMs, ctx) }, ctx)
    }
    const { object } = await applyObject(cluster, hook.object, { conflicts: 'force' }, ctx)
    // As in Helm, only what runs to an end is waited for.
    if (runsToAnEnd(ref)) {
      const timeoutMs = Math.min(hook.timeoutMs ?? Infinity, left(deadlineMs, ctx))
      for await (const _ of waitForReady(cluster, [object], { until: 'Completed', timeoutMs, logTailLines: 0 }, ctx)) {
        // The hook's own events tell enough.
      }
    }
    return undefined
  } catch (error) {
    if (ctx.signal.aborted || isLadingError(error, 'cancelled')) throw error
    return toLadingError(error)
  }
}

/** Whether what an earlier run left is removed before the hook runs again. */
export function isRemovedFirst({ object, deletePolicies }: Hook): boolean {
  // Whatever the policy: a Job that ran before would be found complete, or failed, and this run would never happen.
  return runsToAnEnd(refOf(object)) || deletePolicies.includes('before-hook-creation')
}

function left(deadlineMs: number, ctx: Context): number {
  return Math.max(1, deadlineMs - ctx.clock.now())
}

function runsToAnEnd({ group, kind }: ObjectRef): boolean {
  return (kind === 'Job' && group === 'batch') || (kind === 'Pod' && group === '')
}

/** The end of what a hook's pods have written; empty where there is nothing to read. */
async function hookLog(cluster: Cluster, object: KubeObject, ctx: Context): Promise<string[]> {
  const ref = refOf(object)
  if (!runsToAnEnd(ref) || ref.namespace === undefined) return []
  const { namespace } = ref
  try {
    const names = ref.kind === 'Pod' ? [ref.name] : await podsOfJob(cluster, ref.name, namespace, ctx)
    const last = names.at(-1)
    if (last === undefined) return []
    return await Array.fromAsync(readLog(cluster, { namespace, name: last }, { tailLines: logLines }, ctx))
  } catch (error) {
    ctx.log.debug('no log of hook', { hook: formatRef(ref), code: toLadingError(error).code })
    return []
  }
}

async function podsOfJob(cluster: Cluster, job: string, namespace: string, ctx: Context): Promise<string[]> {
  const gvk = { group: '', version: 'v1', kind: 'Pod' }
  const labelSelector = `batch.kubernetes.io/job-name=${job}`
  const { items } = await listObjects(cluster, { gvk, namespace, labelSelector, metadataOnly: true }, ctx)
  const started = (item: KubeObject): string => item.metadata.creationTimestamp ?? ''
  return items.toSorted((a, b) => (started(a) < started(b) ? -1 : 1)).map(({ metadata }) => metadata.name)
}

function hookError(hook: Hook, phase: HookPhase, failure: LadingError): LadingError {
  const ref = refOf(hook.object)
  const rollback = hook.failurePolicy.type === 'rollback'
  const message = `${phase} hook ${formatRef(ref)} failed: ${failure.message}`
  return new LadingError('hook.failed', message, { ref, phase, rollback, ...failure.details }, { cause: failure })
}
