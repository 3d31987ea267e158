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
import { applyObject, type Cluster, deleteObject, listObjects, readLog, waitForReady } from '../../kube/index.ts'
import type { HookPhase, HookRun } from '../record.ts'
import { type Hook, hooksOf } from './parse-hook.ts'

/** How the hooks of a phase ended. */
export interface PhaseResult {
  readonly runs: ReadonlyMap<Hook, HookRun>
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
  phase: HookPhase,
  deadlineMs: number,
  ctx: Context,
): AsyncGenerator<LadingEvent, PhaseResult> {
  const runs = new Map<Hook, HookRun>()
  for (const hook of hooksOf(hooks, phase)) {
    const startedAt = new Date(ctx.clock.now()).toISOString()
    const failure = yield* runHook(cluster, hook, phase, deadlineMs, ctx)
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
  phase: HookPhase,
  deadlineMs: number,
  ctx: Context,
): AsyncGenerator<LadingEvent, LadingError | undefined> {
  const ref = refOf(hook.object)
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
