import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { context, LadingError } from '../core/index.ts'
import { install, upgrade } from './operations.ts'
import type { ReleaseStore } from './storage/release-store.ts'
import {
  config,
  finish,
  hook,
  openSandboxReleases,
  type SandboxRelease,
  type SandboxReleases,
} from './testdata/sandbox-releases.ts'

const ctx = context()
const broken = (name: string, phases: string): ReturnType<typeof hook> =>
  hook(name, phases, { simulate: { '': 'job-fail' } })

describe('an operation that fails twice', () => {
  let releases: SandboxReleases
  let shop: SandboxRelease
  beforeAll(async () => {
    releases = await openSandboxReleases()
  })
  afterAll(() => releases.close())
  beforeEach(async () => {
    shop = await releases.make()
  })

  it('tells what went wrong first, not that this could not be put on record; the next command heals it', async () => {
    const store = unwritable(shop.engine.store)
    const content = shop.content(config('a', '1'), broken('migrate', 'post-install'))
    await expect(finish(install({ ...shop.engine, store }, content, {}, ctx))).rejects.toMatchObject({
      code: 'release.failed',
      message: expect.stringContaining('post-install hook Job.batch') as string,
    })
    expect(await shop.statuses()).toEqual(['pending-install'])
    await shop.install([config('a', '1')])
    expect(await shop.statuses()).toEqual(['failed', 'deployed'])
  })

  it('on the way back too, tells both, and leaves a release that can be worked on', async () => {
    await shop.install([config('a', '1'), broken('undo', 'pre-rollback')])
    const next = [config('a', '2'), broken('migrate', 'post-upgrade')]
    const failure = await shop.upgrade(next, { atomic: true }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(LadingError)
    expect((failure as LadingError).message).toMatch(
      /failed as revision 2: post-upgrade hook .*; going back failed too: .*pre-rollback hook/,
    )
    expect((failure as LadingError).cause).toMatchObject({ errors: [{ code: 'release.failed' }, {}] })
    expect(await shop.statuses()).toEqual(['deployed', 'failed', 'failed'])
    expect((await shop.upgrade([config('a', '3')])).outcome).toBe('deployed')
    expect((await shop.find('a'))?.['data']).toEqual({ value: '3' })
  })

  it('on the way out of an install too, leaves a release that can be uninstalled', async () => {
    const objects = [config('a', '1'), broken('bye', 'pre-delete'), broken('migrate', 'post-install')]
    await expect(shop.install(objects, { atomic: true })).rejects.toThrow(/going back failed too: .*pre-delete hook/)
    expect(await shop.find('a')).toBeDefined()
    await shop.uninstall({ noHooks: true })
    expect([await shop.find('a'), await shop.statuses()]).toEqual([undefined, []])
  })

  it('is not gone back from when nothing was done: a plan that is refused leaves the release alone', async () => {
    await shop.install([config('a', '1')])
    const odd = { ...config('b', '1'), nonsense: 1 }
    const failing = finish(upgrade(shop.engine, shop.content(config('a', '2'), odd), { atomic: true }, ctx))
    await expect(failing).rejects.toMatchObject({ code: 'apply.failed' })
    expect(await shop.statuses()).toEqual(['deployed'])
  })
})

/** A store that takes new records and no changes. */
function unwritable(store: ReleaseStore): ReleaseStore {
  return {
    driver: store.driver,
    get: (key, own) => store.get(key, own),
    history: (name, namespace, own) => store.history(name, namespace, own),
    list: (namespace, own) => store.list(namespace, own),
    create: (record, own) => store.create(record, own),
    update: () => Promise.reject(new LadingError('kube.unreachable', 'the API server is gone')),
    delete: (stored, own) => store.delete(stored, own),
  }
}
