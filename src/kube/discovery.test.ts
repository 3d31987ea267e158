import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Context, context, type GroupVersionKind, LadingError, manualClock } from '../core/index.ts'
import type { Discovery } from './cluster.ts'
import { createDiscovery } from './discovery.ts'
import type { KubeRequest, Transport } from './transport.ts'

const configMap = { group: '', version: 'v1', kind: 'ConfigMap' }
const widget = { group: 'example.com', version: 'v1', kind: 'Widget' }
const hour = 3_600_000

describe('discovery', () => {
  it('reads everything with two requests, and only once for all who ask', async () => {
    const server = fakeServer()
    const discovery = createDiscovery(server.transport)
    const found = await Promise.all(
      [configMap, deployment('v1'), configMap].map((gvk) => discovery.find(gvk, context())),
    )
    expect(found.map((one) => one?.resource)).toEqual(['configmaps', 'deployments', 'configmaps'])
    await discovery.all(context())
    expect(server.paths).toEqual(['/api', '/apis'])
    expect(found[1]).toEqual({
      ...deployment('v1'),
      resource: 'deployments',
      namespaced: true,
      verbs: ['get', 'list'],
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: ['status', 'scale'],
    })
  })

  it('finds a kind without version in the preferred one', async () => {
    const discovery = createDiscovery(fakeServer().transport)
    expect((await discovery.find(deployment(''), context()))?.version).toBe('v1')
    expect((await discovery.find(deployment('v1beta1'), context()))?.version).toBe('v1beta1')
  })

  it('reads again, once, when a kind is unknown', async () => {
    const server = fakeServer()
    const discovery = createDiscovery(server.transport)
    await discovery.all(context())
    expect(await discovery.find(widget, context())).toBeUndefined()
    expect(server.paths).toHaveLength(4)
    server.groups.push(widgets())
    expect((await discovery.find(widget, context()))?.resource).toBe('widgets')
    expect(server.paths).toHaveLength(6)
  })

  it('does not read twice for an unknown kind when nothing had been read before', async () => {
    const server = fakeServer()
    expect(await createDiscovery(server.transport).find(widget, context())).toBeUndefined()
    expect(server.paths).toHaveLength(2)
  })

  it('reads once for many who miss a kind at the same time', async () => {
    const server = fakeServer()
    const discovery = createDiscovery(server.transport)
    await discovery.all(context())
    server.groups.push(widgets())
    await Promise.all(Array.from({ length: 50 }, () => discovery.find(widget, context())))
    expect(server.paths).toHaveLength(4)
  })

  it('does not trust a reading that began before it was invalidated', async () => {
    const server = fakeServer()
    const gate = server.hold()
    const discovery = createDiscovery(server.transport)
    const early = discovery.all(context())
    await gate.reached
    server.groups.push(widgets())
    discovery.invalidate()
    gate.open()
    expect((await discovery.find(widget, context()))?.resource).toBe('widgets')
    await early
  })

  it('goes on for the others when the one that began the reading is cancelled', async () => {
    const server = fakeServer()
    const gate = server.hold()
    const discovery = createDiscovery(server.transport)
    const stop = new AbortController()
    const first = discovery.all(context({ signal: stop.signal }))
    await gate.reached
    const second = discovery.find(configMap, context())
    stop.abort()
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    gate.open()
    expect((await second)?.resource).toBe('configmaps')
  })

  it('lets a caller go whose own signal aborts while another one reads', async () => {
    const server = fakeServer()
    const gate = server.hold()
    const discovery = createDiscovery(server.transport)
    const first = discovery.all(context())
    await gate.reached
    const stop = new AbortController()
    const second = discovery.all(context({ signal: stop.signal }))
    stop.abort()
    await expect(second).rejects.toMatchObject({ code: 'cancelled' })
    gate.open()
    expect(await first).not.toHaveLength(0)
  })

  it('reads again after a failure', async () => {
    const server = fakeServer()
    server.failing.add('/apis')
    const discovery = createDiscovery(server.transport)
    await expect(discovery.all(context())).rejects.toMatchObject({ code: 'kube.server-error' })
    server.failing.clear()
    expect(await discovery.all(context())).not.toHaveLength(0)
  })

  it.each(['APIGroupList', '406'])('reads group by group where it is not aggregated (%s)', async (how) => {
    const aggregated = await createDiscovery(fakeServer().transport).all(context())
    const server = fakeServer(how === '406' ? 'refused' : 'plain')
    expect(await createDiscovery(server.transport).all(context())).toEqual(aggregated)
    expect(server.paths).toContain('/apis/apps/v1')
    expect(server.paths).toContain('/api/v1')
  })

  const forms = ['aggregated', 'plain'] as const
  it.each(forms)('keeps the others working when one API service does not answer (%s)', async (form) => {
    const server = fakeServer(form)
    server.groups.push(widgets())
    const discovery = createDiscovery(server.transport)
    server.silence('example.com')
    expect((await discovery.find(deployment('v1'), context()))?.resource).toBe('deployments')
    // Not "unknown", which would mean that its objects are gone.
    await expect(discovery.find(widget, context())).rejects.toMatchObject({ code: 'kube.server-error' })
    expect(await discovery.find({ ...widget, group: 'other.com' }, context())).toBeUndefined()
  })

  it.each(forms)('remembers what an API service served before it fell silent (%s)', async (form) => {
    const server = fakeServer(form)
    server.groups.push(widgets())
    const discovery = createDiscovery(server.transport)
    await discovery.all(context())
    server.silence('example.com')
    discovery.invalidate()
    expect((await discovery.find(widget, context()))?.resource).toBe('widgets')
  })
})

