import { beforeEach, describe, expect, it } from 'vitest'
import { context, manualClock } from '../../core/index.ts'
import { planInstall } from './plan-operations.ts'
import { deleteObject } from '../../kube/index.ts'
import { drift } from '../diff/drift.ts'
import { upgrade } from '../run/operations.ts'
import { config } from '../testdata/release-objects.ts'
import { type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()
const hold = 'example.com/hold'

describe('an object that is being deleted while a finalizer holds it', () => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make()
    await shop.install([config('a', '1'), config('b', '1')])
    await shop.patch('a', { metadata: { finalizers: [hold] } })
    const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: shop.namespace, name: 'a' }
    await deleteObject(shop.cluster, ref, { wait: false }, ctx)
  })

  it.each(['1', '2'])('is waited for and created anew by an upgrade to value %s', async (value) => {
    const before = await shop.find('a')
    const told: string[] = []
    const running = upgrade(shop.engine, shop.content(config('a', value), config('b', '1')), {}, ctx)
    let next = await running.next()
    for (; next.done !== true; next = await running.next()) {
      if (next.value.type === 'status' && next.value.status === 'Terminating') {
        told.push(next.value.message)
        await shop.patch('a', { metadata: { finalizers: null } })
      }
    }
    expect(told[0]).toContain(hold)
    expect(next.value).toMatchObject({ outcome: 'deployed' })
    const after = await shop.find('a')
    expect(after).toMatchObject({ data: { value } })
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
    expect(after?.metadata.deletionTimestamp).toBeUndefined()
  })

  it('fails when the time is up, names the finalizers and makes no revision', async () => {
    const clock = manualClock(Date.now())
    const content = shop.content(config('a', '1'), config('b', '1'))
    const failing = upgrade(shop.engine, content, { timeoutMs: 60_000 }, context({ clock }))
    const untilRefused = async (): Promise<void> => {
      for await (const event of failing)
        if (event.type === 'status' && event.status === 'Terminating') void clock.advance(60_000)
    }
    await expect(untilRefused()).rejects.toMatchObject({
      code: 'kube.terminating',
      message: expect.stringContaining(hold),
    })
    expect(await shop.statuses()).toEqual(['deployed'])
  })

  it('is told by a plan and by drift', async () => {
    const { plan } = await shop.planUpgrade([config('a', '1'), config('b', '1')])
    expect(plan.actions.find(({ ref }) => ref.name === 'a')).toMatchObject({
      action: 'invalid',
      code: 'kube.terminating',
      reason: `it is being deleted, and the finalizers ${hold} hold it: it has to be gone before it can be created`,
    })
    const { objects } = await drift(shop.engine, shop.release, {}, ctx)
    const notes = objects.map(({ ref, note }) => [ref.name, note])
    expect(notes).toContainEqual(['a', `it is being deleted, held by the finalizers ${hold}`])
  })

  it('is told by an install that would adopt it', async () => {
    const other = { ...shop.content(config('a', '1')), release: { ...shop.release, name: 'other' } }
    const plan = await planInstall(shop.engine, other, { takeOwnership: true }, ctx)
    expect(plan.actions[0]).toMatchObject({ action: 'invalid', code: 'kube.terminating' })
  })
})
