import { describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { planUpgrade } from '../plan/plan-operations.ts'
import { apply } from '../run/apply.ts'
import { drift } from '../diff/drift.ts'
import { status } from '../health/status.ts'
import { config, hook } from '../testdata/release-objects.ts'
import { sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()

describe('a Job of a release that its time to live removes after its end', () => {
  const releases = sandboxReleases()

  it('has done its work: it is not run again, is no drift and does not make the release unhealthy', async () => {
    const shop = await releases.make()
    await shop.install([brief(), config('a', '1')], { wait: true, waitForJobs: true, timeoutMs: 120_000 })
    expect(await shop.find('migrate', 'Job', 'batch')).toBeUndefined()
    expect((await shop.upgrade([brief(), config('a', '1')])).outcome).toBe('unchanged')
    const { plan } = await shop.upgrade([brief(), config('a', '2')], {
      wait: true,
      timeoutMs: 120_000,
      stabilizationMs: 10,
    })
    expect(plan.actions.map(({ action }) => action)).toEqual(['unchanged', 'update'])
    expect(await shop.find('migrate', 'Job', 'batch')).toBeUndefined()
    expect((await drift(shop.engine, shop.release, {}, ctx)).drifted).toBe(false)
    expect((await status(shop.engine, shop.release, {}, ctx)).health.state).toBe('healthy')
  })

  it('is run again when it is wanted otherwise, and can be planned for', async () => {
    const shop = await releases.make()
    await shop.install([brief(), config('a', '1')], { wait: true, waitForJobs: true, timeoutMs: 120_000 })
    const content = shop.content(brief(), config('a', '2'))
    await apply(shop.engine, await planUpgrade(shop.engine, content, {}, ctx), {}, ctx)
    const { plan: next } = await shop.upgrade([brief('other'), config('a', '2')], {
      wait: true,
      waitForJobs: true,
      timeoutMs: 120_000,
    })
    expect(next.actions.find(({ ref }) => ref.kind === 'Job')?.action).toBe('create')
  })

  it('is run again after a revision that failed, for it may have been the reason', async () => {
    const shop = await releases.make()
    const failing = brief('one', { '': 'job-fail' })
    await expect(shop.install([failing], { wait: true, waitForJobs: true, timeoutMs: 120_000 })).rejects.toMatchObject({
      code: 'release.failed',
    })
    const { plan } = await shop.install([failing])
    expect(plan.actions.map(({ action }) => action)).toEqual(['create'])
  })

  it('is run again when it was removed before it ended: nobody saw it complete', async () => {
    const shop = await releases.make()
    const hanging = brief('one', { '': 'hang' }, 600)
    await shop.install([hanging, config('a', '1')], { wait: true, timeoutMs: 120_000 })
    await shop.remove('migrate', 'Job', 'batch')
    expect((await drift(shop.engine, shop.release, {}, ctx)).drifted).toBe(true)
    expect((await status(shop.engine, shop.release, {}, ctx)).health.state).toBe('degraded')
    const { plan } = await shop.upgrade([hanging, config('a', '1')])
    expect(plan.actions.map(({ action }) => action)).toEqual(['create', 'unchanged'])
    expect(await shop.find('migrate', 'Job', 'batch')).toBeDefined()
  })

  it('has done its work where a later operation found it complete', async () => {
    const shop = await releases.make()
    const slow = brief('one', {}, 600)
    await shop.install([slow, config('a', '1')])
    await shop.upgrade([slow, config('a', '2')], { wait: true, waitForJobs: true, timeoutMs: 120_000 })
    await shop.remove('migrate', 'Job', 'batch')
    expect((await shop.upgrade([slow, config('a', '2')])).outcome).toBe('unchanged')
  })

  it('has done its work by a record from before ends were recorded', async () => {
    const shop = await releases.make()
    const hanging = brief('one', { '': 'hang' }, 600)
    await shop.install([hanging])
    const { store } = shop.engine
    const stored = await store.get({ ...shop.release, version: 1 }, ctx)
    if (stored === undefined) throw new Error('there is no revision 1')
    const inventory = stored.record.inventory.map(({ completed: _, ...entry }) => entry)
    await store.update(stored, { ...stored.record, inventory }, ctx)
    await shop.remove('migrate', 'Job', 'batch')
    expect((await shop.upgrade([hanging])).outcome).toBe('unchanged')
  })

  it('is missed when it was to stay', async () => {
    const shop = await releases.make()
    const { ttlSecondsAfterFinished: _, ...spec } = brief()['spec'] as Record<string, unknown>
    await shop.install([{ ...brief(), spec }])
    await shop.remove('migrate', 'Job', 'batch')
    expect((await drift(shop.engine, shop.release, {}, ctx)).drifted).toBe(true)
    expect((await status(shop.engine, shop.release, {}, ctx)).health.state).toBe('degraded')
  })
})

function brief(label = 'one', simulate: Record<string, string> = {}, ttlSecondsAfterFinished = 0): KubeObject {
  const job = hook('migrate', '', { simulate, spec: { ttlSecondsAfterFinished } })
  return { ...job, metadata: { name: job.metadata.name, labels: { label } } }
}
