import { beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import type { Cluster } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import { config, deployment } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { diffRelease } from '../plan/diff-release.ts'
import { drift } from './drift.ts'

const ctx = context()

describe('a live release', () => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make({ driver: 'memory' })
  })

  it('that nobody touched has no drift, defaults of the server included, and finding that out writes nothing', async () => {
    await shop.install([config('a', '1'), deployment('web', { replicas: 2 })], { wait: true })
    const written: string[] = []
    const report = await drift(watched(shop, written), shop.release, {}, ctx)
    expect(report).toMatchObject({ drifted: false, revision: 1 })
    expect(report.objects.map(({ drift: found }) => found?.state)).toEqual(['none', 'none'])
    expect(written).toEqual([])
  })

  it('shows what others changed, removed and deleted, with their names', async () => {
    await shop.install([config('a', '1'), config('b', '1'), config('gone', '1'), deployment('web', { replicas: 2 })])
    await shop.patch('a', { data: { value: 'theirs', extra: 'x' } })
    await shop.patch('b', { data: { value: null } })
    await shop.patch('web', { spec: { replicas: 5 } }, 'Deployment', 'apps')
    await shop.remove('gone')
    const { objects, drifted } = await drift(shop.engine, shop.release, {}, ctx)
    expect(drifted).toBe(true)
    const byName = new Map(objects.map((object) => [object.ref.name, object.drift]))
    const by = { manager: 'somebody', time: expect.any(String) as string }
    expect(byName.get('a')).toEqual({
      state: 'modified',
      changes: [{ path: '.data.value', before: '1', after: 'theirs', ...by }],
      added: [{ path: '.data.extra', after: 'x', ...by }],
    })
    expect(byName.get('b')?.changes).toMatchObject([{ before: { value: '1' } }])
    expect(byName.get('gone')).toEqual({ state: 'missing', changes: [], added: [] })
    expect(byName.get('web')?.changes).toMatchObject([
      { path: '.spec.replicas', before: 2, after: 5, manager: 'somebody' },
    ])
  })

  it('is drifted by what others add to it, told apart from changes of what is its own', async () => {
    await shop.install([config('a', '1')])
    await shop.patch('a', { metadata: { labels: { team: 'x' } }, data: { extra: '1' } })
    const { drifted, objects } = await drift(shop.engine, shop.release, {}, ctx)
    expect(drifted).toBe(true)
    const by = { manager: 'somebody', time: expect.any(String) as string }
    expect(objects[0]?.drift).toEqual({
      state: 'added',
      changes: [],
      added: [
        { path: '.data.extra', after: '1', ...by },
        { path: '.metadata.labels', after: { team: 'x' }, ...by },
      ],
    })
  })

  it('is compared with something new: our change and their drift are told apart', async () => {
    await shop.install([config('a', '1'), deployment('web', { replicas: 2 }), config('old', '1')])
    await shop.patch('web', { spec: { replicas: 5 } }, 'Deployment', 'apps')
    const next = shop.content(
      config('a', '2'),
      deployment('web', { replicas: 2, image: 'image:2' }),
      config('new', '1'),
    )
    const diff = await finish(diffRelease(shop.engine, next, {}, ctx))
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
      { path: '.spec.template.spec.containers[name="main"].image', before: 'registry.example/x:1', after: 'image:2' },
    ])
    expect(web?.drift?.changes).toMatchObject([{ path: '.spec.replicas', before: 2, after: 5, manager: 'somebody' }])
  })

  it('does not claim as its own change what others made of a field that it no longer sets', async () => {
    await shop.install([deployment('web', { replicas: 2 })])
    await shop.patch('web', { spec: { replicas: 5 } }, 'Deployment', 'apps')
    const diff = await finish(diffRelease(shop.engine, shop.content(deployment('web')), {}, ctx))
    expect(diff.objects[0]).toMatchObject({ change: 'unchanged', drift: { state: 'modified' } })
  })

  it('has no difference to itself', async () => {
    await shop.install([config('a', '1'), deployment('web', { replicas: 2 })])
    const written: string[] = []
    expect(
      await finish(
        diffRelease(
          watched(shop, written),
          shop.content(config('a', '1'), deployment('web', { replicas: 2 })),
          {},
          ctx,
        ),
      ),
    ).toMatchObject({
      different: false,
      drifted: false,
    })
    expect(written).toEqual([])
  })

  it('that is not there yet is all new', async () => {
    const diff = await finish(diffRelease(shop.engine, shop.content(config('a', '1')), {}, ctx))
    expect(diff).not.toHaveProperty('revision')
    expect(diff.objects).toMatchObject([{ change: 'added', changes: [{ path: '.data', after: { value: '1' } }] }])
  })

  it('after a failed upgrade shows what that one left behind', async () => {
    await shop.install([config('a', '1')])
    const broken = deployment('web', { annotations: { 'lading.dev/failed-when': 'true' } })
    const failing = shop.upgrade([config('a', '1'), broken], { wait: true, timeoutMs: 20_000 })
    await expect(failing).rejects.toMatchObject({ code: 'release.failed' })
    const diff = await finish(diffRelease(shop.engine, shop.content(config('a', '1')), {}, ctx))
    expect(diff.objects.map(({ ref: { name }, change }) => `${change} ${name}`)).toEqual(['unchanged a', 'removed web'])
  })

  it('leaves replicas to the autoscaler of the release', async () => {
    await shop.install([deployment('web', { replicas: 2 }), autoscaler('web')])
    await shop.patch('web', { spec: { replicas: 5 } }, 'Deployment', 'apps')
    expect((await drift(shop.engine, shop.release, {}, ctx)).objects[0]?.drift).toEqual({
      state: 'none',
      changes: [],
      added: [],
    })
  })
})

/** The engine of a release that notes what is written, dry runs included. */
function watched({ engine, cluster: { transport, discovery } }: SandboxRelease, written: string[]): ReleaseEngine {
  const cluster: Cluster = {
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
  return { ...engine, cluster }
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
