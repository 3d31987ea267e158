import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { context, type KubeObject, type LadingError } from '../../core/index.ts'
import { type Cluster, createObject, getObject, patchObject } from '../../kube/index.ts'
import { install, upgrade } from '../run/operations.ts'
import { config, deployment, hook, shopCrd } from '../testdata/release-objects.ts'
import { finish, sandboxReleases } from '../testdata/sandbox-releases.ts'

// In the order of the list of what users of release managers ask for most.
describe('what users ask for', () => {
  const ctx = context()
  const releases = sandboxReleases()

  it('1: a release that a dropped connection left pending is healed by the next command (Helm #4558, #8987)', async () => {
    const shop = await releases.make()
    await shop.install([config('a', '1')])
    const { store } = shop.engine
    const good = await store.get({ ...shop.release, version: 1 }, ctx)
    if (good === undefined) throw new Error('there is no revision 1')
    const started = { started_at: new Date().toISOString(), timeout: 300 }
    const state = { status: 'pending-upgrade', ...started, previous_version: 1 } as const
    await store.create({ ...good.record, version: 2, state }, ctx)
    await shop.upgrade([config('a', '2')])
    expect(await shop.statuses()).toEqual(['superseded', 'failed', 'deployed'])
    expect((await shop.find('a'))?.['data']).toEqual({ value: '2' })
  })

  it('1: what the healed release warns of is told once, although it is planned twice', async () => {
    const shop = await releases.make()
    const scaled = deployment('web', { replicas: 2 })
    const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: { maxReplicas: 3, scaleTargetRef: target },
    }
    await shop.install([scaled, autoscaler])
    const { store } = shop.engine
    const good = await store.get({ ...shop.release, version: 1 }, ctx)
    if (good === undefined) throw new Error('there is no revision 1')
    const started = { started_at: new Date().toISOString(), timeout: 300 }
    const state = { status: 'pending-upgrade', ...started, previous_version: 1 } as const
    await store.create({ ...good.record, version: 2, state }, ctx)
    const { events } = await shop.upgrade([scaled, autoscaler, config('a', '2')])
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))
    expect(warnings.filter((message) => message.includes('autoscaler'))).toHaveLength(1)
  })

  it('2: a record of twice what an object can hold is kept, rolled back to and removed (Helm #6711)', async () => {
    const shop = await releases.make()
    const large = Array.from({ length: 3 }, (_, at) => config(`large-${at}`, noise(900_000, at)))
    const { record } = await shop.install(large)
    expect(record?.manifest.length).toBeGreaterThan(2_500_000)
    await shop.upgrade([config('small', '1')])
    await shop.rollback(1)
    expect((await shop.find('large-2'))?.['data']).toEqual(large[2]?.['data'])
    await shop.uninstall()
    expect(await shop.statuses()).toEqual([])
  })

  it('3: CRDs are upgraded with the release (Helm #8972)', async () => {
    const shop = await releases.make()
    const resource = (version: string): KubeObject => ({
      apiVersion: `three.example/${version}`,
      kind: 'Shop',
      metadata: { name: 'one' },
    })
    await shop.install([shopCrd('three.example', ['v1']), resource('v1')])
    const { plan } = await shop.upgrade([shopCrd('three.example', ['v1', 'v2']), resource('v2')])
    expect(plan.actions.map(({ ref, action }) => `${ref.kind} ${action}`)).toContain('CustomResourceDefinition update')
    const { items } = await versionsOf('shops.three.example')
    expect(items).toEqual(['v1', 'v2'])
  })

  it('3: a shared CRD belongs to no release, is not made poorer and never deleted', async () => {
    const shared = { 'sherpack.io/crd-policy': 'shared' }
    const [first, second] = [await releases.make(), await releases.make()]
    await first.install([shopCrd('shared.example', ['v1', 'v2'], shared)])
    const { plan } = await second.install([shopCrd('shared.example', ['v1'], shared), config('a', '1')])
    expect(plan.actions).toMatchObject([{ action: 'keep', reason: expect.stringContaining('has v2') as string }, {}])
    await first.uninstall()
    expect((await versionsOf('shops.shared.example')).items).toEqual(['v1', 'v2'])
  })

  it('3: an external CRD is only required to be there', async () => {
    const external = shopCrd('external.example', ['v1'], { 'lading.dev/crd-policy': 'external' })
    const shop = await releases.make()
    await expect(shop.install([external, config('a', '1')])).rejects.toThrow('it is external')
    const owner = await releases.make()
    await owner.install([shopCrd('external.example', ['v1'])])
    const { record } = await shop.install([external, config('a', '1')])
    expect(record?.inventory.map(({ ref }) => ref.name)).toEqual(['a'])
    await shop.uninstall()
    expect((await versionsOf('shops.external.example')).items).toEqual(['v1'])
  })

  it('4: waiting understands an observedGeneration that is text, and not a status that is empty (Helm #32615, #32066)', async () => {
    const shop = await releases.make()
    const resource: KubeObject = { apiVersion: 'four.example/v1', kind: 'Shop', metadata: { name: 'one' }, spec: {} }
    await shop.install([shopCrd('four.example', ['v1'])])
    const waiting = shop.upgrade([shopCrd('four.example', ['v1']), resource], { wait: true, timeoutMs: 120_000 })
    let done = false
    const marked = waiting.finally(() => {
      done = true
    })
    const report = async (): Promise<void> => {
      const ref = { group: 'four.example', version: 'v1', kind: 'Shop', namespace: shop.namespace, name: 'one' }
      const status = { observedGeneration: '1', conditions: [{ type: 'Ready', status: 'True' }] }
      await shop.appears('one', 'Shop', 'four.example')
      await releases.sandbox.idle()
      expect(done).toBe(false)
      await patchObject(shop.cluster, ref, { status }, { type: 'merge', subresource: 'status' }, ctx)
    }
    const [{ outcome }] = await Promise.all([marked, report()])
    expect(outcome).toBe('deployed')
  })

  it('5: the replicas that kubectl scale set are a conflict that is named, and left to it by a rule (Helm #31516)', async () => {
    const shop = await releases.make()
    const web = (image: string): KubeObject => {
      const object = deployment('web', { spec: { replicas: 1 } })
      return { ...object, metadata: { ...object.metadata, labels: { image } } }
    }
    await shop.install([web('one')])
    const ref = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: shop.namespace, name: 'web' }
    await patchObject(
      shop.cluster,
      ref,
      { spec: { replicas: 3 } },
      { type: 'merge', subresource: 'scale', fieldManager: 'kubectl' },
      ctx,
    )
    await expect(shop.upgrade([web('two')])).rejects.toMatchObject({
      code: 'kube.field-conflict',
      details: { failures: [{ conflicts: [{ manager: 'kubectl', path: '.spec.replicas', ours: 1, theirs: 3 }] }] },
    })
    await shop.upgrade([web('two')], { conflicts: [{ path: '.spec.replicas', take: 'theirs' }] })
    const live = await shop.find('web', 'Deployment', 'apps')
    expect([live?.metadata.labels, live?.['spec']]).toMatchObject([{ image: 'two' }, { replicas: 3 }])
  })

  it('6: many objects are written at the same time (Helm #31523, #10478)', async () => {
    const shop = await releases.make()
    const { cluster, most } = counting(shop.cluster)
    const objects = Array.from({ length: 100 }, (_, at) => config(`c${at}`, '1'))
    await finish(install({ ...shop.engine, cluster }, shop.content(...objects), {}, ctx))
    expect(most()).toBeGreaterThan(16)
    expect(most()).toBeLessThanOrEqual(32)
  })

  it('7: all that is wrong is told at once, before anything is written (fluxcd/pkg #293)', async () => {
    const shop = await releases.make()
    const wrong = [config('fine', '1'), config('Bad_Name', '1'), { ...config('odd', '1'), nonsense: 1 }]
    await expect(shop.install(wrong)).rejects.toMatchObject({
      code: 'apply.failed',
      details: { failures: [{ ref: { name: 'Bad_Name' } }, { ref: { name: 'odd' } }] },
    })
    expect([await shop.find('fine'), await shop.statuses()]).toEqual([undefined, []])
  })

  it('8: one bad object does not hold up the others, where that is asked for (kustomize-controller #1168)', async () => {
    const shop = await releases.make()
    await shop.install([config('old', '1'), config('fine', '1')])
    const objects = [config('fine', '2'), { ...config('odd', '1'), nonsense: 1 }, deployment('web')]
    const work = shop.upgrade(objects, { onError: 'continue', wait: true, timeoutMs: 120_000 })
    await expect(work).rejects.toMatchObject({
      code: 'release.failed',
      details: { failures: [{ ref: { name: 'odd' } }] },
    })
    expect((await shop.find('fine'))?.['data']).toEqual({ value: '2' })
    expect(await shop.find('web', 'Deployment', 'apps')).toBeDefined()
    // Nothing is removed by a revision that is not whole; the next good one does it.
    expect(await shop.find('old')).toBeDefined()
    await shop.upgrade([config('fine', '2'), deployment('web')])
    expect(await shop.find('old')).toBeUndefined()
    expect(await shop.statuses()).toEqual(['superseded', 'failed', 'deployed'])
  })

  it('9: a hook Job that its time to live removes has succeeded (Argo CD #6880)', async () => {
    const shop = await releases.make()
    const brief = hook('brief', 'pre-install', { spec: { ttlSecondsAfterFinished: 0 } })
    const { outcome } = await shop.install([brief, config('a', '1')])
    expect(outcome).toBe('deployed')
    expect(await shop.find('brief', 'Job', 'batch')).toBeUndefined()
  })

  it('10: a failure ends with the objects at fault, their pods’ events and the end of their logs (kubedog #390)', async () => {
    const shop = await releases.make()
    const simulate = { '': 'crash-loop', logs: 'starting\nno configuration' }
    const work = shop.install([deployment('fine'), deployment('web', { simulate })], { wait: true, timeoutMs: 30_000 })
    const failure = await work.catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'release.failed' })
    const { objects } = (failure as LadingError<'release.failed'>).details
    const web = objects?.find(({ ref }) => ref.name === 'web')
    expect(web).toMatchObject({
      status: 'Failed',
      pods: [{ reason: 'CrashLoopBackOff', logTail: ['starting', 'no configuration'] }],
    })
    expect(web?.pods?.[0]?.events.map(({ reason }) => reason)).toContain('BackOff')
  })

  it('11: the values of a revision, and what going back to it would change, can be seen before', async () => {
    const shop = await releases.make()
    const from = (value: string): Parameters<typeof install>[1] => ({
      ...shop.content(config('a', value)),
      values: { value },
    })
    await finish(install(shop.engine, from('1'), {}, ctx))
    await finish(upgrade(shop.engine, from('2'), {}, ctx))
    const before = await shop.engine.store.get({ ...shop.release, version: 1 }, ctx)
    expect(before?.record.values).toEqual({ value: '1' })
    const { plan } = await shop.planRollback(1)
    expect(plan.target).toBe(1)
    expect(plan.actions).toMatchObject([
      { action: 'update', changes: [{ path: '.data.value', before: '2', after: '1' }] },
    ])
    expect(await shop.statuses()).toEqual(['superseded', 'deployed'])
  })

  it('12: wait-for waits for what the release does not bring', async () => {
    const shop = await releases.make()
    const app = config('app', '1', { 'sherpack.io/wait-for': 'ConfigMap/settings' })
    const waiting = shop.install([app], { timeoutMs: 120_000 })
    const bringing = shop.appears('sh.sherpack.release.v1.shop.v1', 'Secret').then(async () => {
      expect(await shop.find('app')).toBeUndefined()
      const other = { ...config('settings', '1'), metadata: { name: 'settings', namespace: shop.namespace } }
      await createObject(shop.cluster, other, {}, ctx)
    })
    const [{ outcome }] = await Promise.all([waiting, bringing])
    expect(outcome).toBe('deployed')
  })

  async function versionsOf(name: string): Promise<{ items: string[] }> {
    const crd = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition', name }
    const found = await getObject(releases.cluster, crd, ctx)
    const spec = found?.['spec'] as { versions: { name: string }[] } | undefined
    return { items: (spec?.versions ?? []).map((version) => version.name) }
  }
})

/** Text that does not get smaller when it is compressed. */
function noise(length: number, seed: number): string {
  let text = ''
  for (let block = 0; text.length < length; block += 1) {
    text += createHash('sha512').update(`${seed} ${block}`).digest('base64')
  }
  return text.slice(0, length)
}

/** A cluster that remembers how many writes were under way at the same time. */
function counting({ discovery, transport }: Cluster): { cluster: Cluster; most: () => number } {
  let now = 0
  let most = 0
  return {
    most: () => most,
    cluster: {
      discovery,
      transport: {
        server: transport.server,
        identity: transport.identity,
        close: () => transport.close(),
        stream: (request, context) => transport.stream(request, context),
        async request(request, context) {
          if (request.method === 'GET') return transport.request(request, context)
          now += 1
          most = Math.max(most, now)
          try {
            return await transport.request(request, context)
          } finally {
            now -= 1
          }
        },
      },
    },
  }
}
