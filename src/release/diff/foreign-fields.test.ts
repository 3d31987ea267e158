import { beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { applyObject, createObject, getObject, patchObject } from '../../kube/index.ts'
import { config, deployment, shopCrd } from '../testdata/release-objects.ts'
import { type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { drift } from './drift.ts'

const ctx = context()

describe.each(['memory', 'helm'] as const)('fields that others add to a release of the %s store', (driver) => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make({ driver })
  })

  it('are told one by one: a container, an environment variable, a volume, an annotation, a label', async () => {
    await shop.install([deployment('web')])
    await kubectlPatch(shop, {
      metadata: { annotations: { note: 'mine' }, labels: { team: 'x' } },
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'main', env: [{ name: 'DEBUG', value: '1' }] },
              { name: 'sidecar', image: 'registry.example/side:1' },
            ],
            volumes: [{ name: 'scratch', emptyDir: {} }],
          },
        },
      },
    })
    const found = (await drift(shop.engine, shop.release, {}, ctx)).objects[0]?.drift
    expect(found).toMatchObject({ state: 'added', changes: [] })
    expect(found?.added.map(({ path }) => path).sort()).toEqual([
      '.metadata.annotations.note',
      driver === 'helm' ? '.metadata.labels.team' : '.metadata.labels',
      '.spec.template.spec.containers[name="main"].env',
      '.spec.template.spec.containers[name="sidecar"]',
      '.spec.template.spec.volumes',
    ])
    expect(new Set(found?.added.map(({ manager }) => manager))).toEqual(new Set(['kubectl-patch']))
    expect(found?.added.every(({ time }) => time !== undefined)).toBe(true)
  })

  it('are found again after an upgrade that left them alone', async () => {
    await shop.install([deployment('web')])
    await kubectlPatch(shop, sidecar)
    await shop.upgrade([deployment('web', { image: 'registry.example/x:2' })])
    expect(await added(shop)).toEqual(['.spec.template.spec.containers[name="sidecar"]'])
  })

  it('stay in a rollback that forces conflicts, and go where that is asked for', async () => {
    await shop.install([deployment('web')])
    await shop.upgrade([deployment('web', { image: 'registry.example/x:2' })])
    await kubectlPatch(shop, sidecar)
    await shop.rollback(1, { conflicts: 'force' })
    expect(await containers(shop)).toEqual(['main', 'sidecar'])
    const { plan } = await shop.planRollback(1, { foreignFields: 'remove' })
    expect(plan.actions).toMatchObject([
      {
        action: 'update',
        changes: [{ path: '.spec.template.spec.containers[name="sidecar"]', before: { name: 'sidecar' } }],
      },
    ])
    expect(plan.actions[0]?.changes?.[0]).not.toHaveProperty('after')
    await shop.rollback(1, { foreignFields: 'remove' })
    expect(await containers(shop)).toEqual(['main'])
    expect(await added(shop)).toEqual([])
  })

  it('are removed by an upgrade of the same source when that is asked for, in one write of the object', async () => {
    await shop.install([deployment('web'), config('a', '1')])
    await kubectlPatch(shop, sidecar)
    await shop.patch('a', { data: { extra: '1' } })
    const generation = (await shop.find('web', 'Deployment', 'apps'))?.metadata.generation ?? 0
    const same = [deployment('web'), config('a', '1')]
    expect(await shop.upgrade(same)).toMatchObject({ outcome: 'unchanged' })
    expect(await shop.upgrade(same, { foreignFields: 'remove' })).toMatchObject({ outcome: 'deployed' })
    expect(await containers(shop)).toEqual(['main'])
    expect((await shop.find('a'))?.['data']).toEqual({ value: '1' })
    expect((await shop.find('web', 'Deployment', 'apps'))?.metadata.generation).toBe(generation + 1)
    expect(await shop.upgrade(same, { foreignFields: 'remove' })).toMatchObject({ outcome: 'unchanged' })
  })

  it('are removed without taking what conflicts: that still has to be forced', async () => {
    await shop.install([config('a', '1')])
    await shop.patch('a', { data: { value: 'theirs', extra: '1' } })
    const removing = shop.upgrade([config('a', '2')], { foreignFields: 'remove' })
    await expect(removing).rejects.toMatchObject({ code: 'kube.field-conflict' })
    await shop.upgrade([config('a', '2')], { foreignFields: 'remove', conflicts: 'force' })
    expect((await shop.find('a'))?.['data']).toEqual({ value: '2' })
  })

  it('of usual controllers and ignored managers are neither told nor removed', async () => {
    await shop.install([config('a', '1')])
    await write(shop, 'kube-controller-manager', { data: { seen: '1' } })
    await write(shop, 'my-operator', { data: { tuned: '1' } })
    await write(shop, 'kubectl-client-side-apply', {
      metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } },
    })
    const ignoreManagers = ['my-*']
    expect(await added(shop)).toEqual(['.data.tuned'])
    expect(await added(shop, { ignoreManagers })).toEqual([])
    expect((await added(shop, { defaultIgnores: false })).sort()).toEqual([
      '.data.seen',
      '.data.tuned',
      '.metadata.annotations."kubectl.kubernetes.io/last-applied-configuration"',
    ])
    await shop.upgrade([config('a', '2')], { foreignFields: 'remove', ignoreManagers })
    expect((await shop.find('a'))?.['data']).toEqual({ value: '2', seen: '1', tuned: '1' })
    await shop.upgrade([config('a', '2')], { foreignFields: 'remove' })
    expect((await shop.find('a'))?.['data']).toEqual({ value: '2', seen: '1' })
  })

  it('are not what the server fills in, even where somebody who created the object owns it', async () => {
    const web = deployment('web')
    const theirs = { ...web, metadata: { ...web.metadata, namespace: shop.namespace } }
    await createObject(shop.cluster, theirs, { fieldManager: 'kubectl-create' }, ctx)
    await shop.install([web], { takeOwnership: true })
    expect(await added(shop)).toEqual([])
  })

  it('are told with the default that they stand in for', async () => {
    await shop.install([deployment('web')])
    await kubectlPatch(shop, { spec: { minReadySeconds: 7, revisionHistoryLimit: 2 } })
    const { objects } = await drift(shop.engine, shop.release, {}, ctx)
    expect(objects[0]?.drift?.added).toMatchObject([
      { path: '.spec.minReadySeconds', after: 7 },
      { path: '.spec.revisionHistoryLimit', before: 10, after: 2 },
    ])
  })

  it('include the restart that a person asked for, but not a scale, a status or a finalizer', async () => {
    await shop.install([deployment('web'), config('a', '1')])
    const restartedAt = { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' }
    const ref = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: shop.namespace, name: 'web' }
    const scale = { spec: { replicas: 3 } }
    await patchObject(shop.cluster, ref, scale, { type: 'merge', subresource: 'scale', fieldManager: 'kubectl' }, ctx)
    await kubectlPatch(shop, { spec: { template: { metadata: { annotations: restartedAt } } } }, 'kubectl-rollout')
    await shop.patch('a', { metadata: { finalizers: ['example.com/hold'] } })
    expect(await added(shop)).toEqual(['.spec.template.metadata.annotations."kubectl.kubernetes.io/restartedAt"'])
    await shop.upgrade([deployment('web'), config('a', '2')], { foreignFields: 'remove' })
    expect((await shop.find('a'))?.metadata.finalizers).toEqual(['example.com/hold'])
    expect((await shop.find('web', 'Deployment', 'apps'))?.['spec']).toMatchObject({ replicas: 3 })
    await shop.patch('a', { metadata: { finalizers: null } })
  })

  it('are masked where they are in a Secret', async () => {
    const secret: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { token: 'ours' },
    }
    await shop.install([secret])
    await shop.patch('s', { data: { extra: Buffer.from('hunter2').toString('base64') } }, 'Secret')
    const report = await drift(shop.engine, shop.release, {}, ctx)
    expect(report.objects[0]?.drift?.added).toMatchObject([{ path: '.data.extra' }])
    expect(JSON.stringify(report)).not.toContain(Buffer.from('hunter2').toString('base64'))
  })

  it('are told of a Secret whose stringData somebody applied', async () => {
    const secret: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { token: 'ours' },
    }
    await shop.install([secret])
    const path = `/api/v1/namespaces/${shop.namespace}/secrets/s`
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { extra: 'theirs' } }
    const request = { method: 'PATCH', path, body, contentType: 'application/apply-patch+yaml' } as const
    await shop.cluster.transport.request({ ...request, query: { fieldManager: 'kubectl' } }, ctx)
    expect(await added(shop)).toEqual(['.data.extra'])
    await shop.upgrade([secret], { foreignFields: 'remove' })
    expect(Object.keys((await shop.find('s', 'Secret'))?.['data'] ?? {})).toEqual(['token'])
  })

  it('are told of custom resources as well', async () => {
    const group = `added-${driver}.example.com`
    const own: KubeObject = { apiVersion: `${group}/v1`, kind: 'Shop', metadata: { name: 'one' }, spec: { size: 1 } }
    await shop.install([shopCrd(group, ['v1']), own])
    const placed = { ...own, metadata: { name: 'one', namespace: shop.namespace }, spec: { colour: 'red' } }
    await applyObject(shop.cluster, placed, { fieldManager: 'kubectl' }, ctx)
    expect(await added(shop)).toEqual(['.spec.colour'])
    await shop.upgrade([shopCrd(group, ['v1']), { ...own, spec: { size: 2 } }], { foreignFields: 'remove' })
    const ref = { group, version: 'v1', kind: 'Shop', namespace: shop.namespace, name: 'one' }
    expect((await getObject(shop.cluster, ref, ctx))?.['spec']).toEqual({ size: 2 })
  })
})

