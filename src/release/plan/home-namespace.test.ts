import { beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { apply } from '../run/apply.ts'
import { planInstall } from './plan-operations.ts'
import { getObject } from '../../kube/index.ts'
import type { DeployOptions } from '../deploy-options.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Content } from '../intent.ts'
import { install, upgrade } from '../run/operations.ts'
import { planUninstall } from './plan-uninstall.ts'
import { createMemoryStore } from '../storage/memory-store.ts'
import { config, hook, namespaceObject } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { uninstall } from '../run/uninstall.ts'

const ctx = context()

const releases = sandboxReleases()

describe('a release that brings its own namespace', () => {
  let engine: ReleaseEngine
  let release: SandboxRelease['release']
  let content: (...objects: KubeObject[]) => Content
  let home: KubeObject
  beforeEach(async () => {
    const other = await releases.make()
    engine = other.engine
    release = { name: 'shop', namespace: `${other.namespace}-own` }
    content = (...objects) => ({ ...other.content(...objects), release })
    home = namespaceObject(release.namespace)
  })

  const findHome = (): Promise<KubeObject | undefined> =>
    getObject(engine.cluster, { group: '', version: 'v1', kind: 'Namespace', name: release.namespace }, ctx)
  const statuses = async (): Promise<string[]> =>
    (await engine.store.history('shop', release.namespace, ctx)).map(({ status }) => status)
  const put = async (objects: readonly KubeObject[], options: DeployOptions = {}): Promise<void> => {
    await finish(upgrade(engine, content(...objects), { ...options, install: true }, ctx))
  }

  it.each([{}, { createNamespace: true }])('is installed into it and upgraded, %o', async (options) => {
    await put([home, config('a', '1')], options)
    await put([{ ...home, metadata: { ...home.metadata, labels: { team: 'web' } } }, config('a', '2')], options)
    expect(await statuses()).toEqual(['superseded', 'deployed'])
    expect((await findHome())?.metadata).toMatchObject({
      labels: { team: 'web' },
      annotations: { 'lading.dev/release-name': 'shop' },
    })
  })

  it('takes it along when it is uninstalled, after its last hook', async () => {
    await put([home, config('a', '1'), hook('bye', 'post-delete')])
    const { events, objects } = await finish(uninstall(engine, release, {}, ctx))
    const told = events.flatMap((event) => {
      if (event.type === 'object') return [`${event.ref.kind} ${event.action}`]
      return event.type === 'hook' ? [`hook ${event.status}`] : []
    })
    expect(told).toEqual(['ConfigMap deleted', 'hook started', 'hook succeeded', 'Namespace deleted'])
    expect(objects.map(({ ref }) => ref.kind)).toEqual(['ConfigMap', 'Namespace'])
    expect([await findHome(), await statuses()]).toEqual([undefined, []])
  })

  it('leaves no record behind when those are kept elsewhere', async () => {
    engine = { ...engine, store: createMemoryStore() }
    await put([home, config('a', '1')])
    await finish(uninstall(engine, release, {}, ctx))
    expect([await findHome(), await statuses()]).toEqual([undefined, []])
  })

  it('leaves it when the history is to be kept, which is in it', async () => {
    await put([home, config('a', '1')])
    const { actions } = await finish(planUninstall(engine, release, { keepHistory: true }, ctx))
    expect(actions.map(({ ref, action }) => `${ref.kind} ${action}`).sort()).toEqual([
      'ConfigMap delete',
      'Namespace keep',
    ])
    const { objects } = await finish(uninstall(engine, release, { keepHistory: true }, ctx))
    expect(objects).toContainEqual(expect.objectContaining({ action: 'skipped' }))
    expect([(await findHome())?.metadata.deletionTimestamp, await statuses()]).toEqual([undefined, ['uninstalled']])
  })

  it('keeps it when an upgrade leaves it out: everything would go with it', async () => {
    await put([home, config('a', '1')])
    const { plan } = await finish(upgrade(engine, content(config('a', '2')), {}, ctx))
    expect(plan.actions).toContainEqual(
      expect.objectContaining({ action: 'keep', reason: 'it is the namespace of the release itself' }),
    )
    expect([(await findHome())?.metadata.deletionTimestamp, await statuses()]).toEqual([
      undefined,
      ['superseded', 'deployed'],
    ])
  })

  it('is installed as it was planned', async () => {
    const wanted = content(home, config('a', '1'))
    const plan = await planInstall(engine, wanted, {}, ctx)
    expect(plan.actions.map(({ action }) => action)).toEqual(['create', 'later'])
    await apply(engine, plan, {}, ctx)
    expect(await statuses()).toEqual(['deployed'])
  })
})

it('a release whose namespace nobody brings says so', async () => {
  const shop = await releases.make()
  const nowhere = { ...shop.content(config('a', '1')), release: { name: 'shop', namespace: 'nowhere' } }
  await expect(finish(install(shop.engine, nowhere, {}, ctx))).rejects.toThrow(
    'the namespace nowhere does not exist: create it, or have it created with --create-namespace',
  )
})
