import { gvkOf, isRecord, type KubeObject, LadingError } from '../../core/index.ts'
import type { ApiResource, Cluster } from '../cluster.ts'
import { collectionPath } from '../discovery/paths.ts'
import type { KubeRequest, KubeResponse } from '../transport/transport.ts'

/** A few kinds kept in memory: enough of an API server to see which requests are sent in which order. */
export interface MemoryCluster extends Cluster {
  /** Every request, as `METHOD path`, dry-runs marked. */
  readonly requests: readonly string[]
  /** What is stored, by path. */
  readonly stored: ReadonlyMap<string, KubeObject>
  put(object: KubeObject): KubeObject
}

/** Runs before a request is served; what it throws is the answer. */
export type Interception = (request: KubeRequest, signal: AbortSignal) => Promise<void> | void

/** A cluster that serves the kinds of `served`. */
export function memoryCluster(intercept: Interception = () => undefined): MemoryCluster {
  const stored = new Map<string, KubeObject>()
  const requests: string[] = []
  let version = 0

  const put = (object: KubeObject): KubeObject => {
    const path = pathOf(object)
    const { uid = `uid-${++version}` } = stored.get(path)?.metadata ?? {}
    const kept = { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(++version) } }
    stored.set(path, kept)
    return kept
  }
  const verbs = {
    GET: ({ path }: KubeRequest) => {
      if (served.some((resource) => path.endsWith(`/${resource.resource}`))) {
        const items = [...stored].filter(([key]) => key.slice(0, key.lastIndexOf('/')) === path).map(([, item]) => item)
        return answer(200, { metadata: { resourceVersion: String(version) }, items })
      }
      return answer(200, existing(path))
    },
    PATCH: ({ path, body, query }: KubeRequest) => {
      const before = stored.get(path)
      const object = body as KubeObject
      if (query?.['dryRun'] !== undefined)
        return answer(before ? 200 : 201, {
          ...before,
          ...object,
          metadata: { ...before?.metadata, ...object.metadata },
        })
      if (before !== undefined && JSON.stringify(before['data']) === JSON.stringify(object['data']))
        return answer(200, before)
      return answer(before ? 200 : 201, put(object))
    },
    DELETE: ({ path, body }: KubeRequest) => {
      const { metadata } = existing(path)
      const wanted = isRecord(body) && isRecord(body['preconditions']) ? body['preconditions'] : {}
      const matches = (field: 'uid' | 'resourceVersion'): boolean =>
        wanted[field] === undefined || wanted[field] === metadata[field]
      if (!matches('uid') || !matches('resourceVersion')) throw new LadingError('kube.conflict', 'precondition failed')
      stored.delete(path)
      return answer(200, { kind: 'Status', status: 'Success' })
    },
  }
  const existing = (path: string): KubeObject => {
    const object = stored.get(path)
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (object === undefined) throw new LadingError('kube.not-found', `${name} not found`, { name })
    return object
  }

  return {
    requests,
    stored,
    put,
    discovery: {
      find: async ({ group, version: v, kind }) =>
        served.find((each) => each.group === group && each.kind === kind && (v === '' || each.version === v)),
      all: async () => served,
      invalidate: () => undefined,
    },
    transport: {
      server: 'memory://',
      identity: 'test',
      request: async (request, ctx) => {
        requests.push(`${request.method}${request.query?.['dryRun'] === undefined ? '' : '?dryRun'} ${request.path}`)
        await intercept(request, ctx.signal)
        if (request.method === 'POST' || request.method === 'PUT')
          throw new LadingError('kube.unsupported', 'no such verb')
        return verbs[request.method](request)
      },
      stream: () => Promise.reject(new LadingError('kube.unsupported', 'nothing to watch here')),
      close: async () => undefined,
    },
  }
}

/** The path of an object of a served kind. */
export function pathOf(object: KubeObject): string {
  const { group, kind } = gvkOf(object)
  const resource = served.find((each) => each.group === group && each.kind === kind)
  if (resource === undefined) throw new Error(`${kind} is not served`)
  return `${collectionPath(resource, object.metadata.namespace)}/${object.metadata.name}`
}

const served: readonly ApiResource[] = [
  resourceOf('', 'ConfigMap', 'configmaps', true),
  resourceOf('', 'Namespace', 'namespaces', false),
  resourceOf('apps', 'Deployment', 'deployments', true),
]

function resourceOf(group: string, kind: string, resource: string, namespaced: boolean): ApiResource {
  return {
    group,
    version: 'v1',
    kind,
    resource,
    namespaced,
    verbs: ['get'],
    shortNames: [],
    categories: [],
    subresources: [],
  }
}

function answer(status: number, body: unknown): KubeResponse {
  return { status, headers: {}, body, warnings: [] }
}
