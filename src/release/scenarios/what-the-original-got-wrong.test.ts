import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Clock, context, type KubeObject, type LadingError } from '../../core/index.ts'
import { getMetadata, listObjects } from '../../kube/index.ts'
import { drift } from '../diff/drift.ts'
import { acquireLock } from '../lock/lock.ts'
import { planUninstall } from '../plan/plan-uninstall.ts'
import { install, rollback } from '../run/operations.ts'
import { renderContent } from '../source/render-content.ts'
import { createMemoryStore } from '../storage/memory-store.ts'
import { config, deployment, hook, shopCrd } from '../testdata/release-objects.ts'
import { finish, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { uninstall } from '../run/uninstall.ts'

// Numbered as in the list of the original's defects; 11 is also held by the tests of values, 13 belongs to templates.
describe('what the original gets wrong', () => {
  const ctx = context()
  const releases = sandboxReleases()

  it('1: records are Secrets of the namespace, and create-namespace makes the namespace once', async () => {
    const { engine, cluster, namespace } = await releases.make()
    const release = { name: 'shop', namespace: `${namespace}-new` }
    const content = {
      release,
      objects: [config('a', '1')],
      source: { type: 'manifest', name: 'x' } as const,
      values: {},
      provenance: { sources: {} },
    }
    await finish(install(engine, content, { createNamespace: true }, ctx))
    const gvk = { group: '', version: 'v1', kind: 'Secret' }
    const { items } = await listObjects(cluster, { gvk, namespace: release.namespace }, ctx)
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['sh.sherpack.release.v1.shop.v1'])
  })

  it('2: a PEM block in a manifest stays whole', async () => {
    const shop = await releases.make()
    const { engine, release } = shop
    const pem = '-----BEGIN CERTIFICATE-----\nMIIB---x\n-----END CERTIFICATE-----\n'
    const folder = await mkdtemp(join(tmpdir(), 'lading-pem-'))
    try {
      const source = join(folder, 'pem.yaml')
      const block = pem.trimEnd().replaceAll('\n', '\n    ')
      await writeFile(
        source,
        `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ca\ndata:\n  ca.crt: |\n    ${block}\n`,
      )
      await finish(install(engine, await renderContent(engine.store, release, { source }, {}, ctx), {}, ctx))
    } finally {
      await rm(folder, { recursive: true })
    }
    expect((await shop.find('ca'))?.['data']).toEqual({ 'ca.crt': pem })
    await finish(rollback(engine, release, 1, {}, ctx))
    expect((await shop.find('ca'))?.['data']).toEqual({ 'ca.crt': pem })
  })

  it('3: what leaves the set is removed, by an upgrade and by a rollback', async () => {
    const shop = await releases.make()
    const { engine, release } = shop
    await shop.install([config('stays', '1'), config('first', '1')])
    await shop.upgrade([config('stays', '1'), config('second', '1')])
    expect([await shop.find('first'), (await shop.find('second'))?.metadata.name]).toEqual([undefined, 'second'])
    await finish(rollback(engine, release, undefined, {}, ctx))
    expect([(await shop.find('first'))?.metadata.name, await shop.find('second')]).toEqual(['first', undefined])
  })

  it('4: a hook runs once, in the namespace of the release, and is no ordinary object', async () => {
    const { cluster, namespace, ...shop } = await releases.make()
    const { events, record } = await shop.install([config('a', '1'), hook('migrate', 'pre-install')])
    expect(events.filter((event) => event.type === 'hook' && event.status === 'started')).toHaveLength(1)
    expect(events.filter((event) => event.type === 'object').map(({ ref }) => ref.name)).toEqual(['a'])
    expect(record?.inventory.map(({ ref }) => ref.kind)).toEqual(['ConfigMap'])
    const job = await shop.find('migrate', 'Job', 'batch')
    expect(job?.metadata.generation).toBe(1)
    const gvk = { group: 'batch', version: 'v1', kind: 'Job' }
    const { items } = await listObjects(cluster, { gvk, labelSelector: '' }, ctx)
    expect(items.filter(({ metadata }) => metadata.namespace === 'default')).toEqual([])
    expect(job?.metadata.namespace).toBe(namespace)
  })

  it('5: a hook Job that fails is noticed at once, with its log', async () => {
    const shop = await releases.make()
    const failing = hook('broken', 'pre-install', { simulate: { '': 'job-fail', logs: 'no such table' } })
    // Longer than a test may take: waiting for the end of that time would not pass.
    const work = finish(install(shop.engine, shop.content(config('a', '1'), failing), { timeoutMs: 600_000 }, ctx))
    await expect(work).rejects.toMatchObject({ code: 'release.failed', details: { code: 'hook.failed' } })
    expect(await shop.find('a')).toBeUndefined()
  })

  it('5: a Pod hook is waited for', async () => {
    const shop = await releases.make()
    const slow = hook('check', 'pre-install', { kind: 'Pod', simulate: { delay: '300ms' } })
    await shop.install([config('a', '1'), slow])
    expect((await shop.find('check', 'Pod'))?.['status']).toMatchObject({ phase: 'Succeeded' })
    const broken = hook('check', 'pre-upgrade', { kind: 'Pod', simulate: { '': 'job-fail' } })
    await expect(shop.upgrade([config('a', '2'), broken])).rejects.toMatchObject({ details: { code: 'hook.failed' } })
  })

  it('5: errors of post- and delete-hooks are errors', async () => {
    const shop = await releases.make()
    const broken = (phases: string): KubeObject => hook('broken', phases, { simulate: { '': 'job-fail' } })
    await expect(shop.install([config('a', '1'), broken('post-install')])).rejects.toThrow('post-install hook')
    await shop.install([config('a', '1'), broken('pre-delete')])
    await expect(shop.uninstall()).rejects.toThrow('pre-delete hook')
    const history = await shop.engine.store.history('shop', shop.namespace, ctx)
    expect(history.at(-1)?.description).toMatch(/^Uninstallation failed: pre-delete hook/)
    expect(await shop.find('a')).toBeDefined()
    await shop.uninstall({ noHooks: true })
    expect(await shop.find('a')).toBeUndefined()
  })

  it('5: delete policies are a list, and hook-failed is one of them', async () => {
    const shop = await releases.make()
    const annotations = { 'helm.sh/hook-delete-policy': 'hook-succeeded, hook-failed' }
    const broken = hook('broken', 'pre-install', { annotations, simulate: { '': 'job-fail' } })
    await expect(shop.install([broken, config('a', '1')])).rejects.toMatchObject({ code: 'release.failed' })
    expect(await shop.find('broken', 'Job', 'batch')).toBeUndefined()
    await shop.install([hook('good', 'pre-install', { annotations }), config('a', '1')])
    expect(await shop.find('good', 'Job', 'batch')).toBeUndefined()
  })

  it('5: a hook that an earlier run left behind runs again, whatever its delete policy', async () => {
    const shop = await releases.make()
    const annotations = { 'helm.sh/hook-delete-policy': 'hook-failed' }
    const migrate = hook('migrate', 'pre-install,pre-upgrade', { annotations })
    await shop.install([migrate, config('a', '1')])
    const first = await shop.find('migrate', 'Job', 'batch')
    await shop.upgrade([migrate, config('a', '2')])
    const second = await shop.find('migrate', 'Job', 'batch')
    expect(second?.metadata.uid).not.toBe(first?.metadata.uid)
  })

  it('5: names of releases and hooks may be longer than a label', async () => {
    const shop = await releases.make({ driver: 'secrets' }, 'r'.repeat(100))
    const long = { ...config('c'.repeat(120), '1', { 'helm.sh/hook': 'pre-install' }) }
    await shop.install([long, config('a', '1')])
    await shop.upgrade([long, config('a', '2')])
    expect(await shop.statuses()).toEqual(['superseded', 'deployed'])
    expect(await shop.find('c'.repeat(120))).toBeDefined()
  })

  it.each([
    ['CrashLoopBackOff', { simulate: { '': 'crash-loop' } }],
    ['ImagePullBackOff', { simulate: { '': 'image-pull-error' } }],
    ['ProgressDeadlineExceeded', { simulate: { '': 'unready' }, spec: { progressDeadlineSeconds: 1 } }],
  ])('6: %s fails at once, with its reason', async (reason, more) => {
    const shop = await releases.make()
    const content = shop.content(deployment('web', more))
    const hurried = context({ clock: hurriedClock() })
    const work = finish(install(shop.engine, content, { wait: true, timeoutMs: 60_000 }, hurried))
    const failure = await work.catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'release.failed', details: { code: 'wait.failed' } })
    const { objects } = (failure as LadingError<'release.failed'>).details
    expect(objects).toMatchObject([{ ref: { name: 'web' }, status: 'Failed', reason }])
    expect(await shop.statuses()).toEqual(['failed'])
  })

  it('6: an upgrade waits for the new generation, and an object may have its own namespace', async () => {
    const shop = await releases.make()
    const other = await releases.make()
    const elsewhere = (delay: string): KubeObject => {
      const object = deployment('web', { simulate: { delay } })
      return { ...object, metadata: { ...object.metadata, namespace: other.namespace } }
    }
    await shop.install([elsewhere('0ms')], { wait: true })
    await shop.upgrade([elsewhere('200ms')], { wait: true })
    const live = await other.find('web', 'Deployment', 'apps')
    expect(live?.['status']).toMatchObject({ observedGeneration: 2, updatedReplicas: 1, readyReplicas: 1 })
    expect(await shop.find('web', 'Deployment', 'apps')).toBeUndefined()
  })

  it('7: the old revision is superseded only by a good one, and a rollback skips failed ones', async () => {
    const shop = await releases.make()
    await shop.install([config('a', '1')])
    const broken = hook('broken', 'pre-upgrade', { simulate: { '': 'job-fail' } })
    await expect(shop.upgrade([config('a', '2'), broken])).rejects.toMatchObject({ code: 'release.failed' })
    expect(await shop.statuses()).toEqual(['deployed', 'failed'])
    const { record } = await shop.rollback()
    expect(record?.description).toBe('Rollback to 1')
    expect(await shop.statuses()).toEqual(['superseded', 'failed', 'deployed'])
  })

  it('8: uninstall --dry-run writes nothing', async () => {
    const shop = await releases.make()
    await shop.install([config('a', '1'), hook('bye', 'pre-delete')])
    const before = await everything()
    const { actions } = await planUninstall(shop.engine, shop.release, {}, ctx)
    expect(actions.map(({ ref, action }) => `${ref.name} ${action}`)).toEqual(['a delete'])
    expect(await everything()).toEqual(before)

    async function everything(): Promise<string[]> {
      const kinds = ['Secret', 'ConfigMap'].map((kind) => ({ group: '', version: 'v1', kind }))
      const all = [
        ...kinds,
        { group: 'batch', version: 'v1', kind: 'Job' },
        { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' },
      ]
      const lists = await Promise.all(
        all.map((gvk) => listObjects(shop.cluster, { gvk, namespace: shop.namespace }, ctx)),
      )
      return lists.flatMap(({ items }) => items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`))
    }
  })

  it('8: uninstall and rollback respect the lock', async () => {
    const shop = await releases.make()
    await shop.install([config('a', '1')])
    await shop.upgrade([config('a', '2')])
    const lock = await acquireLock(shop.cluster, { ...shop.release, operation: 'upgrade', durationMs: 1_000 }, ctx)
    const locked = { code: 'release.locked' }
    await expect(shop.uninstall()).rejects.toMatchObject(locked)
    await expect(shop.rollback(1)).rejects.toMatchObject(locked)
    await lock.release()
    expect((await shop.find('a'))?.['data']).toEqual({ value: '2' })
  })

  it('8: a release can be installed again after a failure, and after an uninstall that kept its history', async () => {
    const shop = await releases.make()
    const broken = hook('broken', 'post-install', { simulate: { '': 'job-fail' } })
    await expect(shop.install([config('a', '1'), broken])).rejects.toMatchObject({ code: 'release.failed' })
    await shop.install([config('a', '1')])
    await shop.uninstall({ keepHistory: true })
    await shop.install([config('a', '1')])
    expect(await shop.statuses()).toEqual(['failed', 'uninstalled', 'deployed'])
  })

  it('9: a record that cannot be read is reported, and stays as it is', async () => {
    const shop = await releases.make()
    const store = createMemoryStore()
    const engine = { cluster: shop.cluster, store }
    await finish(install(engine, shop.content(config('a', '1')), {}, ctx))
    store.damage({ ...shop.release, version: 1 })
    expect((await store.history('shop', shop.namespace, ctx)).map(({ status }) => status)).toEqual(['unknown'])
    const unreadable = { code: 'release.unreadable' }
    await expect(finish(install(engine, shop.content(config('a', '2')), {}, ctx))).rejects.toMatchObject(unreadable)
    await expect(finish(uninstall(engine, shop.release, {}, ctx))).rejects.toMatchObject(unreadable)
    expect(await store.history('shop', shop.namespace, ctx)).toHaveLength(1)
  })

  it('10: a CRD and its custom resource are one release', async () => {
    const shop = await releases.make()
    const resource: KubeObject = {
      apiVersion: 'ten.example/v1',
      kind: 'Shop',
      metadata: { name: 'one' },
      spec: { size: 1 },
    }
    await shop.install([resource, shopCrd('ten.example', ['v1'])])
    expect(await shop.find('one', 'Shop', 'ten.example')).toMatchObject({ spec: { size: 1 } })
    await shop.uninstall()
    const crd = {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      kind: 'CustomResourceDefinition',
      name: 'shops.ten.example',
    }
    expect(await getMetadata(shop.cluster, crd, ctx)).toBeUndefined()
  })

  it('10: what the server and its controllers add is no drift, and needs no new revision', async () => {
    const shop = await releases.make()
    await shop.install([deployment('web')], { wait: true })
    expect((await drift(shop.engine, shop.release, {}, ctx)).drifted).toBe(false)
    expect((await shop.upgrade([deployment('web')])).outcome).toBe('unchanged')
  })

  it('11: an upgrade records the new source, a rollback that of its target', async () => {
    const shop = await releases.make()
    const from = (version: string): Parameters<typeof install>[1] => ({
      ...shop.content(config('a', version)),
      source: { type: 'pack', name: 'shop', version, digest: version },
      values: { version },
    })
    await finish(install(shop.engine, from('1.0.0'), {}, ctx))
    const { record: second } = await shop.upgrade([config('a', '2')])
    expect(second?.pack.type).toBe('manifest')
    const { record } = await shop.rollback(1)
    expect([record?.pack.version, record?.values]).toEqual(['1.0.0', { version: '1.0.0' }])
  })

  it('12: atomic implies wait', async () => {
    const shop = await releases.make()
    const { events } = await shop.install([deployment('web', { simulate: { delay: '200ms' } })], { atomic: true })
    expect(events.some((event) => event.type === 'status' && event.status === 'Current')).toBe(true)
    expect((await shop.find('web', 'Deployment', 'apps'))?.['status']).toMatchObject({ readyReplicas: 1 })
  })
})

/** Time that runs twenty times as fast: a failure that may heal by itself has to last for ten seconds. */
function hurriedClock(): Clock {
  const began = Date.now()
  return {
    now: () => began + (Date.now() - began) * 20,
    sleep: (ms, signal) => setTimeout(ms / 20, undefined, { signal }),
  }
}
