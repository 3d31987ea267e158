import { isRecord, type KubeObject, LadingError, type ObjectRef, refOf } from '../../core/index.ts'
import type { ApiResource, Cluster } from '../cluster.ts'
import { collectionPath, objectPath } from '../discovery/paths.ts'
import type { KubeRequest, KubeStream } from '../transport/transport.ts'

/** A cluster in memory that can be listed and watched, whose every object is written by the test. */
export interface WatchedCluster extends Cluster {
  /** Every request, as `GET path?selectors`, watches as `WATCH`. */
  readonly requests: readonly string[]
  /** Stores an object and tells the watches. */
  put(object: KubeObject): KubeObject
  remove(object: KubeObject): void
  /** What the log of a container says, by `pod/container` or `pod/container/previous`. */
  readonly logs: Map<string, string>
  /** Paths that are refused. */
  readonly forbidden: Set<string>
  /** Answers to paths that are no objects. */
  readonly documents: Map<string, unknown>
}

/** Serves the given kinds, each as `group/version/Kind/plural`, with a star after kinds without namespaces. */
export function watchedCluster(...kinds: readonly string[]): WatchedCluster {
  const resources = kinds.map(resourceOf)
  const stored = new Map<string, KubeObject>()
  const requests: string[] = []
  const watches = new Set<(type: string, object: KubeObject) => void>()
  const history: { readonly type: string; readonly object: KubeObject }[] = []
  const logs = new Map<string, string>()
  const forbidden = new Set<string>()
  const documents = new Map<string, unknown>()
  let version = 0

  const find = ({ group, kind }: Pick<ObjectRef, 'group' | 'kind'>): ApiResource | undefined =>
    resources.find((each) => each.group === group && each.kind === kind)
  const pathOf = (object: KubeObject): string => {
    const resource = find(refOf(object))
    if (resource === undefined) throw new Error(`${object.kind} is not served`)
    return objectPath(resource, refOf(object))
  }
  const admit = (method: string, { path, query }: KubeRequest): void => {
    const selectors = [query?.['fieldSelector'], query?.['labelSelector']].filter((one) => one !== undefined)
    requests.push(`${method} ${path}${selectors.length > 0 ? `?${selectors.join('&')}` : ''}`)
    if (forbidden.has(path)) throw new LadingError('kube.forbidden', `no right to read ${path}`)
  }
  const record = (type: string, object: KubeObject): void => {
    history.push({ type, object })
    for (const tell of watches) tell(type, object)
  }
  const inCollection = (request: KubeRequest, object: KubeObject): boolean => {
    const path = pathOf(object)
    return path.slice(0, path.lastIndexOf('/')) === request.path && matches(request, object)
  }

  return {
    requests,
    logs,
    forbidden,
    documents,
    put(object) {
      const path = pathOf(object)
      const before = stored.get(path)
      const {
        uid = before?.metadata.uid ?? `uid-${object.metadata.name}`,
        creationTimestamp = '2026-01-01T00:00:00Z',
      } = object.metadata
      const metadata = { ...object.metadata, uid, creationTimestamp, resourceVersion: String(++version) }
      const kept: KubeObject = { ...object, metadata }
      stored.set(path, kept)
      record(before === undefined ? 'ADDED' : 'MODIFIED', kept)
      return kept
    },
    remove(object) {
      const path = pathOf(object)
      const before = stored.get(path)
      if (before === undefined || !stored.delete(path)) throw new Error(`${path} does not exist`)
      record('DELETED', { ...before, metadata: { ...before.metadata, resourceVersion: String(++version) } })
    },
    discovery: { find: async (gvk) => find(gvk), all: async () => resources, invalidate: () => undefined },
    transport: {
      server: 'memory://',
      identity: 'test',
      request: async (request, { signal }) => {
        signal.throwIfAborted()
        admit('GET', request)
        const object = stored.get(request.path) ?? documents.get(request.path)
        if (object !== undefined) return { status: 200, headers: {}, body: object, warnings: [] }
        if (!isCollection(resources, request.path)) throw new LadingError('kube.not-found', `no ${request.path}`)
        const items = [...stored.values()].filter((each) => inCollection(request, each))
        const body = { metadata: { resourceVersion: String(version) }, items }
        return { status: 200, headers: {}, body, warnings: [] }
      },
      stream: async (request, { signal }) => {
        signal.throwIfAborted()
        if (request.query?.['watch'] !== true) return logStream(request, logs, admit)
        admit('WATCH', request)
        return openStream(signal, (send) => {
          const tell = (type: string, object: KubeObject): void => {
            if (inCollection(request, object)) send(`${JSON.stringify({ type, object })}\n`)
          }
          const since = Number(request.query?.['resourceVersion'])
          for (const { type, object } of history)
            if (Number(object.metadata.resourceVersion) > since) tell(type, object)
          watches.add(tell)
          return () => watches.delete(tell)
        })
      },
      close: async () => undefined,
    },
  }
}

function resourceOf(kind: string): ApiResource {
  const [group = '', version = '', name = '', plural = ''] = kind.split('/')
  const namespaced = !plural.endsWith('*')
  const facts = { verbs: ['get', 'list', 'watch'], shortNames: [], categories: [], subresources: ['status'] }
  return { group, version, kind: name, resource: plural.replace('*', ''), namespaced, ...facts }
}

function isCollection(resources: readonly ApiResource[], path: string): boolean {
  return resources.some(
    (resource) => path.startsWith(collectionPath(resource).slice(0, 5)) && path.endsWith(`/${resource.resource}`),
  )
}

function matches({ query }: KubeRequest, object: KubeObject): boolean {
  const fields = String(query?.['fieldSelector'] ?? '')
    .split(',')
    .filter(Boolean)
  const involved = isRecord(object['involvedObject']) ? object['involvedObject']['uid'] : undefined
  const fits = fields.every((field) => {
    const [path, value] = field.split('=')
    return value === (path === 'involvedObject.uid' ? involved : object.metadata.name)
  })
  const labels = String(query?.['labelSelector'] ?? '')
    .split(',')
    .filter(Boolean)
  return fits && labels.every((label) => object.metadata.labels?.[label.split('=')[0] ?? ''] === label.split('=')[1])
}

function logStream(
  request: KubeRequest,
  logs: ReadonlyMap<string, string>,
  admit: (method: string, request: KubeRequest) => void,
): KubeStream {
  admit('LOG', request)
  const pod = request.path.split('/').at(-2)
  const { container, previous, tailLines } = request.query ?? {}
  const text = logs.get(`${pod}/${String(container)}${previous === true ? '/previous' : ''}`)
  if (text === undefined) throw new LadingError('kube.bad-request', 'there is no such log')
  const tail = text.split('\n').slice(-Number(tailLines)).join('\n')
  return {
    async *[Symbol.asyncIterator]() {
      yield new TextEncoder().encode(tail)
    },
    close: () => undefined,
  }
}

/** A stream that stays open until it is closed or aborted. */
function openStream(signal: AbortSignal, begin: (send: (text: string) => void) => () => void): KubeStream {
  const chunks: Uint8Array[] = []
  let wake = (): void => undefined
  let open = true
  const end = begin((text) => {
    chunks.push(new TextEncoder().encode(text))
    wake()
  })
  const close = (): void => {
    open = false
    end()
    wake()
  }
  signal.addEventListener('abort', close, { once: true })
  return {
    close,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* chunks.splice(0)
        if (!open) break
        if (chunks.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      }
      signal.throwIfAborted()
    },
  }
}
