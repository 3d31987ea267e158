import { describe, expect, it } from 'vitest'
import { context, type LadingEvent } from '../../core/index.ts'
import { install } from '../run/operations.ts'
import { createStore } from '../storage/create-store.ts'
import { config } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()

describe('a release whose objects are there and whose records are not', () => {
  const releases = sandboxReleases()

  it('is warned of once when it is installed: another store may have its records', async () => {
    const shop = await releases.make()
    await shop.install([config('a', '1'), config('b', '1')])
    expect(await warningsOfInstall(shop)).toEqual([
      expect.stringMatching(/^it and 1 more carry the marks of release .*\/shop, of which this store has no record/),
    ])
  })

  it('is not warned of where a policy kept the objects of an earlier one', async () => {
    const shop = await releases.make()
    const kept = { 'helm.sh/resource-policy': 'keep' }
    await shop.install([config('a', '1', kept), config('b', '1', kept)])
    await shop.uninstall()
    expect(await warningsOfInstall(shop)).toEqual([])
  })

  async function warningsOfInstall(shop: SandboxRelease): Promise<string[]> {
    const elsewhere = { ...shop.engine, store: createStore({ driver: 'configmap' }, shop.cluster) }
    const { events } = await finish(install(elsewhere, shop.content(config('a', '2'), config('b', '2')), {}, ctx))
    return events.flatMap((event: LadingEvent) => (event.type === 'warning' ? [event.message] : []))
  }
})
