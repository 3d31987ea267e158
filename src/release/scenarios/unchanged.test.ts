import { beforeEach, describe, expect, it } from 'vitest'
import { context, LadingError } from '../../core/index.ts'
import type { DeployOptions } from '../deploy-options.ts'
import type { DeployResult } from '../run/deploy.ts'
import { install, upgrade } from '../run/operations.ts'
import { config, deployment } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()

describe.each(['secrets', 'helm'] as const)('with the %s store, an upgrade that changes no object', (driver) => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make({ driver })
  })

  it('records the values that the user gave, although they are those that the source had anyway', async () => {
    await deploy(install, {}, { replicas: 1 })
    const before = await shop.find('a')
    expect(await deploy(upgrade, { replicas: 1 }, { replicas: 1 })).toMatchObject({
      outcome: 'deployed',
      record: { version: 2, userValues: { replicas: 1 } },
    })
    expect(await shop.find('a')).toEqual(before)
    const stored = await shop.engine.store.get({ ...shop.release, version: 2 }, ctx)
    expect(stored?.record.userValues).toEqual({ replicas: 1 })
    expect(await deploy(upgrade, { replicas: 1 }, { replicas: 1 })).toMatchObject({ outcome: 'unchanged' })
    expect(await deploy(upgrade, {}, { replicas: 1 })).toMatchObject({ outcome: 'deployed', record: { version: 3 } })
  })

  it('is the same whatever the order in which the values are given, and however large their numbers are', async () => {
    const large = 2n ** 60n
    await deploy(install, { a: 1, b: large }, { a: 1, b: large })
    expect(await deploy(upgrade, { b: large, a: 1 }, { b: large, a: 1 })).toMatchObject({ outcome: 'unchanged' })
    expect(await deploy(upgrade, { a: 1, b: large + 1n }, { a: 1, b: large + 1n })).toMatchObject({
      outcome: 'deployed',
    })
  })

  it('records labels and a description that the user gave; those that stand already are no reason for a revision', async () => {
    await shop.install([config('a', '1')], { labels: { team: 'web' }, description: 'first' })
    const same = { labels: { team: 'web' }, description: 'first' }
    expect((await shop.upgrade([config('a', '1')], same)).outcome).toBe('unchanged')
    expect((await shop.upgrade([config('a', '1')])).outcome).toBe('unchanged')
    expect(await shop.upgrade([config('a', '1')], { labels: { team: 'shop' } })).toMatchObject({
      outcome: 'deployed',
      record: { version: 2, labels: { team: 'shop' } },
    })
    expect(await shop.upgrade([config('a', '1')], { labels: { team: 'null' } })).toMatchObject({
      record: { version: 3, labels: {} },
    })
    expect(await shop.upgrade([config('a', '1')], { description: 'checked' })).toMatchObject({
      record: { version: 4, description: 'checked' },
    })
  })

  async function deploy(
    operation: typeof install,
    userValues: Record<string, unknown>,
    values: Record<string, unknown>,
  ): Promise<DeployResult> {
    return finish(operation(shop.engine, { ...shop.content(config('a', '1')), values, userValues }, {}, ctx))
  }
})

describe('an upgrade that changes nothing of a release that is not healthy', () => {
  const releases = sandboxReleases()
  const crashing = deployment('web', { simulate: { '': 'crash-loop', logs: 'no configuration' } })
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make()
    await shop.install([crashing])
  })

  it.each<[string, DeployOptions]>([
    ['wait', { wait: true }],
    ['atomic', { atomic: true }],
    ['a stabilization window', { stabilizationMs: 1 }],
  ])('fails with what is wrong where %s is asked for', async (_, options) => {
    const failure = await failureOf(shop.upgrade([crashing], { ...options, timeoutMs: 30_000 }))
    expect(failure).toMatchObject({ code: 'wait.failed' })
    expect(failure.message).toContain(`release ${shop.namespace}/shop is unchanged at revision 1, but not healthy: `)
    expect(JSON.stringify(failure.details)).toContain('no configuration')
    const saysAtomic = failure.message.endsWith('; nothing was changed, so nothing is rolled back')
    expect(saysAtomic).toBe(options.atomic === true)
    expect(await shop.statuses()).toEqual(['deployed'])
  })

  it('does not wait unless that is asked for, nor for a plan', async () => {
    expect((await shop.upgrade([crashing])).outcome).toBe('unchanged')
    expect((await shop.planUpgrade([crashing])).plan.revision).toBe(1)
  })

  it('fails as a rollback to what it is', async () => {
    const back = await failureOf(shop.rollback(1, { wait: true, timeoutMs: 30_000 }))
    expect(back).toMatchObject({ code: 'release.failed', details: { code: 'wait.failed' } })
  })

  it('says so once it becomes healthy in time', async () => {
    const slow = await releases.make()
    await slow.install([deployment('slow', { simulate: { delay: '50ms' } })])
    const { outcome, events } = await slow.upgrade([deployment('slow', { simulate: { delay: '50ms' } })], {
      wait: true,
    })
    expect(outcome).toBe('unchanged')
    expect(events.some((event) => event.type === 'status' && event.status === 'Current')).toBe(true)
  })
})

async function failureOf(operation: Promise<unknown>): Promise<LadingError> {
  const failure = await operation.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failure instanceof LadingError) return failure
  throw new Error('it did not fail')
}
