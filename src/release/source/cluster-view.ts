import { type Context, isRecord, LadingError, parseApiVersion } from '../../core/index.ts'
import { type Cluster, getObject, listObjects } from '../../kube/index.ts'

/** What a source may learn of the cluster that it is rendered for. */
export interface ClusterView {
  /** The version of the API server and what it serves: `group/version` and `group/version/Kind`. */
  capabilities(ctx: Context): Promise<{ readonly kubeVersion: string; readonly apiVersions: readonly string[] }>
  /** One object, or without a name the list of all; undefined if it does not exist. */
  lookup(query: LookupQuery, ctx: Context): Promise<object | undefined>
}

/** What a template's `lookup` asks for; an empty name means all, an empty namespace all namespaces. */
export interface LookupQuery {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

/** The view of a live cluster, with the rights of whoever is connected to it. */
export function clusterView(cluster: Cluster): ClusterView {
  return {
    async capabilities(ctx) {
      // Charts decide by it what they render, so it has to be true now: a CRD may have come or gone since the last command.
      cluster.discovery.invalidate()
      const [{ body }, served] = await Promise.all([
        cluster.transport.request({ method: 'GET', path: '/version' }, ctx),
        cluster.discovery.all(ctx),
      ])
      const kubeVersion = isRecord(body) ? body['gitVersion'] : undefined
      if (typeof kubeVersion !== 'string') {
        throw new LadingError('kube.server-error', '/version does not say which version the API server has')
      }
      const apiVersions = served.flatMap(({ group, version, kind }) => {
        const apiVersion = group === '' ? version : `${group}/${version}`
        return [apiVersion, `${apiVersion}/${kind}`]
      })
      return { kubeVersion, apiVersions: [...new Set(apiVersions)] }
    },
    lookup: (query, ctx) => lookup(cluster, query, ctx),
  }
}

async function lookup(
  cluster: Cluster,
  { apiVersion, kind, namespace, name }: LookupQuery,
  ctx: Context,
): Promise<object | undefined> {
  const gvk = { ...parseApiVersion(apiVersion), kind }
  const resource = await cluster.discovery.find(gvk, ctx)
  if (resource === undefined) {
    const problem = `lookup of ${kind} (${apiVersion}): the cluster does not serve this kind`
    throw new LadingError('chart.template', problem, { apiVersion, kind })
  }
  const scope = resource.namespaced && namespace !== '' ? { namespace } : {}
  if (name === '') {
    const { items, resourceVersion } = await listObjects(cluster, { gvk, ...scope }, ctx)
    return { apiVersion, kind: `${kind}List`, metadata: { resourceVersion }, items }
  }
  // As with Helm, which asks for a path that the API server does not have.
  if (resource.namespaced && namespace === '') return undefined
  return await getObject(cluster, { ...gvk, ...scope, name }, ctx)
}
