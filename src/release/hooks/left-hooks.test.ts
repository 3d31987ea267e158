import { beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { createObject } from '../../kube/index.ts'
import { holderOf } from '../lock/lock-holder.ts'
import { recover } from '../run/recover.ts'
import { uninstall } from '../run/uninstall.ts'
import { createStore } from '../storage/create-store.ts'
import { type LateWrite, lateWrite } from '../testdata/late-write.ts'
import { config } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()
const next = [config('a', '2')]

describe.each(['secrets', 'helm'] as const)(
  'a hook that an uninstall creates after another operation took over, with the store %s',
  (driver) => {
    const releases = sandboxReleases()
    let shop: SandboxRelease
    let late: LateWrite

    beforeEach(async () => {
      shop = await releases.make({ driver })
      await shop.install([config('a', '1'), account('pre-delete', 'hook-succeeded')])
      late = lateWrite(shop.cluster, ({ path }) => path.endsWith('/configmaps/account'))
      const { cluster } = late
      // Its lock is that of a process which is gone, so that it can be taken at once.
      const engine = { cluster, store: createStore({ driver }, cluster), lock: { holder: holderOf(999_999_999) } }
      await finish(uninstall(engine, shop.release, {}, ctx)).catch(() => undefined)
      if (!late.sent()) throw new Error('the hook was not created')
    })

    it('is removed by an upgrade that finds nothing else to do', async () => {
      await arriveAfter(next)
      const { outcome, events } = await shop.upgrade(next)
      expect(outcome).toBe('unchanged')
      expect(events).toContainEqual(expect.objectContaining({ type: 'hook', status: 'deleted' }))
      expect(await shop.find('account')).toBeUndefined()
    })

    it('is removed by an upgrade although the new revision has the hook too', async () => {
      await arriveAfter([...next, account('pre-delete', 'hook-succeeded')])
      await shop.upgrade([config('a', '3')])
      expect(await shop.find('account')).toBeUndefined()
    })

    it('is removed by recover, which names it', async () => {
      await arriveAfter(next)
      const { recovered, removed } = await finish(recover(shop.engine, shop.release, ctx))
      expect([recovered, removed.map(({ name }) => name)]).toEqual([true, ['account']])
      expect(await shop.find('account')).toBeUndefined()
      expect(await finish(recover(shop.engine, shop.release, ctx))).toMatchObject({ recovered: false, removed: [] })
    })

    it('is removed by uninstall, also without hooks', async () => {
      await arriveAfter(next)
      await shop.uninstall({ noHooks: true })
      expect(await shop.find('account')).toBeUndefined()
    })

    it('is not confused with the hook of the new revision, whose policy is to stay', async () => {
      const objects = [...next, account('pre-upgrade', 'before-hook-creation')]
      await shop.upgrade(objects)
      expect((await shop.upgrade(objects)).outcome).toBe('unchanged')
      expect((await finish(recover(shop.engine, shop.release, ctx))).removed).toEqual([])
      expect(await shop.find('account')).toBeDefined()
    })

    it('is not confused with an object of somebody else that has its name', async () => {
      await shop.upgrade(next)
      const { metadata, ...theirs } = account('pre-delete', 'hook-succeeded')
      const namespace = shop.namespace
      await createObject(shop.cluster, { ...theirs, metadata: { ...metadata, namespace } }, {}, ctx)
      await shop.upgrade(next)
      await shop.uninstall()
      expect(await shop.find('account')).toBeDefined()
    })

    async function arriveAfter(objects: readonly KubeObject[]): Promise<void> {
      await shop.upgrade(objects)
      expect(await shop.find('account')).toBeUndefined()
      await late.deliver()
      expect(await shop.find('account')).toBeDefined()
    }
  },
)

function account(phases: string, policy: string): KubeObject {
  return config('account', '1', { 'helm.sh/hook': phases, 'helm.sh/hook-delete-policy': policy })
}
