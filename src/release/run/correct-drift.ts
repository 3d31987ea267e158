import {
  type Context,
  during,
  followDuring,
  followWithinDeadline,
  isLadingError,
  type LadingEvent,
  type ObjectRef,
  type Operation,
  operation,
  type OperationOptions,
} from '../../core/index.ts'
import type { ConflictRule } from '../../kube/index.ts'
import { type DeployOptions, defaultTimeoutMs } from '../deploy-options.ts'
import type { ReleaseEngine } from '../engine.ts'
import { foreignPolicyOf } from '../ownership/foreign-policy.ts'
import { needsHealing, readHistory } from '../record/history.ts'
import { planRollback } from '../plan/plan-operations.ts'
import { apply, type AppliedPlan } from './apply.ts'
import type { ReleaseName } from '../release-name.ts'
import type { Plan, PlanActionType } from '../plan.ts'
import { leftOverOf } from '../plan/plan-prune.ts'
import { drift, type DriftReport } from '../diff/drift.ts'

/** How drift is corrected. */
export type CorrectOptions = Pick<
  DeployOptions,
  'foreignFields' | 'ignoreManagers' | 'defaultIgnores' | 'wait' | 'timeoutMs' | 'concurrency' | 'historyMax'
>

/** What correcting came to. */
export interface Correction {
  /** What was written, and how. */
  readonly corrected: readonly { readonly ref: ObjectRef; readonly action: PlanActionType }[]
  /** The revision that the correction made; absent when there was nothing to correct. */
  readonly revision?: number
  /** What an operation that failed left on the cluster: a correction deletes nothing, the next upgrade does. */
  readonly leftOver: readonly ObjectRef[]
  /** What is found afterwards: orphans and, unless they were to be removed, fields that others added. */
  readonly remaining: DriftReport
}

const pauseMs = 1_000

/**
 * Corrects what a look for drift found: the revision that stands is applied again, over whoever changed its fields, as a new revision and
 * without hooks; nothing is deleted. An operation that holds the release's lock is waited for; what it leaves is then looked at anew, so that a
 * correction never undoes an upgrade.
 */
export function correctDrift(
  engine: ReleaseEngine,
  report: DriftReport,
  { onEvent, ...options }: CorrectOptions & OperationOptions,
  ctx: Context,
): Operation<Correction> {
  const { name, namespace } = report.release
  const what = `correcting drift of release ${namespace}/${name}`
  const work = () =>
    followWithinDeadline(options.timeoutMs ?? defaultTimeoutMs, ctx, (timed) =>
      followDuring(what, timed, correct(engine, report, options, timed)),
    )
  return operation('correctDrift', work, { onEvent })
}

async function* correct(
  engine: ReleaseEngine,
  report: DriftReport,
  options: CorrectOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, Correction> {
  const { release } = report
  for (let found = report; ; found = await drift(engine, release, options, ctx)) {
    if (!isCorrectable(found, options) && !(await wasInterrupted(engine, release, ctx))) {
      return { corrected: [], leftOver: [], remaining: found }
    }
    try {
      const done = yield* applyAgain(engine, found, options, ctx)
      if (done !== undefined) {
        const remaining = await drift(engine, release, options, ctx)
        const revision = done.record?.version
        const leftOver = leftOverOf(done.plan)
        return { corrected: writesOf(done.plan), leftOver, remaining, ...(revision === undefined ? {} : { revision }) }
      }
    } catch (error) {
      if (!isLadingError(error, 'release.locked', 'plan.stale')) throw error
      const message = `waiting to correct drift: ${error.message}`
      yield { type: 'progress', message }
      await during(message, ctx, () => ctx.clock.sleep(pauseMs, ctx.signal))
    }
  }
}

/** Whether a correction would change something: orphans stay, and so do fields of others unless they are to be removed. */
export function isCorrectable({ objects }: DriftReport, { foreignFields }: CorrectOptions): boolean {
  return objects.some(({ drift: found }) => {
    if (found === undefined || found.state === 'none') return false
    return found.state !== 'added' || foreignFields === 'remove'
  })
}

/** Whether an operation is under way or was interrupted: a correction that crashed at its end leaves no drift, but a pending revision. */
async function wasInterrupted(
  { store }: ReleaseEngine,
  { name, namespace }: ReleaseName,
  ctx: Context,
): Promise<boolean> {
  return needsHealing(await store.history(name, namespace, ctx))
}

/** Applies a revision again by a plan, which is refused once something moved; undefined when another revision stands by now. */
async function* applyAgain(
  engine: ReleaseEngine,
  { release, revision }: DriftReport,
  options: CorrectOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, (AppliedPlan & { readonly plan: Plan }) | undefined> {
  const { wait, timeoutMs, concurrency, ...decided } = options
  const description = `Correct drift of revision ${revision}`
  const how = {
    ...decided,
    timeoutMs,
    concurrency,
    conflicts: conflictsOf(options),
    noHooks: true,
    prune: false,
    description,
  }
  // What the plan warns of is told when it is carried out.
  const plan = await planRollback(engine, release, revision, how, ctx)
  const { current, latest } = await readHistory(engine.store, release, ctx)
  if (current?.record.version !== revision || latest?.record.version !== plan.previous) return undefined
  return { ...(yield* apply(engine, plan, { wait, timeoutMs, concurrency }, ctx)), plan }
}

/** Fields are taken from everybody but the usual controllers, which would only take them back. */
function conflictsOf(options: CorrectOptions): ConflictRule[] {
  const theirs = foreignPolicyOf(options).managers.map((manager) => ({ path: '*', manager, take: 'theirs' }) as const)
  return [...theirs, { path: '*', take: 'ours' }]
}

const writes: ReadonlySet<PlanActionType> = new Set<PlanActionType>(['create', 'update', 'replace', 'delete', 'later'])

function writesOf({ actions }: Plan): Correction['corrected'] {
  return actions.flatMap(({ ref, action }) => (writes.has(action) ? [{ ref, action }] : []))
}