describe('the disk cache of discovery', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lading-discovery-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it('spares the next process its requests, for six hours', async () => {
    const server = fakeServer()
    const clock = manualClock(1_000_000)
    const ctx = context({ clock })
    const all = await cached(server).all(ctx)
    server.paths.length = 0
    await clock.advance(6 * hour)
    expect(await cached(server).all(ctx)).toEqual(all)
    expect(server.paths).toEqual([])
    await clock.advance(1)
    await cached(server).all(ctx)
    expect(server.paths).toHaveLength(2)
  })

  it('is the owner’s alone, holds no half-written file, and tells nothing of the identity', async () => {
    const server = fakeServer()
    await cached(server).all(context())
    const files = await readdir(directory)
    expect(files).toHaveLength(1)
    const file = join(directory, files[0] ?? '')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(file + (await readFile(file, 'utf8'))).not.toContain('alice')
  })

  it('is apart for each server and each identity', async () => {
    const server = fakeServer()
    await cached(server).all(context())
    for (const other of [{ identity: 'bob' }, { server: 'https://other' }]) {
      server.paths.length = 0
      await createDiscovery({ ...server.transport, ...other }, { cacheDir: directory }).all(context())
      expect(server.paths).toHaveLength(2)
    }
    expect(await readdir(directory)).toHaveLength(3)
  })

  it.each([
    '',
    '{"format":1,',
    '[]',
    '{"format":1,"writtenAt":0,"resources":[{"kind":1}],"stale":[]}',
    '{"format":99}',
  ])('is ignored when it holds %j', async (content) => {
    const server = fakeServer()
    await cached(server).all(context())
    const [file = ''] = await readdir(directory)
    await writeFile(join(directory, file), content)
    server.paths.length = 0
    expect((await cached(server).find(configMap, context()))?.resource).toBe('configmaps')
    expect(server.paths).toHaveLength(2)
  })

  it('is read anew when a kind is unknown, and written for the next process', async () => {
    const server = fakeServer()
    await cached(server).all(context())
    server.groups.push(widgets())
    server.paths.length = 0
    expect((await cached(server).find(widget, context()))?.resource).toBe('widgets')
    expect(server.paths).toHaveLength(2)
    expect((await cached(server).find(widget, context()))?.resource).toBe('widgets')
    expect(server.paths).toHaveLength(2)
  })

  it('is forgotten when discovery is invalidated', async () => {
    const server = fakeServer()
    const first = cached(server)
    await first.all(context())
    first.invalidate()
    expect(await readdir(directory)).toEqual([])
  })

  it('does not keep that an API service was silent', async () => {
    const server = fakeServer()
    server.groups.push(widgets())
    server.silence('example.com')
    await cached(server).all(context())
    server.paths.length = 0
    await cached(server).all(context())
    expect(server.paths).toHaveLength(2)
  })

  it('costs nothing but time when it cannot be written', async () => {
    const server = fakeServer()
    await writeFile(join(directory, 'file'), '')
    const discovery = createDiscovery(server.transport, { cacheDir: join(directory, 'file', 'below') })
    expect((await discovery.find(configMap, context()))?.resource).toBe('configmaps')
  })

  function cached(server: FakeServer): Discovery {
    return createDiscovery(server.transport, { cacheDir: directory })
  }
})

interface Version {
  version: string
  freshness: 'Current' | 'Stale'
  resources: { resource: string; kind: string; subresources: string[]; shortNames: string[]; categories: string[] }[]
}

interface Group {
  name: string
  versions: Version[]
}

type FakeServer = ReturnType<typeof fakeServer>

function fakeServer(form: 'aggregated' | 'plain' | 'refused' = 'aggregated') {
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

function widgets(): Group {
  return { name: 'example.com', versions: [version('v1', 'Widget', 'widgets')] }
}

function deployment(version: string): GroupVersionKind {
  return { group: 'apps', version, kind: 'Deployment' }
}
