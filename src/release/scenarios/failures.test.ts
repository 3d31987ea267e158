import { beforeEach, describe, expect, it } from 'vitest'
import { context, LadingError } from '../../core/index.ts'
import { readHistory } from '../record/history.ts'
import { install, upgrade } from '../run/operations.ts'
import type { ReleaseStore, RevisionSummary } from '../storage/release-store.ts'
import { config, hook } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()
const broken = (name: string, phases: string): ReturnType<typeof hook> =>
  hook(name, phases, { simulate: { '': 'job-fail' } })

describe('an operation that fails', () => {
  const releases = sandboxReleases()
  let shop: SandboxRelease
  beforeEach(async () => {
    shop = await releases.make()
  })

  it('twice, tells what went wrong first, not that this could not be put on record; the next command heals it', async () => {
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

  it('again and again makes no endless history; the good revision stays, and all that the failed ones left is removed', async () => {
    await shop.install([config('a', '1')])
    const odd = { ...config('odd', '1'), nonsense: 1 }
    for (const at of [2, 3, 4, 5]) {
      const failing = shop.upgrade([config(`left-${at}`, '1'), odd], { historyMax: 3, onError: 'continue' })
      await expect(failing).rejects.toMatchObject({ code: 'release.failed' })
    }
    const history = await shop.engine.store.history('shop', shop.namespace, ctx)
    expect(history.map(({ version, status }) => `${version} ${status}`)).toEqual(['1 deployed', '4 failed', '5 failed'])
    expect(await shop.find('left-2')).toBeDefined()
    await shop.upgrade([config('a', '2')])
    expect([await shop.find('left-2'), await shop.find('left-5')]).toEqual([undefined, undefined])
  })

  it('is not gone back from when it was cancelled before it began', async () => {
    const cancel = new AbortController()
    const store = { ...passing(shop.engine.store), create: stop }
    const own = context({ signal: cancel.signal })
    const installing = install({ ...shop.engine, store }, shop.content(config('a', '1')), { atomic: true }, own)
    await expect(finish(installing)).rejects.toMatchObject({ name: 'AbortError' })
    expect([await shop.find('a'), await shop.statuses()]).toEqual([undefined, []])

    function stop(): Promise<never> {
      cancel.abort()
      return Promise.reject(new DOMException('stopped', 'AbortError'))
    }
  })

  it('goes back to what was good when it began, although another upgrade came in between', async () => {
    await shop.install([config('a', '1')])
    const content = shop.content(config('a', '3'), broken('migrate', 'post-upgrade'))
    const history = await readHistory(shop.engine.store, shop.release, ctx)
    await shop.upgrade([config('a', '2')])
    // As one that has read the history, and then had to wait for the lock.
    const store = { ...passing(shop.engine.store), history: once(history.revisions, shop.engine.store) }
    const failing = finish(upgrade({ ...shop.engine, store }, { ...content, history }, { atomic: true }, ctx))
    await expect(failing).rejects.toMatchObject({ code: 'release.failed' })
    expect((await shop.find('a'))?.['data']).toEqual({ value: '2' })
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
  const update = (): Promise<never> => Promise.reject(new LadingError('kube.unreachable', 'the API server is gone'))
  return { ...passing(store), update }
}

/** A history that is the given one when it is first asked for. */
function once(first: readonly RevisionSummary[], store: ReleaseStore): ReleaseStore['history'] {
  let asked = false
  return async (name, namespace, own) => {
    const now = await store.history(name, namespace, own)
    if (asked) return now
    asked = true
    return first
  }
}

/** A store that hands everything on. */
function passing(store: ReleaseStore): ReleaseStore {
  return {
    driver: store.driver,
    ownership: (release) => store.ownership(release),
    prepare: (record, origin) => store.prepare(record, origin),
    get: (key, own) => store.get(key, own),
    history: (name, namespace, own) => store.history(name, namespace, own),
    list: (namespace, own) => store.list(namespace, own),
    create: (record, own) => store.create(record, own),
    update: (stored, next, own) => store.update(stored, next, own),
    delete: (stored, own) => store.delete(stored, own),
  }
}
