import { describe, expect, it } from 'vitest'
import { context, type KubeObject, type LadingEvent } from '../../core/index.ts'
import { watchObjects } from '../../kube/index.ts'
import { planUninstall } from '../plan/plan-uninstall.ts'
import { config } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()

describe('what a release deletes', () => {
  const releases = sandboxReleases()

  it('goes by waves at an uninstall, the last one first, each gone before the next', async () => {
    const shop = await releases.make()
    await shop.install(ordered())
    const { events } = await shop.uninstall()
    expect(deleted(events)).toEqual(['front', 'app', 'db', 'account'])
  })

  it('waits for a wave to be gone before the next one is touched', async () => {
    const shop = await releases.make()
    await shop.install(ordered())
    await shop.patch('front', { metadata: { finalizers: ['example.org/slow'] } })
    const going = shop.uninstall()
    await terminating(shop, 'front')
    expect([(await shop.find('app'))?.metadata.deletionTimestamp, (await shop.find('db'))?.metadata.name]).toEqual([
      undefined,
      'db',
    ])
    await shop.patch('front', { metadata: { finalizers: null } })
    await going
    expect(await shop.find('db')).toBeUndefined()
  })

  it('is shown in that order by the plan and the dry run of an uninstall', async () => {
    const shop = await releases.make()
    await shop.install(ordered())
    const plan = await finish(planUninstall(shop.engine, shop.release, {}, ctx))
    expect(plan.actions.map(({ ref }) => ref.name)).toEqual(['front', 'app', 'db', 'account'])
    expect(plan.waves.map(({ order, step, objects }) => [order, step, objects.map(({ name }) => name)])).toEqual([
      [1, 0, ['front']],
      [0, 1, ['app']],
      [0, 0, ['db', 'account']],
    ])
  })

  it('goes in that order when an upgrade or a rollback no longer wants it', async () => {
    const shop = await releases.make()
    await shop.install([config('x', '1')])
    await shop.upgrade([...ordered(), config('x', '1')])
    const { events, plan } = await shop.rollback(1)
    expect(deleted(events)).toEqual(['front', 'app', 'db', 'account'])
    const planned = plan.actions.filter(({ action }) => action === 'delete').map(({ ref }) => ref.name)
    expect(planned).toEqual(['front', 'app', 'db', 'account'])
    await shop.upgrade([...ordered(), config('x', '1')])
    expect(deleted((await shop.upgrade([config('x', '2')])).events)).toEqual(['front', 'app', 'db', 'account'])
  })

  it('goes although the annotations on record cannot be followed', async () => {
    const shop = await releases.make()
    await shop.install(ordered())
    const stored = (await shop.engine.store.get({ ...shop.release, version: 1 }, ctx))!
    const manifest = stored.record.manifest.replace('ConfigMap/db', 'ConfigMap/app')
    expect(manifest).not.toBe(stored.record.manifest)
    await shop.engine.store.update(stored, { ...stored.record, manifest }, ctx)
    const { events } = await shop.uninstall()
    expect(deleted(events)[0]).toBe('front')
    expect(await shop.find('db')).toBeUndefined()
  })
})

/** Applied as account, db, app, front. */
function ordered(): KubeObject[] {
  return [
    config('front', '1', { 'lading.dev/sync-wave': '1' }),
    config('app', '1', { 'lading.dev/wait-for': 'ConfigMap/db' }),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'account' } },
    config('db', '1'),
  ]
}

function deleted(events: readonly LadingEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'object' && event.action === 'deleted' ? [event.ref.name] : []))
}

async function terminating(shop: SandboxRelease, name: string): Promise<void> {
  const query = { gvk: { group: '', version: 'v1', kind: 'ConfigMap' }, namespace: shop.namespace, name }
  for await (const event of watchObjects(shop.cluster, query, ctx)) {
    if (event.type === 'modified' || event.type === 'added') {
      if (event.object.metadata.deletionTimestamp !== undefined) return
    }
  }
}
