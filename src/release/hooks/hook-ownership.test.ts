import { beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { createObject } from '../../kube/index.ts'
import { install } from '../run/operations.ts'
import { planUninstall } from '../plan/plan-uninstall.ts'
import { recover } from '../run/recover.ts'
import { config, hook } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()
const always = { 'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded,hook-failed' }
const keep = { 'helm.sh/resource-policy': 'keep' }
const isHook = { 'helm.sh/hook': 'pre-install' }

describe.each(['secrets', 'helm'] as const)('with the %s store, a hook', (driver) => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make({ driver })
  })

  it.each(['recover', 'uninstall'] as const)(
    'that had not run before a crash does not cost another release its hook of that name: %s',
    async (healing) => {
      const late = [config('account', '1', { 'helm.sh/hook': 'post-upgrade', ...always }), job('post-upgrade', always)]
      await shop.install([config('a', '1'), ...late])
      await crash()
      await other([config('b', '1'), config('account', 'theirs', isHook), job('pre-install')])
      const before = await uids()
      if (healing === 'recover') await finish(recover(shop.engine, shop.release, ctx))
      else await shop.uninstall()
      expect(await uids()).toEqual(before)
    },
  )

  it('of another release with that name is not replaced, unless that is asked for', async () => {
    await other([config('b', '1'), job('pre-install')])
    const before = await uids()
    const objects = [config('a', '1'), job('pre-install')]
    const message = expect.stringContaining(`what belongs to the release ${shop.namespace}/other`) as string
    await expect(shop.install(objects)).rejects.toMatchObject({ code: 'release.not-owned', message })
    expect([await uids(), await shop.find('a'), await shop.statuses()]).toEqual([before, undefined, []])
    await shop.install(objects, { takeOwnership: true })
    expect(await uids()).not.toEqual(before)
    await shop.upgrade([config('a', '2'), job('pre-upgrade')])
  })

  it.each<[string, Record<string, string> | undefined, string]>([
    ['no marks', undefined, 'an object that does not belong to the release'],
    ['a keep policy', keep, 'an object with the annotation helm.sh/resource-policy: keep'],
    [
      'a keep policy that is a hook',
      { ...keep, ...isHook },
      'a hook with the annotation helm.sh/resource-policy: keep',
    ],
    [
      'the marks of a Lading release and of a hook',
      { ...marks('lading.dev'), 'helm.sh/hook': 'x' },
      'the release web/theirs',
    ],
    [
      'the marks of a Helm release and of a hook',
      { ...marks('meta.helm.sh'), 'helm.sh/hook': 'x' },
      'the release web/theirs',
    ],
  ])('replaces no object with %s', async (_, annotations, found) => {
    await create(config('db', 'handmade', annotations))
    const uid = (await shop.find('db'))?.metadata.uid
    for (const policy of [undefined, { 'helm.sh/hook-delete-policy': 'hook-succeeded' }]) {
      const objects = [config('a', '1'), config('db', 'charts', { ...isHook, ...policy })]
      const { plan } = await shop.planInstall(objects)
      const problem = expect.stringContaining(found) as string
      expect(plan.hooks).toMatchObject([{ ref: { name: 'db' }, code: 'release.not-owned', problem }])
      await expect(shop.install(objects)).rejects.toMatchObject({
        code: 'release.not-owned',
        details: { failures: [{ ref: { name: 'db' }, message: problem }] },
      })
    }
    expect(await shop.find('db')).toMatchObject({ metadata: { uid }, data: { value: 'handmade' } })
    expect([await shop.find('a'), await shop.statuses()]).toEqual([undefined, []])
  })

  it('replaces what it may, and the plan says what that is', async () => {
    await create(config('db', 'of helm', isHook))
    const objects = (value: string) => [
      config('a', value),
      config('db', value, { 'helm.sh/hook': 'pre-install,pre-upgrade' }),
    ]
    const replaces = async (planned: Promise<{ plan: { hooks: readonly { replaces?: string }[] } }>) =>
      (await planned).plan.hooks.map((each) => each.replaces)
    expect(await replaces(shop.planInstall(objects('1')))).toEqual(['a hook that carries no marks of a release'])
    await shop.install(objects('1'))
    expect(await shop.find('db')).toMatchObject({ data: { value: '1' } })
    expect(await replaces(shop.planUpgrade(objects('2')))).toEqual(['what this release left'])
    await shop.upgrade(objects('2'))
    expect(await shop.find('db')).toMatchObject({ data: { value: '2' } })
  })

  it('replaces anything where that is asked for, and what it has overwritten is its own then', async () => {
    await create(config('db', 'handmade', { ...keep, ...marks('meta.helm.sh') }))
    const once = { 'helm.sh/hook': 'pre-install,pre-upgrade', 'helm.sh/hook-delete-policy': 'hook-failed' }
    const { plan } = await shop.planInstall([config('db', '1', once)], { takeOwnership: true })
    expect(plan.hooks).toMatchObject([{ replaces: 'what belongs to the release web/theirs' }])
    await shop.install([config('a', '1'), config('db', '1', once)], { takeOwnership: true })
    await shop.upgrade([config('a', '2'), config('db', '2', once)])
    expect(await shop.find('db')).toMatchObject({ data: { value: '2' } })
  })

  it('of an uninstall that would replace what is another’s is refused before anything is deleted', async () => {
    await shop.install([config('a', '1'), config('db', 'hook', { 'helm.sh/hook': 'post-delete' })])
    await create(config('db', 'handmade'))
    const { hooks } = await finish(planUninstall(shop.engine, shop.release, {}, ctx))
    expect(hooks).toMatchObject([{ ref: { name: 'db' }, code: 'release.not-owned' }])
    await expect(shop.uninstall()).rejects.toMatchObject({ code: 'release.not-owned' })
    expect([(await shop.find('a'))?.['data'], await shop.statuses()]).toEqual([{ value: '1' }, ['deployed']])
  })

  it('that finds somebody else’s object only when it runs leaves it alone', async () => {
    const objects = [config('a', '1'), config('db', 'hook', { 'helm.sh/hook': 'post-install' })]
    const operation = install(shop.engine, shop.content(...objects), {}, ctx)
    const running = async (): Promise<void> => {
      for await (const event of operation)
        if (event.type === 'object' && event.ref.name === 'a') await create(config('db', 'handmade'))
    }
    await expect(running()).rejects.toMatchObject({ code: 'release.failed', details: { code: 'hook.failed' } })
    expect(await shop.find('db')).toMatchObject({ data: { value: 'handmade' } })
  })

  /** Leaves an upgrade behind that died in its pre-upgrade phase. */
  async function crash(): Promise<void> {
    const { store } = shop.engine
    const good = await store.get({ ...shop.release, version: 1 }, ctx)
    if (good === undefined) throw new Error('there is no revision 1')
    const state = { status: 'pending-upgrade', started_at: new Date(0).toISOString(), timeout: 300 } as const
    await store.create({ ...good.record, version: 2, state: { ...state, previous_version: 1 } }, ctx)
  }

  async function other(objects: readonly KubeObject[]): Promise<void> {
    const release = { ...shop.release, name: 'other' }
    await finish(install(shop.engine, { ...shop.content(...objects), release }, {}, ctx))
  }

  async function uids(): Promise<(string | undefined)[]> {
    const found = [await shop.find('account'), await shop.find('migrate', 'Job', 'batch')]
    return found.map((object) => object?.metadata.uid)
  }

  async function create(object: KubeObject): Promise<void> {
    const metadata = { ...object.metadata, namespace: shop.namespace }
    await createObject(shop.cluster, { ...object, metadata }, {}, ctx)
  }
})

function job(phases: string, annotations: Record<string, string> = {}): KubeObject {
  return hook('migrate', phases, { annotations })
}

function marks(prefix: string): Record<string, string> {
  return { [`${prefix}/release-name`]: 'theirs', [`${prefix}/release-namespace`]: 'web' }
}
