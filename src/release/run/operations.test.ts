import { beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { apply } from './apply.ts'
import { createObject, getObject } from '../../kube/index.ts'
import { config, deployment, hook, shopCrd } from '../testdata/release-objects.ts'
import { type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()

describe('a release', () => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make({ driver: 'memory' })
  })

  it('is installed, and its objects belong to it', async () => {
    const { outcome, record } = await shop.install([config('a', '1')])
    expect(outcome).toBe('deployed')
    expect(record?.state).toEqual({ status: 'deployed' })
    expect(record?.version).toBe(1)
    const live = await shop.find('a')
    expect(live?.['data']).toEqual({ value: '1' })
    expect(live?.metadata.annotations).toMatchObject({ 'lading.dev/release-name': 'shop' })
  })

  it('cannot be installed twice, and cannot be upgraded before it is installed', async () => {
    await expect(shop.upgrade([config('a', '1')])).rejects.toMatchObject({
      code: 'release.not-found',
    })
    await shop.upgrade([config('a', '1')], { install: true })
    await expect(shop.install([config('a', '1')])).rejects.toMatchObject({
      code: 'release.exists',
    })
  })

  it('is upgraded: what changed is written, what left the set is removed, the old revision is superseded', async () => {
    await shop.install([config('a', '1'), config('b', '1'), config('c', '1')])
    const { plan, record } = await shop.upgrade([config('a', '2'), config('b', '1')])
    expect(plan.actions.map(({ ref, action }) => `${ref.name} ${action}`)).toEqual([
      'a update',
      'b unchanged',
      'c delete',
    ])
    expect(plan.actions[0]?.changes).toEqual([{ path: '.data.value', before: '1', after: '2' }])
    expect(record?.version).toBe(2)
    expect(await shop.find('c')).toBeUndefined()
    expect(await shop.statuses()).toEqual(['superseded', 'deployed'])
  })

  it('that did not change writes nothing and makes no revision', async () => {
    await shop.install([config('a', '1')])
    const before = await shop.find('a')
    const { outcome, record } = await shop.upgrade([config('a', '1')])
    expect(outcome).toBe('unchanged')
    expect(record?.version).toBe(1)
    expect((await shop.find('a'))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion)
  })

  it('whose object somebody changed is brought back by the same upgrade', async () => {
    await shop.install([config('a', '1')])
    await shop.patch('a', { data: { value: 'drifted' } })
    await expect(shop.upgrade([config('a', '1')])).rejects.toMatchObject({ code: 'kube.field-conflict' })
    const { outcome } = await shop.upgrade([config('a', '1')], { conflicts: 'force' })
    expect(outcome).toBe('deployed')
    expect((await shop.find('a'))?.['data']).toEqual({ value: '1' })
  })

  it('rolls back to what it was, as a new revision', async () => {
    await shop.install([config('a', '1'), config('gone', '1')])
    await shop.upgrade([config('a', '2'), config('new', '1')])
    const { record } = await shop.rollback()
    expect(record?.version).toBe(3)
    expect((await shop.find('a'))?.['data']).toEqual({ value: '1' })
    expect(await shop.find('gone')).toBeDefined()
    expect(await shop.find('new')).toBeUndefined()
  })

  it('does not take what exists already, unless it is told to', async () => {
    const theirs = { ...config('a', 'theirs'), metadata: { name: 'a', namespace: shop.namespace } }
    await createObject(shop.cluster, theirs, {}, ctx)
    await expect(shop.install([config('a', '1')], { conflicts: 'force' })).rejects.toMatchObject({
      code: 'release.not-owned',
      message: expect.stringContaining('does not belong to the release') as string,
    })
    expect((await shop.find('a'))?.['data']).toEqual({ value: 'theirs' })
    await shop.install([config('a', '1')], { conflicts: 'force', takeOwnership: true })
    expect((await shop.find('a'))?.['data']).toEqual({ value: '1' })
  })

  it('tells everything that is wrong before it writes anything', async () => {
    const wrong = [config('ok', '1'), { ...config('Bad_Name', '1') }, { ...config('b', '1'), nonsense: 1 }]
    const { namespace } = shop
    await expect(shop.install(wrong)).rejects.toMatchObject({
      message: `2 objects cannot be applied: ConfigMap ${namespace}/Bad_Name, ConfigMap ${namespace}/b`,
      details: {
        failures: [{ ref: { name: 'Bad_Name' } }, { message: expect.stringContaining('nonsense') as string }],
      },
    })
    expect(await shop.find('ok')).toBeUndefined()
    expect(await shop.statuses()).toEqual([])
  })

  it('fails with its failing hook before anything is applied, and can be installed again', async () => {
    const broken = hook('broken', 'pre-install', { simulate: { '': 'job-fail' } })
    await expect(shop.install([config('a', '1'), broken])).rejects.toMatchObject({ code: 'release.failed' })
    expect([await shop.find('a'), await shop.statuses()]).toEqual([undefined, ['failed']])
    expect((await shop.install([config('a', '1')])).outcome).toBe('deployed')
  })

  it('that fails with atomic is back where it was', async () => {
    await shop.install([deployment('web')], { wait: true })
    const broken = [deployment('web', { simulate: { '': 'crash-loop' } }), config('extra', '1')]
    const failing = shop.upgrade(broken, { atomic: true, timeoutMs: 20_000 })
    await expect(failing).rejects.toMatchObject({
      code: 'release.failed',
      message: expect.stringMatching(/; the release is back at revision 1$/) as string,
    })
    expect(await shop.find('extra')).toBeUndefined()
    expect(await shop.statuses()).toEqual(['superseded', 'failed', 'deployed'])
  })

  it('is gone after an uninstall, but for what is to be kept', async () => {
    const kept = config('kept', '1', { 'helm.sh/resource-policy': 'keep' })
    await shop.install([config('a', '1'), kept])
    await shop.uninstall()
    expect(await shop.find('a')).toBeUndefined()
    expect(await shop.find('kept')).toBeDefined()
    expect(await shop.statuses()).toEqual([])
  })

  it('can be installed again after an uninstall that kept its history', async () => {
    await shop.install([config('a', '1')])
    await shop.uninstall({ keepHistory: true })
    const { record } = await shop.install([config('a', '1')])
    expect(record?.version).toBe(2)
  })

  it('a plan writes nothing', async () => {
    const { plan } = await shop.planInstall([config('a', '1')])
    expect(plan.actions.map(({ action }) => action)).toEqual(['create'])
    expect(await shop.find('a')).toBeUndefined()
    expect(await shop.statuses()).toEqual([])
  })

  it('refuses a plan that the cluster has moved away from, saying what moved', async () => {
    await shop.install([config('a', '1')])
    const { plan } = await shop.planUpgrade([config('a', '2')])
    await shop.patch('a', { metadata: { labels: { touched: 'yes' } } })
    await expect(apply(shop.engine, plan, {}, ctx)).rejects.toMatchObject({
      code: 'plan.stale',
      message: `the plan is stale: ConfigMap ${shop.namespace}/a changed since it was made`,
    })
  })

  it('leaves the replicas to its autoscaler when only the workload changes', async () => {
    const scaler: KubeObject = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: {
        minReplicas: 2,
        maxReplicas: 9,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      },
    }
    const web = (image: string): KubeObject => deployment('web', { replicas: 2, image })
    await shop.install([scaler, web('x:1')])
    await shop.patch('web', { spec: { replicas: 5 } }, 'Deployment', 'apps')
    await shop.upgrade([scaler, web('x:2')], { conflicts: 'force' })
    expect((await shop.find('web', 'Deployment', 'apps'))?.['spec']).toMatchObject({ replicas: 5 })
  })

  it('goes up wave by wave, each ready before the next', async () => {
    const db = deployment('db', { annotations: { 'sherpack.io/sync-wave': '-1' } })
    const { events } = await shop.install([deployment('app'), db])
    const story = events.flatMap((event) => {
      if (event.type === 'object') return [`${event.ref.name} ${event.action}`]
      return event.type === 'status' && event.status === 'Current' ? [`${event.ref.name} ready`] : []
    })
    expect(story).toEqual(['db created', 'db ready', 'app created'])
  })

  it('goes up without waiting between its waves, where that is asked for', async () => {
    const annotations = { 'sherpack.io/sync-wave': '-1' }
    const never = deployment('db', { annotations, simulate: { '': 'unready' } })
    const { events } = await shop.install([deployment('app'), never], { waveWait: false })
    expect(events.flatMap((event) => (event.type === 'object' ? [event.ref.name] : []))).toEqual(['db', 'app'])
  })

  it('whose wave does not become healthy in the time that waves have fails, long before the whole operation would', async () => {
    const annotations = { 'sherpack.io/sync-wave': '-1' }
    const never = deployment('db', { annotations, simulate: { '': 'unready' } })
    await expect(shop.install([deployment('app'), never], { healthTimeoutMs: 300 })).rejects.toMatchObject({
      details: { code: 'wait.timeout', objects: [{ ref: { name: 'db' } }] },
    })
    expect(await shop.find('app', 'Deployment', 'apps')).toBeUndefined()
  })

  it('goes into a namespace that is there as it would without --create-namespace', async () => {
    const namespace = (): Promise<KubeObject | undefined> => shop.find(shop.namespace, 'Namespace')
    const before = await namespace()
    expect(before).toBeDefined()
    const { events } = await shop.install([config('a', '1')], { createNamespace: true })
    expect(events.flatMap((event) => (event.type === 'object' ? [event.ref.name] : []))).toEqual(['a'])
    expect(await namespace()).toEqual(before)
    await shop.uninstall()
    expect(await namespace()).toEqual(before)
  })

  it('removes an object whose version is not served any more', async () => {
    const crds = await releases.make({ driver: 'memory' }, 'crds')
    await crds.install([shopCrd('unserved.example', ['v1', 'v2'])])
    const old: KubeObject = { apiVersion: 'unserved.example/v1', kind: 'Shop', metadata: { name: 'one' } }
    await shop.install([config('a', '1'), old])
    const [v1, v2] = versions(shopCrd('unserved.example', ['v1', 'v2']))
    const onlyNew = shopCrd('unserved.example', ['v2'])
    await crds.upgrade([
      { ...onlyNew, spec: { ...(onlyNew['spec'] as object), versions: [{ ...v1, served: false }, v2] } },
    ])
    const find = (): Promise<KubeObject | undefined> =>
      getObject(shop.cluster, { ...shopRef, namespace: shop.namespace, name: 'one' }, ctx)
    expect(await find()).toBeDefined()
    const { plan } = await shop.upgrade([config('a', '1')])
    expect(plan.actions.map(({ ref, action }) => `${ref.name} ${action}`)).toEqual(['a unchanged', 'one delete'])
    expect(await find()).toBeUndefined()
  })
})

const shopRef = { group: 'unserved.example', version: 'v2', kind: 'Shop' }

function versions(crd: KubeObject): object[] {
  return (crd['spec'] as { versions: object[] }).versions
}
