import {
  type Context,
  type ErrorCode,
  isLadingError,
  type KubeObject,
  type LadingError,
  type LadingEvent,
  objectId,
  refOf,
  toLadingError,
} from '../../core/index.ts'
import { applyObject, type Cluster, createObject, getMetadata } from '../../kube/index.ts'
import type { ReleaseName } from '../desired.ts'
import type { Plan } from '../plan.ts'
import type { Hook } from './parse-hook.ts'
import { isRemovedFirst, refuseForeign } from './run-hooks.ts'

/**
 * Has the server judge the hooks of a plan without running them, so that one that it would refuse is known before anything is
 * written. Gives the plan with what is wrong; what may only be so because of an earlier object is told as a warning.
 */
export async function* rehearseHooks(
  cluster: Cluster,
  hooks: readonly Hook[],
  plan: Plan,
  ctx: Context,
): AsyncGenerator<LadingEvent, Plan> {
  const planned = new Set(plan.hooks.map(({ ref }) => objectId(ref)))
  const judged = hooks.filter(({ object }) => planned.has(objectId(refOf(object))))
  const refusals = await Promise.all(judged.map((hook) => rehearse(cluster, hook, plan.release, ctx)))
  const problems = new Map<string, string>()
  for (const [at, refusal] of refusals.entries()) {
    const ref = refOf(judged[at]!.object)
    if (refusal === undefined) continue
    if (lasting.has(refusal.code)) problems.set(objectId(ref), refusal.message)
    else yield { type: 'warning', ref, message: `the hook may be refused: ${refusal.message}` }
  }
  return {
    ...plan,
    hooks: plan.hooks.map((hook) => {
      const problem = problems.get(objectId(hook.ref))
      return problem === undefined ? hook : { ...hook, problem }
    }),
  }
}

/** What no object that comes before can change. */
const lasting: ReadonlySet<ErrorCode> = new Set(['kube.invalid', 'kube.bad-request', 'release.not-owned'])

async function rehearse(
  cluster: Cluster,
  hook: Hook,
  release: ReleaseName,
  ctx: Context,
): Promise<LadingError | undefined> {
  const { object } = hook
  try {
    if ((await cluster.discovery.find(refOf(object), ctx)) === undefined) return undefined
    const live = await getMetadata(cluster, refOf(object), ctx)
    const foreign = live === undefined ? undefined : refuseForeign(live, release)
    if (foreign !== undefined) return foreign
    if (live !== undefined && isRemovedFirst(hook)) {
      await createObject(cluster, renamed(object), { dryRun: true, fieldValidation: 'Strict' }, ctx)
    } else {
      await applyObject(cluster, object, { dryRun: true, conflicts: 'force' }, ctx)
    }
    return undefined
  } catch (error) {
    if (ctx.signal.aborted) throw error
    // A namespace or a kind that is yet to come.
    return isLadingError(error, 'kube.not-found', 'kube.unknown-kind') ? undefined : toLadingError(error)
  }
}

/** What an earlier run left has the name still; most of it could not be changed into the next run. */
function renamed(object: KubeObject): KubeObject {
  const { name, ...metadata } = object.metadata
  return { ...object, metadata: { ...metadata, generateName: `${name}-` } as unknown as KubeObject['metadata'] }
}