const sidecar = {
  spec: { template: { spec: { containers: [{ name: 'sidecar', image: 'registry.example/side:1' }] } } },
}

async function kubectlPatch(shop: SandboxRelease, change: object, fieldManager = 'kubectl-patch'): Promise<void> {
  const ref = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: shop.namespace, name: 'web' }
  await patchObject(shop.cluster, ref, change, { type: 'strategic', fieldManager }, ctx)
}

/** Changes the ConfigMap `a` as another manager. */
async function write(shop: SandboxRelease, fieldManager: string, change: object): Promise<void> {
  const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: shop.namespace, name: 'a' }
  await patchObject(shop.cluster, ref, change, { type: 'merge', fieldManager }, ctx)
}

async function added(shop: SandboxRelease, options: Parameters<typeof drift>[2] = {}): Promise<string[]> {
  const { objects } = await drift(shop.engine, shop.release, options, ctx)
  return objects.flatMap(({ drift: found }) => found?.added ?? []).map(({ path }) => path)
}

async function containers(shop: SandboxRelease): Promise<string[]> {
  const web = (await shop.find('web', 'Deployment', 'apps')) as
    | { spec?: { template: { spec: { containers: { name: string }[] } } } }
    | undefined
  return web?.spec?.template.spec.containers.map(({ name }) => name).sort() ?? []
}
