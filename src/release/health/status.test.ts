import { beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject, manualClock } from '../../core/index.ts'
import { waitForReady } from '../../kube/index.ts'
import { install } from '../run/operations.ts'
import { manifestOf, hookManifestOf, valuesOf } from '../record/show-record.ts'
import { status } from './status.ts'
import { config, deployment, hook, promisingCrd } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { testRelease } from '../run/test-release.ts'

const ctx = context()

describe('a release', () => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make({ driver: 'memory' })
  })

  it('that is well says so, with the replicas of its workloads and the runs of its hooks', async () => {
    const migrate = hook('migrate', 'pre-install', { kind: 'Pod' })
    const content = shop.content(config('a', '1'), deployment('web', { replicas: 2 }), migrate)
    await finish(install(shop.engine, { ...content, notes: 'welcome' }, { wait: true }, ctx))
    const report = await status(shop.engine, shop.release, {}, ctx)
    expect(report.health.state).toBe('healthy')
    expect(report.health.objects).toMatchObject([
      { ref: { name: 'a' }, state: 'healthy' },
      { ref: { name: 'web' }, state: 'healthy', ready: 2, desired: 2 },
    ])
    expect(report).toMatchObject({ notes: 'welcome', record: { version: 1 } })
    expect(report.hooks).toMatchObject([
      { ref: { name: 'migrate' }, phases: ['pre-install'], lastRun: { phase: 'Succeeded' } },
    ])
  })

  it('whose object is gone is degraded', async () => {
    await shop.install([config('a', '1'), config('b', '1')])
    await shop.remove('a')
    expect((await status(shop.engine, shop.release, {}, ctx)).health).toMatchObject({
      state: 'degraded',
      objects: [{ state: 'degraded', message: 'does not exist' }, { state: 'healthy' }],
    })
  })

  it('whose pods crash has failed, and names the pod', async () => {
    await shop.install([deployment('web', { replicas: 1, simulate: { '': 'crash-loop' } })])
    const ref = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: shop.namespace, name: 'web' }
    const waiting = waitForReady(shop.cluster, [ref], { timeoutMs: 120_000, diagnose: false }, ctx)
    await expect(finish(waiting)).rejects.toThrow('CrashLoop')
    const { health } = await status(shop.engine, shop.release, {}, ctx)
    expect(health).toMatchObject({ state: 'failed', objects: [{ ready: 0, desired: 1 }] })
    expect(health.objects[0]?.message).toMatch(/^pod web-.*CrashLoopBackOff/)
  })

  it('is judged by the rules of the caller', async () => {
    await shop.install([config('a', '1')])
    const rules = [{ kind: 'ConfigMap', current: 'false', failed: 'metadata.name == "a"' }]
    expect((await status(shop.engine, shop.release, { rules }, ctx)).health.state).toBe('failed')
  })

  describe('with a custom resource that nobody reports on', () => {
    const route: KubeObject = { apiVersion: 'silent.example/v1', kind: 'Shop', metadata: { name: 'route' }, spec: {} }
    const stateAt = async (seconds: number): Promise<unknown> => {
      const clock = manualClock(Date.now() + seconds * 1000)
      const { health } = await status(shop.engine, shop.release, {}, context({ clock }))
      return health.objects.find(({ ref }) => ref.name === 'route')
    }

    it('is as ready for status as for a wait', async () => {
      await shop.install([promisingCrd('silent.example'), route], { wait: true, statusGraceMs: 1 })
      expect(await stateAt(-600)).toMatchObject({
        state: 'progressing',
        message: 'its controller has not written a status yet',
      })
      expect(await stateAt(600)).toMatchObject({
        state: 'healthy',
        message: 'no controller has written a status in 10 s: it counts as ready',
      })
    })
  })

  it('that is not there has no status', async () => {
    await expect(status(shop.engine, shop.release, {}, ctx)).rejects.toMatchObject({ code: 'release.not-found' })
  })

  it('is tested: what ran is on record, and the revision stands as it was', async () => {
    const objects = [config('a', '1'), hook('probe', 'test', { kind: 'Pod' })]
    const { record: before } = await shop.install(objects)
    const { events, ...report } = await finish(testRelease(shop.engine, shop.release, {}, ctx))
    expect(report).toMatchObject({ revision: 1, passed: true, tests: [{ ref: { name: 'probe' }, result: 'passed' }] })
    expect(events.flatMap((event) => (event.type === 'hook' ? [event.status] : []))).toEqual(['started', 'succeeded'])
    const { record, hooks } = await status(shop.engine, shop.release, {}, ctx)
    expect(hooks[0]?.lastRun).toMatchObject({ phase: 'Succeeded' })
    expect({ ...record, hooks: [] }).toEqual({ ...before, hooks: [] })
    // The tests changed nothing that an upgrade would have to repair.
    expect((await shop.upgrade(objects)).outcome).toBe('unchanged')
  })

  it('whose test fails is told so, with the rest skipped and the failure on record', async () => {
    const weighing = (weight: string): Record<string, string> => ({ 'sherpack.io/hook-weight': weight })
    const simulate = { '': 'exit-code' }
    const bad = hook('bad', 'test', { kind: 'Pod', annotations: weighing('1'), simulate })
    const later = hook('later', 'test-success', { kind: 'Pod', annotations: weighing('2') })
    await shop.install([config('a', '1'), later, bad])
    const report = await finish(testRelease(shop.engine, shop.release, { timeoutMs: 120_000 }, ctx))
    expect(report.passed).toBe(false)
    expect(report.tests.map(({ ref, result }) => `${ref.name} ${result}`)).toEqual(['bad failed', 'later skipped'])
    expect(report.tests[0]?.message).not.toBe(undefined)
    const { hooks, record } = await status(shop.engine, shop.release, {}, ctx)
    expect(hooks.find(({ ref }) => ref.name === 'bad')?.lastRun?.phase).toBe('Failed')
    expect(hooks.find(({ ref }) => ref.name === 'later')).not.toHaveProperty('lastRun')
    expect(record.state).toEqual({ status: 'deployed' })
  })

  it('is shown without the values of its Secrets, unless they are asked for', async () => {
    const secret = (name: string, annotations = {}): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, annotations },
      stringData: { password: 'hunter2' },
    })
    const own = {
      ...shop.content(secret('s'), secret('h', { 'sherpack.io/hook': 'post-delete' })),
      values: { a: 1, b: 2 },
      userValues: { b: 2 },
    }
    const { record } = await finish(install(shop.engine, own, {}, ctx))
    if (record === undefined) throw new Error('nothing was installed')
    expect(manifestOf(record) + hookManifestOf(record)).not.toContain('hunter2')
    expect(manifestOf(record, { showSecrets: true })).toContain('hunter2')
    expect(hookManifestOf(record, { showSecrets: true })).toContain('hunter2')
    expect(valuesOf(record)).toEqual({ b: 2 })
    expect(valuesOf(record, true)).toEqual({ a: 1, b: 2 })
  })
})
