import { beforeEach, describe, expect, it } from 'vitest'
import { context, formatRef, type KubeObject, type LadingEvent } from '../../core/index.ts'
import { apply } from '../run/apply.ts'
import { createObject, type KubeRequest } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import { drift } from '../diff/drift.ts'
import { holderOf } from '../lock/lock-holder.ts'
import { upgrade } from '../run/operations.ts'
import { planUninstall } from '../plan/plan-uninstall.ts'
import { recover } from '../run/recover.ts'
import { status } from '../health/status.ts'
import { createStore } from '../storage/create-store.ts'
import { type LateWrite, lateWrite } from '../testdata/late-write.ts'
import { config, hook } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { uninstall } from '../run/uninstall.ts'

const ctx = context()
const three = [config('a', '3'), config('b', '1')]

describe.each(['secrets', 'helm'] as const)(
  'a write that arrives after its lock was lost, with the store %s',
  (driver) => {
    const releases = sandboxReleases()
    let shop: SandboxRelease

    beforeEach(async () => {
      shop = await releases.make({ driver })
      await shop.install([config('a', '1'), config('b', '1')])
    })

    it('does not change an object that the new revision wrote', async () => {
      const late = await suspendedUpgrade([config('a', '2'), config('b', '1')], ({ path }) =>
        path.endsWith('/configmaps/a'),
      )
      await shop.upgrade(three)
      await expect(late.deliver()).rejects.toMatchObject({ code: 'kube.conflict' })
      expect((await shop.find('a'))?.['data']).toEqual({ value: '3' })
    })

    it('does not delete an object that the new revision wrote', async () => {
      const late = suspended(({ method, path }) => method === 'DELETE' && path.endsWith('/configmaps/a'))
      await expect(finish(uninstall(engineOf(late), shop.release, {}, ctx))).rejects.toThrow('suspended')
      await shop.upgrade(three, { install: true })
      await expect(late.deliver()).rejects.toMatchObject({ code: 'kube.conflict' })
      expect((await shop.find('a'))?.['data']).toEqual({ value: '3' })
    })

    it('that creates an object is found by drift and status, and the plan of an uninstall names it', async () => {
      await orphanOf('late')
      const names = [`ConfigMap ${shop.namespace}/late`]
      expect((await drift(shop.engine, shop.release, {}, ctx)).orphans.map(formatRef)).toEqual(names)
      const report = await status(shop.engine, shop.release, {}, ctx)
      expect(report.orphans.map(formatRef)).toEqual(names)
      expect(report.health.state).toBe('healthy')
      const { actions } = await finish(planUninstall(shop.engine, shop.release, {}, ctx))
      expect(actions.find(({ ref }) => ref.name === 'late')).toMatchObject({ action: 'delete' })
    })

    it('that creates an object is undone by an upgrade, also by one that changes nothing else', async () => {
      await orphanOf('late')
      const { plan, outcome } = await shop.upgrade(three)
      expect(outcome).toBe('deployed')
      expect(plan.actions.filter(({ action }) => action === 'delete').map(({ ref }) => ref.name)).toEqual(['late'])
      expect(await shop.find('late')).toBeUndefined()
      expect((await shop.upgrade(three)).outcome).toBe('unchanged')
    })

    it('that creates an object is undone by recover, and by nobody if it became part of the release', async () => {
      await orphanOf('late')
      const { recovered, removed, orphans } = await finish(recover(shop.engine, shop.release, ctx))
      expect([recovered, removed.map(({ name }) => name), orphans]).toEqual([true, ['late'], []])
      expect(await shop.find('late')).toBeUndefined()
      await shop.upgrade([...three, config('late', '4')])
      expect(await finish(recover(shop.engine, shop.release, ctx))).toMatchObject({ recovered: false, removed: [] })
      expect(await shop.find('late')).toBeDefined()
    })

    it('that creates an object is undone by uninstall', async () => {
      await orphanOf('late')
      await shop.uninstall()
      expect(await shop.find('late')).toBeUndefined()
    })

    it('leaves alone what has the name of such an object and belongs to somebody else', async () => {
      const late = await suspendedUpgrade([config('late', '2')], ({ path }) => path.endsWith('/configmaps/late'))
      expect(late.sent()).toBe(true)
      await shop.upgrade(three)
      await createObject(shop.cluster, placed(config('late', 'theirs')), {}, ctx)
      expect((await shop.upgrade(three)).outcome).toBe('unchanged')
      expect((await finish(recover(shop.engine, shop.release, ctx))).removed).toEqual([])
      await shop.uninstall()
      expect((await shop.find('late'))?.['data']).toEqual({ value: 'theirs' })
    })

    async function orphanOf(name: string): Promise<void> {
      const late = await suspendedUpgrade([config('a', '1'), config(name, '2')], ({ path }) =>
        path.endsWith(`/${name}`),
      )
      await shop.upgrade(three)
      expect(await shop.find(name)).toBeUndefined()
      await late.deliver()
      expect(await shop.find(name)).toBeDefined()
    }

    async function suspendedUpgrade(
      objects: readonly KubeObject[],
      isMeant: (request: KubeRequest) => boolean,
    ): Promise<LateWrite> {
      const late = suspended(isMeant)
      const upgrading = finish(upgrade(engineOf(late), shop.content(...objects), {}, ctx))
      await expect(upgrading).rejects.toThrow('suspended')
      expect(late.sent()).toBe(true)
      return late
    }

    function suspended(isMeant: (request: KubeRequest) => boolean): LateWrite {
      return lateWrite(shop.cluster, isMeant)
    }

    /** Its lock is that of a process which is gone, so that it can be taken at once. */
    function engineOf({ cluster }: LateWrite): ReleaseEngine {
      return { cluster, store: createStore({ driver }, cluster), lock: { holder: holderOf(999_999_999) } }
    }

    function placed(object: KubeObject): KubeObject {
      return { ...object, metadata: { ...object.metadata, namespace: shop.namespace } }
    }
  },
)

