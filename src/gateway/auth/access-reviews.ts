import { type Context, isRecord, LadingError, monotonicNow } from '../../core/index.ts'
import type { Cluster } from '../../kube/index.ts'
import type { Principal } from './principal.ts'

/** Kind of objects, as RBAC names them. */
export interface ReviewedResource {
  readonly group: string
  readonly resource: string
}

/** What a principal may do, asked of the API server and remembered for a few seconds. */
export interface AccessReviews {
  readonly may: (verb: string, resource: ReviewedResource, namespace: string, name?: string) => Promise<boolean>
  /** Throws `kube.forbidden` with the missing right. */
  require(verb: string, resource: ReviewedResource, namespace: string, name?: string): Promise<void>
}

/** How long a decision holds: the longest time that a withdrawn right can still be used for reading. */
const rememberedMs = 5_000
const mostDecisions = 10_000

/** Asks SelfSubjectAccessReviews with the caller's own identity. */
export function createAccessReviews(cluster: Cluster, principal: Principal, ctx: Context): AccessReviews {
  const decisions = new Map<string, { readonly until: number; readonly allowed: Promise<boolean> }>()
  const may: AccessReviews['may'] = (verb, { group, resource }, namespace, name = '') => {
    const { namespaces } = principal
    if (namespaces !== undefined && !namespaces.includes(namespace)) return Promise.resolve(false)
    const key = [verb, group, resource, namespace, name].join('\n')
    const now = monotonicNow(ctx.clock)
    const known = decisions.get(key)
    if (known !== undefined && known.until > now) return known.allowed
    const allowed = review(cluster, { verb, group, resource, namespace, name }, ctx)
    if (decisions.size >= mostDecisions) decisions.clear()
    decisions.set(key, { until: now + rememberedMs, allowed })
    // A question that failed was not answered: it is asked again.
    allowed.catch(() => decisions.delete(key))
    return allowed
  }
  return {
    may,
    async require(verb, resource, namespace, name) {
      if (await may(verb, resource, namespace, name)) return
      const kind = resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`
      const where = namespace === '' ? 'in the whole cluster' : `in the namespace ${namespace}`
      throw new LadingError('kube.forbidden', `${principal.name} may not ${verb} ${kind} ${where}`)
    },
  }
}

async function review(cluster: Cluster, resourceAttributes: Record<string, string>, ctx: Context): Promise<boolean> {
  const { body } = await cluster.transport.request(
    {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes },
      },
      repeatable: true,
    },
    ctx,
  )
  return isRecord(body) && isRecord(body['status']) && body['status']['allowed'] === true
}
