import {
  type Context,
  defined,
  type ErrorCode,
  isLadingError,
  type KubeObject,
  type LadingError,
  type LadingEvent,
  objectId,
  refOf,
  toLadingError,
} from '../../core/index.ts'
import { applyObject, type Cluster, createObject } from '../../kube/index.ts'
import type { Plan, PlannedHook } from '../plan.ts'
import type { HookPhase } from '../record/record.ts'
import { type Refusal, refuseAll } from './refuse-plan.ts'
import { findReplaced, type HookClaim, markHook, replacedBy } from '../hooks/hook-ownership.ts'
import type { Hook } from '../hooks/parse-hook.ts'
import { isRemovedFirst } from '../hooks/run-hooks.ts'

/**
 * Has the server judge the hooks of a plan without running them, so that one that it would refuse is known before anything is
 * written. Gives the plan with what is wrong and what is replaced; what may only be so because of an earlier object is told as a warning.
 */
export async function* dryRunHooks(
  cluster: Cluster,
  hooks: readonly Hook[],
  plan: Plan,
  { takeOwnership = false }: { readonly takeOwnership?: boolean },
  ctx: Context,
): AsyncGenerator<LadingEvent, Plan> {
  const planned = new Set(plan.hooks.map(({ ref }) => objectId(ref)))
  const judged = hooks.filter(({ object }) => planned.has(objectId(refOf(object))))
  const claim = { release: plan.release, takeOwnership }
  const judgements = await Promise.all(judged.map((hook) => dryRunHook(cluster, hook, claim, ctx)))
  const findings = new Map<string, Pick<PlannedHook, 'problem' | 'code' | 'replaces'>>()
  for (const [at, { refusal, replaces }] of judgements.entries()) {
    const ref = refOf(judged[at]!.object)
    const isLasting = refusal !== undefined && lasting.has(refusal.code)
    const problem = isLasting ? { problem: refusal.message, code: refusal.code } : {}
    findings.set(objectId(ref), { ...problem, ...defined({ replaces }) })
    if (refusal !== undefined && !isLasting)
      yield { type: 'warning', ref, message: `the hook may be refused: ${refusal.message}` }
  }
  return { ...plan, hooks: plan.hooks.map((hook) => ({ ...hook, ...findings.get(objectId(hook.ref)) })) }
}

/** Refuses hooks of some phases that would replace what belongs to others, before anything is written. */
export async function refuseForeignHooks(
  cluster: Cluster,
  hooks: readonly Hook[],
  phases: readonly HookPhase[],
  claim: HookClaim,
  ctx: Context,
): Promise<void> {
  const running = hooks.filter((hook) => hook.phases.some((phase) => phases.includes(phase)))
  const refusals = await Promise.all(
    running.map(async ({ object }): Promise<Refusal[]> => {
      const ref = refOf(object)
      const live = await findReplaced(cluster, ref, ctx)
      try {
        if (live !== undefined) replacedBy(object, live.metadata, claim)
        return []
      } catch (error) {
        const { message, code } = toLadingError(error)
        return [{ ref, message, code }]
      }
    }),
  )
  refuseAll(refusals.flat())
}

/** What no object that comes before can change. */
const lasting: ReadonlySet<ErrorCode> = new Set(['kube.invalid', 'kube.bad-request', 'release.not-owned'])

async function dryRunHook(cluster: Cluster, hook: Hook, claim: HookClaim, ctx: Context): Promise<Judgement> {
  const object = markHook(hook.object, claim.release)
  let replaces: string | undefined
  try {
    if ((await cluster.discovery.find(refOf(object), ctx)) === undefined) return {}
    const live = await findReplaced(cluster, refOf(object), ctx)
    if (live !== undefined) replaces = replacedBy(object, live.metadata, claim)
    if (live !== undefined && isRemovedFirst(hook)) {
      await createObject(cluster, renamed(object), { dryRun: true, fieldValidation: 'Strict' }, ctx)
    } else {
      await applyObject(cluster, object, { dryRun: true, conflicts: 'force' }, ctx)
    }
    return defined({ replaces })
  } catch (error) {
    if (ctx.signal.aborted) throw error
    // A namespace or a kind that is yet to come.
    const isYetToCome = isLadingError(error, 'kube.not-found', 'kube.unknown-kind')
    return { ...defined({ replaces }), ...(isYetToCome ? {} : { refusal: toLadingError(error) }) }
  }
}

interface Judgement {
  readonly refusal?: LadingError
  readonly replaces?: string
}

/** What an earlier run left has the name still; most of it could not be changed into the next run. */
function renamed(object: KubeObject): KubeObject {
  const { name, ...metadata } = object.metadata
  return { ...object, metadata: { ...metadata, generateName: `${name}-` } as unknown as KubeObject['metadata'] }
}
