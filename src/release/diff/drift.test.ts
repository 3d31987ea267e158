import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject, type LadingEvent } from '../../core/index.ts'
import { type Cluster, connect, type Connected, createObject, deleteObject, patchObject } from '../../kube/index.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import type { ReleaseEngine } from '../deploy.ts'
import { type Content, install, upgrade } from '../operations.ts'
import { createMemoryStore } from '../storage/memory-store.ts'
import { diffRelease } from './diff-release.ts'
import { drift } from './drift.ts'

const ctx = context()

describe('a live release', () => {
  let sandbox: Sandbox
  let connected: Connected
  let engine: ReleaseEngine
  let namespace: string
  let counter = 0
  const written: string[] = []

  beforeAll(async () => {
    sandbox = await startSandbox()
    connected = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  })

  afterAll(async () => {
    await connected.close()
    await sandbox.stop()
  })

  beforeEach(async () => {
    counter += 1
    namespace = `d${counter}`
    engine = { cluster: counting(connected, written), store: createMemoryStore() }
    await createObject(connected, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, {}, ctx)
  })

  it('that nobody touched has no drift, defaults of the server included, and finding that out writes nothing', async () => {
    await run(install(engine, content(config('a', '1'), deployment('web', 2)), { wait: true }, ctx))
    written.length = 0
    const report = await drift(engine, release(), ctx)
    expect(report).toMatchObject({ drifted: false, revision: 1 })
    expect(report.objects.map(({ drift: found }) => found?.state)).toEqual(['none', 'none'])
    expect(written).toEqual([])
  })

  it('shows what others changed, removed and deleted, with their names', async () => {
    await run(
      install(engine, content(config('a', '1'), config('b', '1'), config('gone', '1'), deployment('web', 2)), {}, ctx),
    )
    await patch('ConfigMap', 'a', { data: { value: 'theirs', extra: 'x' } })
    await patch('ConfigMap', 'b', { data: { value: null } })
    await patch('Deployment', 'web', { spec: { replicas: 5 } })
    await deleteObject(connected, ref('ConfigMap', 'gone'), {}, ctx)
    const { objects, drifted } = await drift(engine, release(), ctx)
    expect(drifted).toBe(true)
    const byName = new Map(objects.map((object) => [object.ref.name, object.drift]))
    expect(byName.get('a')).toEqual({
      state: 'modified',
      changes: [{ path: '.data.value', before: '1', after: 'theirs', manager: 'somebody', time: expect.any(String) }],
    })
    expect(byName.get('b')?.changes).toMatchObject([{ before: { value: '1' } }])
    expect(byName.get('gone')).toEqual({ state: 'missing', changes: [] })
    expect(byName.get('web')?.changes).toMatchObject([
      { path: '.spec.replicas', before: 2, after: 5, manager: 'somebody' },
    ])
  })

  it('is not drifted by what others add to it and nobody of the release wants', async () => {
    await run(install(engine, content(config('a', '1')), {}, ctx))
    await patch('ConfigMap', 'a', { metadata: { labels: { team: 'x' } }, data: { extra: '1' } })
    expect((await drift(engine, release(), ctx)).drifted).toBe(false)
  })

  it('is compared with something new: our change and their drift are told apart', async () => {
    await run(install(engine, content(config('a', '1'), deployment('web', 2), config('old', '1')), {}, ctx))
    await patch('Deployment', 'web', { spec: { replicas: 5 } })
    const next = content(config('a', '2'), deployment('web', 2, 'image:2'), config('new', '1'))
    const diff = await run(diffRelease(engine, next, ctx))
    expect(diff).toMatchObject({ revision: 1, different: true, drifted: true })
    expect(diff.objects.map(({ ref: { name }, change }) => `${change} ${name}`)).toEqual([
      'modified a',
      'modified web',
      'added new',
      'removed old',
    ])
    expect(diff.objects[0]?.changes).toEqual([{ path: '.data.value', before: '1', after: '2' }])
    const web = diff.objects[1]
    expect(web?.changes).toEqual([
      { path: '.spec.template.spec.containers[name="main"].image', before: 'x', after: 'image:2' },
    ])
    expect(web?.drift?.changes).toMatchObject([{ path: '.spec.replicas', before: 2, after: 5, manager: 'somebody' }])
  })

  it('does not claim as its own change what others made of a field that it no longer sets', async () => {
    await run(install(engine, content(deployment('web', 2)), {}, ctx))
    await patch('Deployment', 'web', { spec: { replicas: 5 } })
    const diff = await run(diffRelease(engine, content(deployment('web', undefined)), ctx))
    expect(diff.objects[0]).toMatchObject({ change: 'unchanged', drift: { state: 'modified' } })
  })

  it('has no difference to itself', async () => {
    await run(install(engine, content(config('a', '1'), deployment('web', 2)), {}, ctx))
    written.length = 0
    expect(await run(diffRelease(engine, content(config('a', '1'), deployment('web', 2)), ctx))).toMatchObject({
      different: false,
      drifted: false,
    })
    expect(written).toEqual([])
  })

  it('that is not there yet is all new', async () => {
    const diff = await run(diffRelease(engine, content(config('a', '1')), ctx))
    expect(diff).not.toHaveProperty('revision')
    expect(diff.objects).toMatchObject([{ change: 'added', changes: [{ path: '.data', after: { value: '1' } }] }])
  })

  it('after a failed upgrade shows what that one left behind', async () => {
    await run(install(engine, content(config('a', '1')), {}, ctx))
    const broken = deployment('web', 1)
    broken.metadata.annotations = { 'lading.dev/failed-when': 'true' }
    await expect(
      run(upgrade(engine, content(config('a', '1'), broken), { wait: true, timeoutMs: 20_000 }, ctx)),
    ).rejects.toMatchObject({
      code: 'release.failed',
    })
    const diff = await run(diffRelease(engine, content(config('a', '1')), ctx))
    expect(diff.objects.map(({ ref: { name }, change }) => `${change} ${name}`)).toEqual(['unchanged a', 'removed web'])
  })

  it('leaves replicas to the autoscaler of the release', async () => {
    await run(install(engine, content(deployment('web', 2), autoscaler('web')), {}, ctx))
    await patch('Deployment', 'web', { spec: { replicas: 5 } })
    expect((await drift(engine, release(), ctx)).objects[0]?.drift).toEqual({ state: 'none', changes: [] })
  })

  function release(): { name: string; namespace: string } {
    return { name: 'shop', namespace }
  }

  function ref(
    kind: string,
    name: string,
  ): { group: string; version: string; kind: string; namespace: string; name: string } {
    return { group: kind === 'Deployment' ? 'apps' : '', version: 'v1', kind, namespace, name }
  }

  async function patch(kind: string, name: string, body: object): Promise<void> {
    await patchObject(connected, ref(kind, name), body, { type: 'merge', fieldManager: 'somebody' }, ctx)
  }

  function content(...objects: KubeObject[]): Content {
    return {
      release: release(),
      objects,
      source: { type: 'manifest', name: 'shop', digest: `sha256:${JSON.stringify(objects)}` },
      values: {},
      provenance: { sources: {} },
    }
  }
})

/** The cluster, with what is written to it, dry runs included. */
function counting(cluster: Cluster, written: string[]): Cluster {
  const { transport, discovery } = cluster
  return {
    discovery,
    transport: {
      server: transport.server,
      identity: transport.identity,
      request: (request, own) => {
        if (request.method !== 'GET') written.push(`${request.method} ${request.path}`)
        return transport.request(request, own)
      },
      stream: (request, own) => transport.stream(request, own),
      close: () => transport.close(),
    },
  }
}

async function run<Result>(operation: AsyncGenerator<LadingEvent, Result>): Promise<Result> {
  for (;;) {
    const next = await operation.next()
    if (next.done === true) return next.value
  }
}

function config(name: string, value: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } }
}

function deployment(name: string, replicas: number | undefined, image = 'x'): KubeObject {
  const labels = { app: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
    },
  }
}

function autoscaler(name: string): KubeObject {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name }
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name },
    spec: { scaleTargetRef, maxReplicas: 9 },
  }
}
