import { beforeEach, describe, expect, it } from 'vitest'
import { context, formatRef } from '../../core/index.ts'
import { createObject, getObject } from '../../kube/index.ts'
import { acquireLock } from '../lock/lock.ts'
import { holderOf } from '../lock/lock-holder.ts'
import { createStore } from '../storage/create-store.ts'
import { dyingCluster } from '../testdata/dying-cluster.ts'
import { config, deployment, hook } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { correctDrift, type CorrectOptions } from './correct-drift.ts'
import { drift } from '../diff/drift.ts'

const ctx = context()

describe.each(['secrets', 'helm'] as const)('drift of a release of the %s store', (driver) => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make({ driver })
  })

  it('is corrected: what is missing is created again, what was changed set back, what was added stays', async () => {
    await shop.install([config('a', '1'), config('gone', '1'), config('calm', '1')])
    await shop.patch('a', { data: { value: 'theirs', extra: 'x' } })
    await shop.remove('gone')
    const done = await correct({})
    expect(done.corrected.map(({ ref, action }) => `${action} ${ref.name}`).sort()).toEqual(['create gone', 'update a'])
    expect(done.revision).toBe(2)
    expect((await shop.find('a'))?.['data']).toEqual({ value: '1', extra: 'x' })
    expect((await shop.find('gone'))?.['data']).toEqual({ value: '1' })
    expect(done.remaining.objects.filter(({ drift: found }) => found?.state !== 'none')).toMatchObject([
      { ref: { name: 'a' }, drift: { state: 'added', added: [{ path: '.data.extra' }] } },
    ])
  })

  it('is corrected with the fields that others added where that is asked for, and a second look finds nothing', async () => {
    await shop.install([config('a', '1')])
    await shop.patch('a', { data: { value: 'theirs', extra: 'x' } })
    expect((await correct({ foreignFields: 'remove' })).remaining.drifted).toBe(false)
    expect((await shop.find('a'))?.['data']).toEqual({ value: '1' })
    expect(await correct({ foreignFields: 'remove' })).toMatchObject({ corrected: [], remaining: { drifted: false } })
    expect(await shop.statuses()).toEqual(['superseded', 'deployed'])
  })

  it('is not corrected where others only added, unless that is to be removed', async () => {
    await shop.install([config('a', '1')])
    await shop.patch('a', { data: { extra: 'x' } })
    expect(await correct({})).toMatchObject({ corrected: [], remaining: { drifted: true } })
    expect(await shop.statuses()).toEqual(['deployed'])
  })

  it('is corrected without running hooks', async () => {
    await shop.install([config('a', '1'), hook('undo', 'pre-rollback,post-rollback')])
    await shop.patch('a', { data: { value: 'theirs' } })
    await correct({})
    expect(await shop.find('undo', 'Job', 'batch')).toBeUndefined()
  })

  it('that is an object of somebody else by now is refused, and nothing is written', async () => {
    await shop.install([config('a', '1'), config('b', '1')])
    await shop.patch('b', { data: { value: 'theirs' } })
    const owner =
      driver === 'helm'
        ? { 'meta.helm.sh/release-name': 'other', 'meta.helm.sh/release-namespace': shop.namespace }
        : { 'lading.dev/release-name': 'other', 'lading.dev/release-namespace': shop.namespace }
    await shop.patch('a', { metadata: { annotations: owner }, data: { value: 'other' } })
    await expect(correct({})).rejects.toMatchObject({ code: 'release.not-owned' })
    expect((await shop.find('a'))?.['data']).toEqual({ value: 'other' })
    expect((await shop.find('b'))?.['data']).toEqual({ value: 'theirs' })
  })

  it('waits for an operation that holds the lock, and corrects what that one left', async () => {
    await shop.install([config('a', '1')])
    await shop.patch('a', { data: { value: 'theirs' } })
    const report = await drift(shop.engine, shop.release, {}, ctx)
    const lock = await acquireLock(
      shop.cluster,
      { ...shop.release, operation: 'upgrade', durationMs: 1000, holder: 'host_elsewhere' },
      ctx,
    )
    const correcting = correctDrift(shop.engine, report, {}, ctx)
    let waited = 0
    let next = await correcting.next()
    for (; next.done !== true; next = await correcting.next()) {
      if (next.value.type !== 'progress' || !next.value.message.startsWith('waiting to correct drift')) continue
      waited++
      await lock.release()
    }
    expect(waited).toBe(1)
    expect(next.value).toMatchObject({ corrected: [{ action: 'update' }], remaining: { drifted: false } })
  })

  it('never undoes an upgrade that came between the look and the correction', async () => {
    await shop.install([config('a', '1')])
    await shop.patch('a', { data: { value: 'theirs' } })
    const report = await drift(shop.engine, shop.release, {}, ctx)
    await shop.upgrade([config('a', '2')], { conflicts: 'force' })
    const done = await finish(correctDrift(shop.engine, report, {}, ctx))
    expect(done).toMatchObject({ corrected: [], remaining: { revision: 2, drifted: false } })
    expect((await shop.find('a'))?.['data']).toEqual({ value: '2' })
  })

  it('deletes nothing: what a failed upgrade left is named, and the next upgrade prunes it', async () => {
    await shop.install([config('a', '1')])
    const late = hook('late', 'post-upgrade', { simulate: { '': 'job-fail' } })
    await expect(shop.upgrade([config('a', '1'), config('new', '1'), late])).rejects.toMatchObject({
      code: 'release.failed',
    })
    await shop.patch('a', { data: { value: 'theirs' } })
    const done = await correct({})
    expect(done.corrected).toMatchObject([{ ref: { name: 'a' }, action: 'update' }])
    expect(done.leftOver).toMatchObject([{ name: 'new' }])
    expect(done.remaining.orphans).toEqual([])
    expect(await shop.find('new')).toBeDefined()
    await shop.upgrade([config('a', '2')])
    expect(await shop.find('new')).toBeUndefined()
  })

  it('whose correction crashed at any of its writes is healed by the next one, also where nothing is left to correct', async () => {
    await shop.install([config('a', '1')])
    let writes = 0
    for (let at = 1; at <= 20; at += 1) {
      await shop.patch('a', { data: { value: `theirs ${at}` } })
      const dying = dyingCluster(shop.cluster, at, 'after the write')
      const cluster = { ...shop.cluster, ...dying.cluster }
      const engine = { cluster, store: createStore({ driver }, cluster), lock: { holder: holderOf(999_999_999) } }
      const report = await drift(engine, shop.release, {}, ctx)
      await finish(correctDrift(engine, report, {}, ctx)).catch(() => undefined)
      if (!dying.died()) break
      writes = at
      await correct({})
      expect((await shop.find('a'))?.['data']).toEqual({ value: '1' })
      const statuses = await shop.statuses()
      expect([at, statuses.filter((status) => status.startsWith('pending')), statuses.at(-1)]).toEqual([
        at,
        [],
        'deployed',
      ])
    }
    expect(writes).toBeGreaterThan(4)
  })

  it('leaves orphans where they are', async () => {
    await shop.install([deployment('web')], { wait: true })
    const { annotations } = (await shop.find('web', 'Deployment', 'apps'))?.metadata ?? {}
    const labels = { 'app.kubernetes.io/managed-by': 'Helm' }
    const left = { ...config('left', '1'), metadata: { name: 'left', namespace: shop.namespace, labels, annotations } }
    await createObject(shop.cluster, left, {}, ctx)
    const done = await correct({ foreignFields: 'remove' })
    expect(done.corrected).toEqual([])
    expect(done.remaining.orphans.map(formatRef)).toEqual([`ConfigMap ${shop.namespace}/left`])
    const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: shop.namespace, name: 'left' }
    expect(await getObject(shop.cluster, ref, ctx)).toBeDefined()
  })

  async function correct(options: CorrectOptions): Promise<Awaited<ReturnType<typeof finish<CorrectionOf>>>> {
    const report = await drift(shop.engine, shop.release, options, ctx)
    return await finish(correctDrift(shop.engine, report, options, ctx))
  }
})

type CorrectionOf = ReturnType<typeof correctDrift> extends AsyncGenerator<unknown, infer R> ? R : never
