import { randomBytes } from 'node:crypto'
import { type Context, formatRef, isSecretKind, LadingError, refOf } from '../../core/index.ts'
import { clusterIdentity } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Content } from '../intent.ts'
import type { Plan } from '../plan.ts'
import type { ContentInputs } from '../source/content-inputs.ts'
import { planNamespace } from './plan-cluster.ts'
import { inputsOf } from './plan-inputs.ts'
import type { SavedContent, SavedPlan } from './saved-plan.ts'

/** How long a saved plan can be applied by default: a day. */
const defaultPlanLifetimeMs = 86_400_000

/**
 * Makes a plan one that can be stored and applied later, elsewhere: it gets an identity, names its cluster, and says what it was made from. A source
 * is named, by digest where it came from a registry, and rendered again when the plan is applied. Objects made in code are kept in the
 * plan; with a Secret among them the plan is refused, since whoever reads the plan would read the Secret.
 */
export async function savePlan(
  { cluster }: ReleaseEngine,
  plan: Plan,
  { lifetimeMs = defaultPlanLifetimeMs }: { readonly lifetimeMs?: number },
  ctx: Context,
): Promise<SavedPlan> {
  const inputs = savedInputs(plan)
  return {
    ...plan,
    cluster: await clusterIdentity(cluster, ctx),
    ...(await planNamespace(cluster, plan.release, ctx)),
    nonce: randomBytes(16).toString('hex'),
    expiresAt: new Date(Date.parse(plan.createdAt) + lifetimeMs).toISOString(),
    inputs,
  }
}

function savedInputs(plan: Plan): SavedPlan['inputs'] {
  const inputs = inputsOf(plan)
  if (inputs === undefined) throw withoutInputs(plan, 'saved')
  const { content, options } = inputs
  if (content === undefined) return { options }
  const { renderedFrom } = content
  return renderedFrom === undefined
    ? { made: savedContent(content), options }
    : { content: pinned(renderedFrom, plan), options }
}

/** The refusal of a plan of which nobody knows what it was made from. */
export function withoutInputs({ release }: Plan, what: string): LadingError {
  const { name, namespace } = release
  const problem = `the plan for ${namespace}/${name} cannot be ${what}: it is a copy, which does not know what it was made from`
  return new LadingError('plan.invalid', problem, { name, namespace })
}

/** What a registry gave is named by digest, so that the plan is carried out with exactly that. */
function pinned(content: ContentInputs, { source }: Plan): ContentInputs {
  const isRemote = /^oci:\/\//i.test(content.source)
  return isRemote && source?.origin !== undefined ? { ...content, source: source.origin } : content
}

function savedContent({ objects, source, values, userValues, provenance, notes }: Content): SavedContent {
  const secret = objects.find(isSecretKind)
  if (secret !== undefined) {
    const problem = `the plan cannot be saved: it was made from objects with ${formatRef(refOf(secret))}, and a saved plan holds no Secret; apply it at once, or render the objects from a source`
    throw new LadingError('usage.invalid', problem)
  }
  return { objects, source, values, userValues, provenance, notes }
}
