import { type Context, LadingError } from '../../core/index.ts'
import type { KubeRequest, Transport } from '../transport/transport.ts'

/** A kind of Kubernetes. */
export const configMap = { group: '', version: 'v1', kind: 'ConfigMap' }
/** A custom kind. */
export const widget = { group: 'example.com', version: 'v1', kind: 'Widget' }

interface Version {
  version: string
  freshness: 'Current' | 'Stale'
  resources: { resource: string; kind: string; subresources: string[]; shortNames: string[]; categories: string[] }[]
}

interface Group {
  name: string
  versions: Version[]
}

/** A server that answers discovery. */
export type FakeServer = ReturnType<typeof fakeServer>

/** A server whose groups a test changes; it answers in the aggregated form by default. */
export function fakeServer(form: 'aggregated' | 'plain' | 'refused' = 'aggregated') {
  const paths: string[] = []
  const failing = new Set<string>()
  const core: Group = { name: '', versions: [version('v1', 'ConfigMap', 'configmaps')] }
  const workloads = ['v1', 'v1beta1'].map((v) => {
    const only = version(v, 'Deployment', 'deployments')
    Object.assign(only.resources[0] ?? {}, {
      subresources: ['status', 'scale'],
      shortNames: ['deploy'],
      categories: ['all'],
    })
    return only
  })
  const groups: Group[] = [{ name: 'apps', versions: workloads }]
  let held: { arrive: () => void; until: Promise<void> } | undefined
  const answer = async (request: KubeRequest, ctx: Context): Promise<unknown> => {
    const { path } = request
    paths.push(path)
    const aggregated = request.accept?.includes('as=APIGroupDiscoveryList') === true
    if (aggregated && form === 'refused') throw new LadingError('kube.unsupported', 'refused', { status: 406 })
    if (failing.has(path)) throw new LadingError('kube.server-error', 'down', { status: 503 })
    // What the server knows is fixed when the request arrives, not when its answer does.
    const body = structuredClone(aggregated && form === 'aggregated' ? aggregatedBody(path) : plainBody(path))
    if (held !== undefined) {
      held.arrive()
      await Promise.race([held.until, aborted(ctx.signal)])
    }
    return body
  }
  const aggregatedBody = (path: string): unknown => ({
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    items: (path === '/api' ? [core] : groups).map((group) => ({
      metadata: { name: group.name },
      versions: group.versions.map((each) => ({
        ...each,
        resources: each.resources.map(({ kind, subresources, ...rest }) => ({
          ...rest,
          responseKind: { group: '', version: '', kind },
          scope: 'Namespaced',
          verbs: ['get', 'list'],
          subresources: subresources.map((subresource) => ({ subresource })),
        })),
      })),
    })),
  })
  const plainBody = (path: string): unknown => {
    if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] }
    if (path === '/apis') {
      return {
        kind: 'APIGroupList',
        groups: groups.map(({ name, versions }) => {
          const all = versions.map((each) => ({ groupVersion: `${name}/${each.version}`, version: each.version }))
          // Old servers list versions in no useful order.
          return { name, versions: all.toReversed(), preferredVersion: all[0] }
        }),
      }
    }
    const [, , name = '', v] = path.startsWith('/api/') ? ['', '', '', 'v1'] : path.split('/')
    const group = name === '' ? core : groups.find((one) => one.name === name)
    return {
      kind: 'APIResourceList',
      resources: group?.versions.filter((one) => one.version === v).flatMap(plainResources),
    }
  }
  const transport: Transport = {
    server: 'https://server',
    identity: 'alice',
    request: async (request, ctx) => ({ status: 200, headers: {}, body: await answer(request, ctx), warnings: [] }),
    stream: () => Promise.reject(new LadingError('internal', 'discovery opens no stream')),
    close: () => Promise.resolve(),
  }
  return {
    transport,
    paths,
    groups,
    failing,
    /** Holds every answer back until it is opened. */
    hold() {
      const reached = Promise.withResolvers<void>()
      const until = Promise.withResolvers<void>()
      held = { arrive: reached.resolve, until: until.promise }
      return {
        reached: reached.promise,
        open: () => {
          held = undefined
          until.resolve()
        },
      }
    },
    /** Makes the API service of a group stop answering. */
    silence(name: string) {
      const group = groups.find((one) => one.name === name)
      for (const each of group?.versions ?? []) {
        each.freshness = 'Stale'
        each.resources = []
        failing.add(`/apis/${name}/${each.version}`)
      }
    },
  }
}

function plainResources({ resources }: Version): unknown[] {
  return resources.flatMap(({ resource, kind, subresources, ...rest }) => [
    { ...rest, name: resource, kind, namespaced: true, verbs: ['get', 'list'] },
    ...subresources.map((sub) => ({ name: `${resource}/${sub}`, kind: 'Other', namespaced: true, verbs: ['get'] })),
  ])
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new LadingError('cancelled', 'cancelled')), { once: true })
  })
}

function version(name: string, kind: string, resource: string): Version {
  const only = { resource, kind, subresources: [], shortNames: [], categories: [] }
  return { version: name, freshness: 'Current', resources: [only] }
}

/** The group of a custom resource. */
export function widgets(): Group {
  return { name: 'example.com', versions: [version('v1', 'Widget', 'widgets')] }
}
