import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clock, context, type KubeObject } from '../../core/index.ts'
import {
  connect,
  type Connected,
  createObject,
  deleteObject,
  getObject,
  patchObject,
  watchObjects,
} from '../../kube/index.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { leaseRef } from './lease.ts'
import { acquireLock } from './lock.ts'
import { holderOf } from './lock-holder.ts'

const ctx = context()
const options = { namespace: 'default', operation: 'upgrade', durationMs: 1000 }

describe('the lock of a release', () => {
  let sandbox: Sandbox
  let cluster: Connected

  beforeAll(async () => {
    sandbox = await startSandbox()
    cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  })

  afterAll(async () => {
    await cluster.close()
    await sandbox.stop()
  })

  it('is gone once it is released', async () => {
    const lock = await acquireLock(cluster, { ...options, name: 'plain' }, ctx)
    expect(await getObject(cluster, leaseRef('plain', 'default'), ctx)).toBeDefined()
    await lock.release()
    expect(await getObject(cluster, leaseRef('plain', 'default'), ctx)).toBeUndefined()
  })

  it('is gone once it is released although its last renewal was cut off on the way back', async () => {
    const lock = await acquireLock(cluster, { ...options, name: 'cut', durationMs: 60_000 }, ctx)
    const renewed = { spec: { renewTime: new Date().toISOString().replace('Z', '000Z') } }
    await patchObject(cluster, leaseRef('cut', 'default'), renewed, { type: 'merge' }, ctx)
    await lock.release()
    expect(await getObject(cluster, leaseRef('cut', 'default'), ctx)).toBeUndefined()
  })

  it('is refused to a second writer, who hears who works and on what', async () => {
    const first = await acquireLock(cluster, { ...options, name: 'busy', holder: 'elsewhere/1/a' }, ctx)
    await expect(acquireLock(cluster, { ...options, name: 'busy' }, ctx)).rejects.toMatchObject({
      code: 'release.locked',
      message: 'release default/busy is locked: upgrade by elsewhere/1/a is under way',
    })
    await first.release()
  })

  it('is taken over at once from a process of this machine that is gone', async () => {
    await createObject(cluster, lease('crashed', holderOf(999_999_999), new Date()), {}, ctx)
    const lock = await acquireLock(cluster, { ...options, name: 'crashed' }, ctx)
    expect((await getObject(cluster, leaseRef('crashed', 'default'), ctx))?.['spec']).toMatchObject({
      holderIdentity: lock.holder,
    })
    await lock.release()
  })

  it('is not taken at once from a process of another machine that is called as this one, which may be at work', async () => {
    const [host, pid] = holderOf(999_999_999).split('/')
    await createObject(cluster, lease('twin', `${host}/${pid}/00000000-x`, new Date()), {}, ctx)
    let waited = false
    const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
      waited = true
      return ctx.clock.sleep(ms, signal)
    }
    const clock = { ...ctx.clock, sleep }
    const lock = await acquireLock(cluster, { ...options, name: 'twin', durationMs: 60_000 }, context({ clock }))
    expect(waited).toBe(true)
    await lock.release()
  })

  it('is taken over from another machine when nobody renews it any more', async () => {
    await createObject(cluster, lease('silent', 'elsewhere/1/x', new Date()), {}, ctx)
    const lock = await acquireLock(cluster, { ...options, name: 'silent' }, ctx)
    await lock.release()
  })

  it('is taken over without waiting when it expired long ago', async () => {
    await createObject(cluster, lease('old', 'elsewhere/1/x', new Date(Date.now() - 2 * 86_400_000)), {}, ctx)
    const frozen = { ...ctx.clock, sleep: () => Promise.reject(new Error('nobody needs to wait')) }
    const lock = await acquireLock(cluster, { ...options, name: 'old', durationMs: 60_000 }, context({ clock: frozen }))
    await lock.release()
  })

  it('is held by exactly one of many who want it at the same time', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        acquireLock(cluster, { ...options, name: 'contended', holder: `elsewhere/${index}/x` }, ctx),
      ),
    )
    const winners = results.filter((result) => result.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    for (const { value } of winners) await value.release()
  })

  it('is still held after a renewal whose answer got lost, and which met itself as a conflict', async () => {
    const renewals = { resource: 'leases.coordination.k8s.io', name: 'lading.unheard', verb: 'update' }
    const lock = await acquireLock(cluster, { ...options, name: 'unheard', durationMs: 300 }, ctx)
    sandbox.faults.add({ ...renewals, fault: 'reset', when: 'after', count: 1 })
    const before = await versionOf('unheard')
    // Two more writes by the holder: the one that was not heard of, and one after it.
    await changes('unheard', before, 2)
    expect(lock.signal.aborted).toBe(false)
    await lock.release()
    expect(await getObject(cluster, leaseRef('unheard', 'default'), ctx)).toBeUndefined()
  })

  it('tells its holder when it is lost, so that the work stops', async () => {
    const lock = await acquireLock(cluster, { ...options, name: 'stolen' }, ctx)
    await deleteObject(cluster, leaseRef('stolen', 'default'), {}, ctx)
    await new Promise((resolve) => lock.signal.addEventListener('abort', resolve, { once: true }))
    expect(lock.signal.reason).toMatchObject({ code: 'release.lock-lost' })
    await lock.release()
  })

  it('lets nothing be written after its time, whichever clock says so, until a renewal shows that nobody took it', async () => {
    let [wall, monotonic] = [0, 0]
    const asleep = (_: number, signal?: AbortSignal): Promise<void> => ctx.clock.sleep(2 ** 30, signal)
    const clock = { now: () => Date.now() + wall, monotonic: () => monotonic, sleep: asleep }
    const lock = await acquireLock(cluster, { ...options, name: 'paused', durationMs: 600_000 }, context({ clock }))
    const { fence } = lock.context
    expect(fence?.refusal()).toBeUndefined()
    // A machine that was suspended: only the time of day went on.
    wall = 600_000
    expect(fence?.refusal()).toMatchObject({ code: 'release.lock-lost' })
    await fence?.confirm()
    expect(fence?.refusal()).toBeUndefined()
    // A process that was stopped, and the time of day was set back meanwhile.
    wall = -600_000
    monotonic = 600_000
    expect(fence?.refusal()).toMatchObject({ code: 'release.lock-lost' })
    await fence?.confirm()
    expect(lock.signal.aborted).toBe(false)
    await lock.release()
  })

  it('is lost to who wants to write after its time, when another process has taken it or had it meanwhile', async () => {
    for (const name of ['taken', 'had']) {
      let monotonic = 0
      const asleep = (_: number, signal?: AbortSignal): Promise<void> => ctx.clock.sleep(2 ** 30, signal)
      const stopped = context({ clock: { now: () => Date.now(), monotonic: () => monotonic, sleep: asleep } })
      const lock = await acquireLock(cluster, { ...options, name, holder: 'elsewhere/1/x' }, stopped)
      const other = await acquireLock(cluster, { ...options, name }, ctx)
      if (name === 'had') await other.release()
      monotonic = 2_000
      await expect(lock.context.fence?.confirm()).rejects.toMatchObject({ code: 'release.lock-lost' })
      expect(lock.signal.reason).toMatchObject({ code: 'release.lock-lost' })
      await lock.release()
      const left = await getObject(cluster, leaseRef(name, 'default'), ctx)
      expect(left === undefined).toBe(name === 'had')
      await other.release()
    }
  })

  it('is not taken early by a process whose clock is set forward while it waits', async () => {
    await createObject(cluster, lease('jump', 'elsewhere/1/x', new Date()), {}, ctx)
    let [wall, monotonic, slept] = [0, 0, 0]
    const clock = {
      now: () => Date.now() + wall,
      monotonic: () => monotonic,
      sleep: async (ms: number, signal?: AbortSignal): Promise<void> => {
        // Sleeps of the lock itself, once it is held, are longer.
        if (ms > 250) return ctx.clock.sleep(2 ** 30, signal)
        slept += 1
        wall = 120_000
        monotonic += ms
      },
    }
    const lock = await acquireLock(cluster, { ...options, name: 'jump', durationMs: 60_000 }, context({ clock }))
    expect(slept).toBe(4)
    await lock.release()
  })

  it('is neither stolen from a holder at work nor waited for longer by a process whose clock is off by ten minutes', async () => {
    for (const off of [600_000, -600_000]) {
      const name = off > 0 ? 'fast' : 'slow'
      await createObject(cluster, lease(name, 'elsewhere/1/x', new Date()), {}, ctx)
      const { clock, slept } = steppedClock(250, () => off)
      const lock = await acquireLock(cluster, { ...options, name, durationMs: 60_000 }, context({ clock }))
      // The duration of the Lease, a second, in four looks.
      expect(slept()).toBe(1000)
      await lock.release()
    }
  })

  it('is not waited for longer when the clock is set back meanwhile', async () => {
    await createObject(cluster, lease('back', 'elsewhere/1/x', new Date()), {}, ctx)
    const { clock, slept } = steppedClock(250, () => -600_000 * Math.sign(slept()))
    const lock = await acquireLock(cluster, { ...options, name: 'back', durationMs: 60_000 }, context({ clock }))
    expect(slept()).toBe(1000)
    await lock.release()
  })

  it('is believed to hold for a minute at most, whatever its Lease says', async () => {
    const held = lease('claimed', 'elsewhere/1/x', new Date())
    const spec = { ...(held['spec'] as object), leaseDurationSeconds: 2_147_483_647 }
    await createObject(cluster, { ...held, spec }, {}, ctx)
    const { clock, slept } = steppedClock(1000, () => 0)
    const lock = await acquireLock(cluster, { ...options, name: 'claimed', durationMs: 3_600_000 }, context({ clock }))
    expect(slept()).toBe(60_000)
    // Its own holder claims no more either.
    const taken = await getObject(cluster, leaseRef('claimed', 'default'), ctx)
    expect(taken?.['spec']).toMatchObject({ leaseDurationSeconds: 60 })
    await lock.release()
  })

  /** A clock on which sleeps of up to `longest` pass at once, with a time of day that is off; longer ones, of the lock itself, do not end. */
  function steppedClock(longest: number, off: () => number): { readonly clock: Clock; readonly slept: () => number } {
    let passed = 0
    const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
      if (ms > longest) return ctx.clock.sleep(2 ** 30, signal)
      passed += ms
    }
    const clock = { now: () => Date.now() + passed + off(), monotonic: () => passed, sleep }
    return { clock, slept: () => passed }
  }

  async function versionOf(name: string): Promise<string | undefined> {
    return (await getObject(cluster, leaseRef(name, 'default'), ctx))?.metadata.resourceVersion
  }

  async function changes(name: string, since: string | undefined, count: number): Promise<void> {
    const ref = leaseRef(name, 'default')
    const query = { gvk: ref, namespace: 'default', name: ref.name }
    const seen = new Set<string | undefined>([since])
    for await (const event of watchObjects(cluster, query, ctx)) {
      if ('object' in event) seen.add(event.object.metadata.resourceVersion)
      if (seen.size > count) return
    }
  }
})

function lease(name: string, holderIdentity: string, renewed: Date): KubeObject {
  const renewTime = renewed.toISOString().replace('Z', '000Z')
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: `lading.${name}`, namespace: 'default' },
    spec: { holderIdentity, leaseDurationSeconds: 1, renewTime, acquireTime: renewTime },
  }
}
