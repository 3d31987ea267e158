import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { clusterIdentity } from '../../kube/index.ts'
import { diffRelease } from './diff-release.ts'
import { planUninstall } from './plan-uninstall.ts'
import { createStore } from '../storage/create-store.ts'
import { config } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { uninstall } from '../run/uninstall.ts'
import { install, rollback, upgrade } from '../run/operations.ts'

const ctx = context()
const [first, second] = [sandboxReleases(), sandboxReleases()]
let path: string
let shop: SandboxRelease

beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'lading-wrong-cluster-'))
  shop = await first.make({ driver: 'file', path })
  await shop.install([config('a', '1')])
  await shop.upgrade([config('a', '2')])
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

it('a record in a file names the cluster that its objects are on', async () => {
  const stored = await shop.engine.store.get({ ...shop.release, version: 2 }, ctx)
  expect(stored?.record.cluster).toBe(await clusterIdentity(first.cluster, ctx))
})

it.each(['install', 'upgrade', 'rollback', 'uninstall', 'plan of an uninstall', 'diff'] as const)(
  'records in files of a release on another cluster: %s is refused before anything',
  async (operation) => {
    const { cluster } = second
    const engine = { cluster, store: createStore({ driver: 'file', path }, cluster) }
    const content = shop.content(config('a', '3'))
    const run = {
      install: () => finish(install(engine, content, { createNamespace: true }, ctx)),
      upgrade: () => finish(upgrade(engine, content, {}, ctx)),
      rollback: () => finish(rollback(engine, shop.release, 1, {}, ctx)),
      uninstall: () => finish(uninstall(engine, shop.release, {}, ctx)),
      'plan of an uninstall': () => finish(planUninstall(engine, shop.release, {}, ctx)),
      diff: () => finish(diffRelease(engine, content, {}, ctx)),
    }[operation]
    await expect(run()).rejects.toMatchObject({ code: 'release.wrong-cluster' })
    expect(await shop.statuses()).toEqual(['superseded', 'deployed'])
    expect((await shop.find('a'))?.['data']).toEqual({ value: '2' })
  },
)

it('a record in a file without a cluster, as older ones are, is worked on', async () => {
  const files = createStore({ driver: 'file', path })
  for (const version of [1, 2]) {
    const stored = await files.get({ ...shop.release, version }, ctx)
    const { cluster: _, ...record } = stored!.record
    await files.update(stored!, record, ctx)
  }
  await shop.uninstall()
  expect(await shop.find('a')).toBeUndefined()
})
