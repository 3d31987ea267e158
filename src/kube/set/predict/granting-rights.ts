import { type Context, isLadingError, isRecord, type KubeObject, stringifyJson } from '../../../core/index.ts'
import type { Cluster } from '../../cluster.ts'

const rbac = 'rbac.authorization.k8s.io'

/**
 * Whether the API server lets us grant what a role or a binding grants, without comparing it to the rights that we have
 * ourselves: it asks for the verbs `escalate` and `bind` before it compares. True for every other object.
 */
export class GrantingRights {
  readonly #cluster: Cluster
  readonly #asked = new Map<string, Promise<boolean>>()

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  async mayGrant(object: KubeObject, ctx: Context): Promise<boolean> {
    if (!object.apiVersion.startsWith(`${rbac}/`)) return true
    const attributes = attributesOf(object)
    const key = stringifyJson(attributes)
    let answer = this.#asked.get(key)
    if (answer === undefined) this.#asked.set(key, (answer = this.#ask(attributes, ctx)))
    return await answer
  }

  async #ask(resourceAttributes: Record<string, unknown>, ctx: Context): Promise<boolean> {
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: { resourceAttributes },
    }
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
    try {
      const { body: review } = await this.#cluster.transport.request(
        { method: 'POST', path, body, repeatable: true },
        ctx,
      )
      const status = isRecord(review) ? review['status'] : undefined
      return isRecord(status) && status['allowed'] === true
    } catch (error) {
      if (isLadingError(error, 'kube.forbidden', 'kube.not-found', 'kube.unknown-kind')) return false
      throw error
    }
  }
}

function attributesOf(object: KubeObject): Record<string, unknown> {
  const { namespace } = object.metadata
  const place = namespace === undefined ? {} : { namespace }
  if (!object.kind.endsWith('Binding')) {
    return { verb: 'escalate', group: rbac, resource: `${object.kind.toLowerCase()}s`, ...place }
  }
  const role = isRecord(object['roleRef']) ? object['roleRef']['kind'] : undefined
  return { verb: 'bind', group: rbac, resource: role === 'ClusterRole' ? 'clusterroles' : 'roles', ...place }
}
