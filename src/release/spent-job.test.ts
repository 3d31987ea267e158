import { describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../core/index.ts'
import { drift } from './diff/drift.ts'
import { upgrade } from './operations.ts'
import { status } from './status.ts'
import { config, hook } from './testdata/release-objects.ts'
import { finish, sandboxReleases } from './testdata/sandbox-releases.ts'

const ctx = context()

describe('a Job of a release that its time to live removes after its end', () => {
  const releases = sandboxReleases()

  it('has done its work: it is not run again, is no drift and does not make the release unhealthy', async () => {
    const shop = await releases.make()
    await shop.install([brief(), config('a', '1')], { wait: true, timeoutMs: 120_000 })
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
    await shop.install([brief(), config('a', '1')], { wait: true, timeoutMs: 120_000 })
    const content = shop.content(brief(), config('a', '2'))
    const { plan } = await finish(upgrade(shop.engine, content, { dryRun: true }, ctx))
    await finish(upgrade(shop.engine, { ...content, plan }, {}, ctx))
    const { plan: next } = await shop.upgrade([brief('other'), config('a', '2')], { wait: true, timeoutMs: 120_000 })
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

  it('is missed when it was to stay', async () => {
    const shop = await releases.make()
    const { ttlSecondsAfterFinished: _, ...spec } = brief()['spec'] as Record<string, unknown>
    await shop.install([{ ...brief(), spec }])
    await shop.remove('migrate', 'Job', 'batch')
    expect((await drift(shop.engine, shop.release, {}, ctx)).drifted).toBe(true)
    expect((await status(shop.engine, shop.release, {}, ctx)).health.state).toBe('degraded')
  })
})

function brief(label = 'one', simulate: Record<string, string> = {}): KubeObject {
  const job = hook('migrate', '', { simulate, spec: { ttlSecondsAfterFinished: 0 } })
  return { ...job, metadata: { name: job.metadata.name, labels: { label } } }
}
