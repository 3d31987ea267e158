import { beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject, type LadingError } from '../../core/index.ts'
import { createObject, getObject, listObjects, patchObject } from '../../kube/index.ts'
import { planUninstall } from '../plan/plan-uninstall.ts'
import { config, hook, shopCrd } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { uninstall } from '../run/uninstall.ts'

const ctx = context()
const shared = { 'lading.dev/crd-policy': 'shared' }
let made = 0

describe.each(['secrets', 'helm'] as const)('with the %s store, a CRD', (driver) => {
  const releases = sandboxReleases()
  let c1: SandboxRelease
  let c2: SandboxRelease
  let group: string

  beforeEach(async () => {
    group = `own-${++made}.example`
    c1 = await releases.make({ driver }, 'c1')
    c2 = await releases.make({ driver }, 'c2')
  })

  it('of one release stays as it is where another brings the same as shared; the plan names the owner', async () => {
    await c1.install([shopCrd(group, ['v1'])])
    const before = await crd()
    const { plan } = await c2.install([shopCrd(group, ['v1'], shared), shop('theirs')])
    expect(plan.actions[0]).toMatchObject({
      action: 'keep',
      reason: expect.stringContaining(`the release ${c1.namespace}/c1`) as string,
    })
    expect(await crd()).toEqual(before)
    expect((await c1.upgrade([shopCrd(group, ['v1'])])).outcome).toBe('unchanged')
    await c2.uninstall()
    expect(await crd()).toEqual(before)
  })

  it('without a served version is not deleted, for nobody can tell whose custom resources go with it', async () => {
    await c1.install([shopCrd(group, ['v1'])])
    await put('mine')
    const { spec } = unserved(shopCrd(group, ['v1']))
    await patchObject(c1.cluster, { ...crdKind, name: `shops.${group}` }, { spec }, { type: 'merge' }, ctx)
    await expect(c1.uninstall()).rejects.toMatchObject({
      code: 'release.crd-in-use',
      message: expect.stringContaining('no version of it is served') as string,
    })
    expect(await crd()).toBeDefined()
  })

  it('that is deleted with custom resources of others names each of them', async () => {
    await c1.install([shopCrd(group, ['v1'])])
    await put('mine')
    const { events } = await c1.uninstall({ deleteCustomResources: true })
    const named = expect.objectContaining({ kind: 'Shop', name: 'mine' }) as object
    expect(events).toContainEqual(expect.objectContaining({ type: 'warning', ref: named }))
  })

  it('of one release is a conflict where another brings a different one as shared, unless ownership is taken', async () => {
    await c1.install([shopCrd(group, ['v1'])])
    const before = await crd()
    await expect(c2.install([shopCrd(group, ['v1', 'v2'], shared)])).rejects.toMatchObject({
      code: 'release.not-owned',
      message: expect.stringContaining(`the release ${c1.namespace}/c1`) as string,
    })
    expect(await crd()).toEqual(before)
    await c2.install([shopCrd(group, ['v1', 'v2'], shared)], { takeOwnership: true })
    expect(Object.keys((await crd())?.metadata.annotations ?? {})).toEqual(['lading.dev/crd-policy'])
    await expect(c1.upgrade([shopCrd(group, ['v1', 'v3'])])).rejects.toMatchObject({ code: 'release.not-owned' })
    await c1.uninstall()
    expect(await crd()).toBeDefined()
  })

  it('that is shared, or nobody’s, is not made a release’s own unless ownership is taken', async () => {
    await c2.install([shopCrd(group, ['v1'], shared)])
    await expect(c1.install([shopCrd(group, ['v1'])])).rejects.toMatchObject({
      code: 'release.not-owned',
      message: expect.stringContaining('shared') as string,
    })
    await c1.install([shopCrd(group, ['v1'])], { takeOwnership: true })
    expect((await crd())?.metadata.annotations?.['lading.dev/crd-policy']).toBeUndefined()
    expect((await c1.upgrade([shopCrd(group, ['v1'])])).outcome).toBe('unchanged')

    group = `nobody-${made}.example`
    await createObject(c1.cluster, shopCrd(group, ['v1']), {}, ctx)
    const both = [shopCrd(`own-${made}.example`, ['v1']), shopCrd(group, ['v1'])]
    await expect(c1.upgrade(both)).rejects.toMatchObject({ code: 'release.not-owned' })
  })

  it('that says that it is shared is never deleted, whoever asks', async () => {
    await c1.install([shopCrd(group, ['v1']), config('a', '1')])
    await annotate(shared)
    const { plan } = await c1.upgrade([config('a', '1')])
    expect(plan.actions.map(({ action }) => action)).toEqual(['unchanged', 'keep'])
    await c1.rollback(1, { takeOwnership: true })
    await annotate({ 'sherpack.io/crd-policy': 'shared' })
    await c1.uninstall({ deleteCustomResources: true })
    expect(await crd()).toBeDefined()
  })

  it('with custom resources of others is not deleted by an uninstall, which names them and has done nothing', async () => {
    await c1.install([shopCrd(group, ['v1']), shop('own'), config('a', '1'), hook('bye', 'pre-delete')])
    await c2.install([shop('theirs')])
    const { actions } = await finish(planUninstall(c1.engine, c1.release, {}, ctx))
    expect(actions.find(({ ref }) => ref.kind === 'CustomResourceDefinition')).toMatchObject({
      action: 'conflict',
      code: 'release.crd-in-use',
      reason: expect.stringContaining(`Shop.${group} ${c2.namespace}/theirs`) as string,
    })
    const refused = (await c1.uninstall().catch((error: unknown) => error)) as LadingError
    expect(refused).toMatchObject({ code: 'release.crd-in-use' })
    expect(refused.message).toContain(`Shop.${group} ${c2.namespace}/theirs`)
    expect(refused.message).not.toContain('own,')
    expect(await names()).toEqual(['own', 'theirs'])
    expect([await c1.find('a'), await c1.find('bye', 'Job', 'batch'), await c1.statuses()]).toMatchObject([
      { data: { value: '1' } },
      undefined,
      ['deployed'],
    ])
    await c1.uninstall({ deleteCustomResources: true })
    expect([await crd(), await c1.statuses()]).toEqual([undefined, []])
  })

  it('with custom resources of others is not deleted by an upgrade without it, or a rollback, unless allowed', async () => {
    await c1.install([config('a', '1')])
    await c1.upgrade([config('a', '2'), shopCrd(group, ['v1']), shop('own')])
    await c2.install([shop('theirs')])
    await expect(c1.upgrade([config('a', '3')])).rejects.toMatchObject({ code: 'release.crd-in-use' })
    await expect(c1.rollback(1)).rejects.toMatchObject({ code: 'release.crd-in-use' })
    expect([await names(), await c1.statuses()]).toEqual([
      ['own', 'theirs'],
      ['superseded', 'deployed'],
    ])
    const { plan } = await c1.upgrade([config('a', '3')], { deleteCustomResources: true })
    expect(plan.actions.find(({ ref }) => ref.kind === 'CustomResourceDefinition')).toMatchObject({
      action: 'delete',
      reason: expect.stringContaining('theirs') as string,
    })
    expect(await crd()).toBeUndefined()
  })

  it('goes with the custom resources of its own release, of its hooks, and what these own', async () => {
    const left = shop('left', { 'helm.sh/hook': 'post-install' })
    await c1.install([shopCrd(group, ['v1']), shop('own'), left])
    const child = await put('child', await find('own'))
    await put('grandchild', child)
    await c1.uninstall()
    expect([await crd(), await c1.statuses()]).toEqual([undefined, []])
  })

  it('is not deleted while a custom resource of its own release is to be kept', async () => {
    await c1.install([shopCrd(group, ['v1']), shop('kept', { 'helm.sh/resource-policy': 'keep' })])
    await expect(c1.uninstall()).rejects.toMatchObject({ code: 'release.crd-in-use' })
    expect(await names()).toEqual(['kept'])
  })

  it('is not deleted if others come to use it while the uninstall is under way', async () => {
    await c1.install([shopCrd(group, ['v1']), config('a', '1')])
    const removal = async (): Promise<void> => {
      for await (const event of uninstall(c1.engine, c1.release, {}, ctx)) {
        if (event.type === 'object' && event.ref.name === 'a') await put('theirs')
      }
    }
    await expect(removal()).rejects.toMatchObject({ code: 'release.crd-in-use' })
    expect([await names(), await c1.statuses()]).toEqual([['theirs'], ['failed']])
  })

  it('is not replaced while others use it', async () => {
    await c1.install([shopCrd(group, ['v1'])])
    await put('theirs')
    const spec = shopCrd(group, ['v1'])['spec'] as object
    const wide = { ...shopCrd(group, ['v1']), spec: { ...spec, scope: 'Cluster' } }
    const replace = { allow: ['CustomResourceDefinition'] }
    await expect(c1.upgrade([wide], { replace })).rejects.toMatchObject({ code: 'release.crd-in-use' })
    expect(await names()).toEqual(['theirs'])
  })

  function shop(name: string, annotations?: Record<string, string>): KubeObject {
    const metadata = { name, ...(annotations === undefined ? {} : { annotations }) }
    return { apiVersion: `${group}/v1`, kind: 'Shop', metadata }
  }

  /** A custom resource that no release has marked. */
  async function put(name: string, owner?: KubeObject): Promise<KubeObject> {
    const { uid = '' } = owner?.metadata ?? {}
    const reference = { apiVersion: `${group}/v1`, kind: 'Shop', name: owner?.metadata.name ?? '', uid }
    const ownerReferences = owner === undefined ? [] : [reference]
    const object = { ...shop(name), metadata: { name, namespace: c1.namespace, ownerReferences } }
    return createObject(c1.cluster, object, {}, ctx)
  }

  async function find(name: string): Promise<KubeObject | undefined> {
    return getObject(c1.cluster, { group, version: 'v1', kind: 'Shop', namespace: c1.namespace, name }, ctx)
  }

  async function crd(): Promise<KubeObject | undefined> {
    return getObject(c1.cluster, { ...crdKind, name: `shops.${group}` }, ctx)
  }

  async function annotate(annotations: Record<string, string>): Promise<void> {
    await patchObject(
      c1.cluster,
      { ...crdKind, name: `shops.${group}` },
      { metadata: { annotations } },
      { type: 'merge' },
      ctx,
    )
  }

  async function names(): Promise<string[]> {
    const { items } = await listObjects(c1.cluster, { gvk: { group, version: 'v1', kind: 'Shop' } }, ctx)
    return items.map(({ metadata }) => metadata.name).toSorted()
  }
})

const crdKind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }

function unserved(crd: KubeObject): KubeObject {
  const { versions, ...spec } = crd['spec'] as { versions: object[] }
  return { ...crd, spec: { ...spec, versions: versions.map((version) => ({ ...version, served: false })) } }
}