describe('objects with the marks of a release that stand in no revision', () => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make()
    await shop.install(three)
  })

  it('go with the release, but for those that hold data or that a policy keeps', async () => {
    await mark(config('copy', '1'))
    await mark(config('precious', '1', { 'lading.dev/resource-policy': 'keep' }))
    await mark(claim)
    const { actions } = await finish(planUninstall(shop.engine, shop.release, {}, ctx))
    expect(Object.fromEntries(actions.map(({ ref, action }) => [ref.name, action]))).toEqual({
      a: 'delete',
      b: 'delete',
      copy: 'delete',
      data: 'keep',
    })
    const { events } = await shop.uninstall()
    expect(await shop.find('copy')).toBeUndefined()
    expect(await shop.find('precious')).toBeDefined()
    expect(await shop.find('data', 'PersistentVolumeClaim')).toBeDefined()
    expect(events).toContainEqual({
      type: 'warning',
      ref: expect.objectContaining({ kind: 'PersistentVolumeClaim', name: 'data' }),
      message: expect.stringMatching(/^orphan: it carries the marks/),
    })
  })

  it('keep an uninstall from being carried out whose approved plan does not name them', async () => {
    const plan = await planUninstall(shop.engine, shop.release, {}, ctx)
    await mark(config('copy', '1'))
    await expect(apply(shop.engine, plan, {}, ctx)).rejects.toMatchObject({ code: 'plan.mismatch' })
    expect(await shop.find('a')).toBeDefined()
    expect(await shop.find('copy')).toBeDefined()
  })

  it('are named by recover and stay', async () => {
    await mark(config('copy', '1'))
    const { recovered, orphans, events } = await finish(recover(shop.engine, shop.release, ctx))
    expect([recovered, orphans.map(({ name }) => name)]).toEqual([false, ['copy']])
    expect(events.flatMap(warning)).toContainEqual(expect.stringContaining('stands in no revision'))
    expect(await shop.find('copy')).toBeDefined()
  })

  const claim: KubeObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }

  async function mark(object: KubeObject): Promise<void> {
    const { annotations } = shop.engine.store.ownership(shop.release).guard
    const metadata = {
      ...object.metadata,
      namespace: shop.namespace,
      annotations: { ...object.metadata.annotations, ...annotations },
    }
    await createObject(shop.cluster, { ...object, metadata }, {}, ctx)
  }
})

describe('the way back of an operation that failed', () => {
  const releases = sandboxReleases()

  it.each(['upgrade', 'install'] as const)('leaves what another process has made since, after an %s', async (from) => {
    const shop = await releases.make()
    if (from === 'upgrade') await shop.install([config('a', '1')])
    const broken = hook('broken', 'post-install,post-upgrade', { simulate: { '': 'job-fail' } })
    const content = shop.content(config('a', '2'), broken)
    const options = { atomic: true, install: true }
    const failing = upgrade(shop.engine, content, options, ctx)
    const run = async (): Promise<void> => {
      for await (const event of failing) {
        const returns = event.type === 'progress' && /going back|is removed/.test(event.message)
        if (returns) await shop.upgrade(three, { install: true })
      }
    }
    await expect(run()).rejects.toThrow(/by now|another operation has worked on/)
    expect((await shop.find('a'))?.['data']).toEqual({ value: '3' })
    expect((await shop.statuses()).at(-1)).toBe('deployed')
  })
})

function warning(event: LadingEvent): string[] {
  return event.type === 'warning' ? [event.message] : []
}
