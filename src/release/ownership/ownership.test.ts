import { beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject, objectId } from '../../core/index.ts'
import { createObject } from '../../kube/index.ts'
import type { ReleaseHistory } from '../record/history.ts'
import { ownershipProof } from './ownership.ts'
import { planUninstall } from '../plan/plan-uninstall.ts'
import { config, hook, shopCrd } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()
const brokenHook = hook('migrate', 'pre-install,pre-upgrade', { simulate: { '': 'job-fail' } })
const helmMarks = (name: string): Record<string, string> => ({
  'meta.helm.sh/release-name': name,
  'meta.helm.sh/release-namespace': 'other',
})
const helmLabel = { 'app.kubernetes.io/managed-by': 'Helm' }
const ladingMarks = (name: string): Record<string, string> => ({
  'lading.dev/release-name': name,
  'lading.dev/release-namespace': 'other',
})

describe.each(['secrets', 'helm'] as const)('with the %s store, an object belongs to a release', (driver) => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make({ driver })
  })

  it.each([
    ['marked as a Helm release’s', helmMarks('theirs')],
    ['marked as a Lading release’s', ladingMarks('theirs')],
    ['without marks', undefined],
  ])('only if it was applied: an install that failed before claims no object %s', async (_, annotations) => {
    await expect(shop.install([config('x', 'ours'), brokenHook])).rejects.toMatchObject({ code: 'release.failed' })
    await create(config('x', 'theirs', annotations))
    const again = shop.upgrade([config('x', 'ours')], { install: true, conflicts: 'force' })
    await expect(again).rejects.toMatchObject({
      code: 'release.not-owned',
      message: expect.stringContaining('does not belong to the release') as string,
    })
    await shop.uninstall()
    expect((await shop.find('x'))?.['data']).toEqual({ value: 'theirs' })
  })

  it('only if it was applied: nor does an upgrade that failed before, nor the rollback after it', async () => {
    await shop.install([config('a', '1')])
    await shop.upgrade([config('a', '2')])
    await expect(shop.upgrade([config('x', 'ours'), brokenHook])).rejects.toMatchObject({ code: 'release.failed' })
    await create(config('x', 'theirs'))
    await expect(shop.upgrade([config('x', 'ours')], { conflicts: 'force' })).rejects.toMatchObject({
      code: 'release.not-owned',
    })
    const { plan } = await shop.rollback(1)
    expect(plan.actions.map(({ ref, action }) => `${ref.name} ${action}`)).toEqual(['a update', 'x keep'])
    expect((await shop.find('x'))?.['data']).toEqual({ value: 'theirs' })
  })

  it('only if it was applied: nor does an operation that died before it wrote', async () => {
    const { store } = shop.engine
    await shop.install([config('a', '1')])
    const good = await store.get({ ...shop.release, version: 1 }, ctx)
    if (good === undefined) throw new Error('there is no revision 1')
    const x = { ref: { group: '', version: 'v1', kind: 'ConfigMap', namespace: shop.namespace, name: 'x' }, hash: '1' }
    const state = { status: 'pending-upgrade', started_at: new Date().toISOString(), timeout: 300 } as const
    const inventory = [...good.record.inventory, x]
    await store.create({ ...good.record, version: 2, state: { ...state, previous_version: 1 }, inventory }, ctx)
    await create(config('x', 'theirs'))
    await expect(shop.upgrade([config('a', '1'), config('x', 'ours')], { conflicts: 'force' })).rejects.toMatchObject({
      code: 'release.not-owned',
    })
  })

  it('once it was applied, also by a revision that failed after it and although it lost its marks', async () => {
    const late = hook('migrate', 'post-install', { simulate: { '': 'job-fail' } })
    await expect(shop.install([config('a', '1'), late])).rejects.toMatchObject({ code: 'release.failed' })
    const stored = await shop.engine.store.get({ ...shop.release, version: 1 }, ctx)
    const live = await shop.find('a')
    expect(stored?.record.inventory).toMatchObject([{ ref: { name: 'a' }, uid: live?.metadata.uid }])
    await shop.patch('a', { metadata: { annotations: null, labels: null } })
    await shop.upgrade([config('a', '2')], { install: true, conflicts: 'force' })
    expect((await shop.find('a'))?.['data']).toEqual({ value: '2' })
  })

  it('not if somebody deleted it and another of its name was made', async () => {
    await shop.install([config('a', '1')])
    await shop.remove('a')
    await create(config('a', 'theirs'))
    await expect(shop.upgrade([config('a', '2')], { conflicts: 'force' })).rejects.toMatchObject({
      code: 'release.not-owned',
    })
    await shop.uninstall()
    expect((await shop.find('a'))?.['data']).toEqual({ value: 'theirs' })
  })

  it('also if a revision that failed, or died, created it anew', async () => {
    await shop.install([config('a', '1')])
    await shop.remove('a')
    const late = hook('migrate', 'post-upgrade', { simulate: { '': 'job-fail' } })
    await expect(shop.upgrade([config('a', '2'), late])).rejects.toMatchObject({ code: 'release.failed' })
    await shop.uninstall({ noHooks: true })
    expect(await shop.find('a')).toBeUndefined()
  })

  it('not once a release of another tool has marked it too: neither changed nor deleted', async () => {
    await shop.install([config('a', '1'), config('b', '1')])
    const marks = driver === 'helm' ? ladingMarks('theirs') : helmMarks('theirs')
    await shop.patch('a', { metadata: { annotations: marks } })
    await expect(shop.upgrade([config('a', '2'), config('b', '1')])).rejects.toMatchObject({
      code: 'release.not-owned',
      message: expect.stringContaining('other/theirs') as string,
    })
    const { actions } = await finish(planUninstall(shop.engine, shop.release, {}, ctx))
    expect(actions.map(({ ref, action }) => `${ref.name} ${action}`)).toEqual(['b delete', 'a keep'])
    const { plan } = await shop.upgrade([config('b', '1')])
    expect(plan.actions.map(({ ref, action }) => `${ref.name} ${action}`)).toEqual(['b unchanged', 'a keep'])
    await shop.uninstall()
    expect([await shop.find('a'), await shop.find('b')]).toMatchObject([{ data: { value: '1' } }, undefined])
  })

  it('once it was taken: the marks of the release that lost it are gone, and it is not asked for again', async () => {
    const marks = driver === 'helm' ? ladingMarks('theirs') : helmMarks('theirs')
    await create(config('a', 'theirs', { ...marks, note: 'kept' }))
    const { plan } = await shop.install([config('a', '1')], { conflicts: 'force', takeOwnership: true })
    const reason = `it is taken from the ${driver === 'helm' ? 'Lading' : 'Helm'} release other/theirs`
    expect(plan.actions).toMatchObject([{ action: 'update', reason }])
    const annotations = (await shop.find('a'))?.metadata.annotations
    expect(Object.keys(annotations ?? {}).filter((name) => name in marks)).toEqual([])
    expect(annotations).toMatchObject({ note: 'kept' })
    expect((await shop.upgrade([config('a', '1')])).outcome).toBe('unchanged')
    await shop.upgrade([config('a', '2')])
    await shop.uninstall()
    expect(await shop.find('a')).toBeUndefined()
  })

  it.each(['shop', 'web'])(
    'once it was taken from the other tool’s release %s: no mark of that tool stays',
    async (name) => {
      const [tool, prefix] = driver === 'helm' ? ['Lading', 'lading.dev'] : ['Helm', 'meta.helm.sh']
      const annotations = { [`${prefix}/release-name`]: name, [`${prefix}/release-namespace`]: shop.namespace }
      const theirs = config('a', '1', annotations)
      await create({ ...theirs, metadata: { ...theirs.metadata, labels: { ...helmLabel, app: 'a' } } })
      const own = { ...config('b', '1'), metadata: { name: 'b', labels: helmLabel } }
      await create({ ...own, metadata: { ...own.metadata, annotations } })
      const refused = await shop.install([config('a', '1')]).catch((error: unknown) => error as Error)
      expect(refused).toMatchObject({ code: 'release.not-owned' })
      expect((refused as Error).message).toContain(`it belongs to the ${tool} release ${shop.namespace}/${name}, which`)
      expect((refused as Error).message).toContain('--storage helm')
      const { plan } = await shop.install([config('a', '1'), own], { conflicts: 'force', takeOwnership: true })
      const reason = `it is taken from the ${tool} release ${shop.namespace}/${name}`
      expect(plan.actions).toMatchObject([
        { action: 'update', reason },
        { action: 'update', reason },
      ])
      const [a, b] = [await shop.find('a'), await shop.find('b')]
      expect(Object.keys({ ...a?.metadata.annotations, ...b?.metadata.annotations }).join(' ')).not.toContain(prefix)
      // The label is Helm's unless the object sets it itself.
      expect(a?.metadata.labels).toEqual(driver === 'helm' ? { ...helmLabel, app: 'a' } : { app: 'a' })
      expect(b?.metadata.labels).toEqual(helmLabel)
      expect((await shop.upgrade([config('a', '1'), own])).outcome).toBe('unchanged')
    },
  )

  it('not because only the server can judge a change of it later', async () => {
    const crds = await releases.make({ driver }, 'crds')
    const group = `later-${driver}.example`
    const resource: KubeObject = { apiVersion: `${group}/v1`, kind: 'Shop', metadata: { name: 'x' }, spec: { a: 1 } }
    await crds.install([shopCrd(group, ['v1'])])
    await create({ ...resource, metadata: { name: 'x', annotations: helmMarks('theirs') } })
    const changed = [shopCrd(group, ['v1', 'v2']), resource]
    const objects = changed.map((object) => ({
      ...object,
      metadata: { namespace: shop.namespace, ...object.metadata },
    }))
    await expect(crds.upgrade(objects, { conflicts: 'force' })).rejects.toMatchObject({ code: 'release.not-owned' })
  })

  async function create(object: KubeObject): Promise<void> {
    const metadata = { ...object.metadata, namespace: shop.namespace }
    await createObject(shop.cluster, { ...object, metadata }, {}, ctx)
  }
})

describe('a history proves', () => {
  const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'x' }
  const id = objectId(ref)
  const record = { inventory: [{ ref, hash: '' }] }
  const good = (helm: object): ReleaseHistory['current'] =>
    ({ record: { ...record, helm }, token: '' }) as unknown as ReleaseHistory['current']

  it('an object by its uid, not by its name', () => {
    const isProven = ownershipProof({ inventory: [{ ref, hash: '', uid: 'u1' }], current: good({ foreign: true }) })
    expect([isProven(id, { name: 'x', uid: 'u1' }), isProven(id, { name: 'x', uid: 'u2' })]).toEqual([true, false])
  })

  it('an object by its name only where Helm itself wrote the good revision', () => {
    const { inventory } = record
    expect(ownershipProof({ inventory, current: good({ foreign: true }) })(id, { name: 'x', uid: 'u1' })).toBe(true)
    expect(ownershipProof({ inventory, current: good({}) })(id, { name: 'x', uid: 'u1' })).toBe(false)
    expect(ownershipProof({ inventory, current: undefined })(id, { name: 'x', uid: 'u1' })).toBe(false)
  })
})
