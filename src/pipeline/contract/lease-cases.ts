import assert from 'node:assert/strict'
import type { JobStore } from '../jobs/job-store.ts'
import { assertCode, type JobStoreContractCase, take } from './harness.ts'
import { built, newJob } from './sample-jobs.ts'

const failure = { code: 'kube.unreachable', message: 'no answer' } as const

/** One runner at a time works on a job, and whoever lost it can write nothing more. */
export const leaseCases: readonly JobStoreContractCase[] = [
  {
    name: 'gives the oldest job that is due, and each to one runner only',
    async run({ store, another, clock }) {
      const second = await another()
      const late = await store.enqueue(newJob({ group: 'late', notBefore: clock.now() + 500 }))
      const first = await store.enqueue(newJob({ group: 'first' }))
      const taken = await Promise.all([store.lease(take), second.lease({ ...take, worker: 'b' })])
      assert.deepEqual(
        taken.flatMap((job) => (job === undefined ? [] : [job.id])),
        [first.id],
      )
      assert.equal(await store.nextDue(), clock.now() + 500)
      await clock.advance(500)
      const next = await store.lease(take)
      assert.deepEqual([next?.id, next?.state, next?.attempt, next?.worker], [late.id, 'in-progress', 1, 'a'])
    },
  },
  {
    name: 'lets only as many jobs of a group run as the runner allows',
    async run({ store }) {
      for (let count = 0; count < 3; count++) await store.enqueue(newJob())
      const all = { ...take, perGroup: 2 }
      assert.ok(await store.lease(all))
      assert.ok(await store.lease(all))
      assert.equal(await store.lease(all), undefined)
    },
  },
  {
    name: 'leaves jobs of other types and clusters to others, and tells which',
    async run({ store }) {
      const { id } = await store.enqueue(newJob({ cluster: 'theirs' }))
      const mine = { types: ['kubernetes-manifest-build'], clusters: ['mine'] }
      assert.equal(await store.lease({ ...take, ...mine }), undefined)
      assert.deepEqual(
        (await store.leftByLease(mine)).map((job) => job.id),
        [id],
      )
      assert.equal((await store.lease({ ...take, clusters: ['theirs'] }))?.id, id)
    },
  },
  {
    name: 'gives a job whose lease ran out to another runner, and refuses the first one’s writes',
    async run({ store, another, clock }) {
      const { id } = await store.enqueue(newJob({ maxRetries: 1 }))
      const lost = { id, fence: await fenceOf(store) }
      await clock.advance(1001)
      const second = await another()
      const taken = await second.lease({ ...take, worker: 'b' })
      assert.deepEqual([taken?.id, taken?.worker, taken?.lost], [id, 'b', 1])
      assert.ok((taken?.fence ?? 0) > lost.fence, 'the fence grows with every lease')
      await assertCode(store.heartbeat(lost, 1000), 'job.lost')
      await assertCode(store.setStep(lost, 'execute'), 'job.lost')
      await assertCode(store.log(lost, [{ time: 0, level: 'info', message: 'too late' }]), 'job.lost')
      await assertCode(store.end(lost, { state: 'finished', outputs: built }), 'job.lost')
      assert.deepEqual(await store.logs(id, 0), [])
      assert.equal((await store.get(id))?.state, 'in-progress')
    },
  },
  {
    name: 'gives a job up that three runners have lost',
    async run({ store, clock }) {
      const { id } = await store.enqueue(newJob())
      for (let lost = 0; lost < 3; lost++) {
        assert.equal((await store.get(id))?.lost, Math.max(0, lost - 1))
        await fenceOf(store)
        await clock.advance(1001)
      }
      assert.equal(await store.lease(take), undefined)
      const { state, error } = (await store.get(id)) ?? {}
      assert.deepEqual([state, error?.code], ['failed', 'job.lost'])
    },
  },
  {
    name: 'keeps a lease that is prolonged, and tells its runner of a cancellation',
    async run({ store, clock }) {
      const { id } = await store.enqueue(newJob())
      const lease = { id, fence: await fenceOf(store) }
      await clock.advance(900)
      assert.deepEqual(await store.heartbeat(lease, 1000), { cancelRequested: false })
      await clock.advance(900)
      assert.equal(await store.lease({ ...take, worker: 'b' }), undefined)
      assert.equal((await store.cancel(id)).state, 'in-progress')
      assert.deepEqual(await store.heartbeat(lease, 1000), { cancelRequested: true })
      await store.end(lease, { state: 'cancelled', error: { code: 'cancelled', message: 'stopped' } })
      assert.equal((await store.get(id))?.state, 'cancelled')
    },
  },
  {
    name: 'tries a job again when it is due, and counts the attempts',
    async run({ store, clock }) {
      const { id } = await store.enqueue(newJob({ maxRetries: 1 }))
      const lease = { id, fence: await fenceOf(store) }
      await store.end(lease, { state: 'queued', error: failure, dueAt: clock.now() + 500 })
      assert.equal(await store.lease(take), undefined)
      await clock.advance(500)
      assert.equal((await store.lease(take))?.attempt, 2)
    },
  },
  {
    name: 'does not count the try of a job that is given back',
    async run({ store }) {
      const { id } = await store.enqueue(newJob())
      await store.end({ id, fence: await fenceOf(store) }, { state: 'available' })
      assert.equal((await store.lease(take))?.attempt, 1)
    },
  },
  {
    name: 'begins a job after the one it waits for, and not at all if that fails',
    async run({ store }) {
      const first = await store.enqueue(newJob({ group: 'first' }))
      const second = await store.enqueue(newJob({ group: 'second', after: first.id }))
      const third = await store.enqueue(newJob({ group: 'third', after: second.id }))
      await store.end({ id: first.id, fence: await fenceOf(store) }, { state: 'finished', outputs: built })
      const leased = await store.lease(take)
      assert.equal(leased?.id, second.id)
      await store.end({ id: second.id, fence: leased?.fence ?? 0 }, { state: 'failed', error: failure })
      assert.equal(await store.lease(take), undefined)
      assert.equal((await store.get(third.id))?.state, 'not-attempted')
    },
  },
  {
    name: 'leaves a job that ended as it is when somebody ends or cancels it again',
    async run({ store }) {
      const { id } = await store.enqueue(newJob())
      const lease = { id, fence: await fenceOf(store) }
      await store.end(lease, { state: 'finished', outputs: built })
      await assertCode(store.end(lease, { state: 'failed', error: failure }), 'job.lost')
      assert.equal((await store.cancel(id)).state, 'finished')
      await assertCode(store.cancel('there-is-no-such-job'), 'job.not-found')
    },
  },
  {
    name: 'cancels a job that waits at once, and does not begin one whose runner went away after it was cancelled',
    async run({ store, clock }) {
      const waiting = await store.enqueue(newJob())
      assert.equal((await store.cancel(waiting.id)).state, 'cancelled')
      const running = await store.enqueue(newJob())
      await fenceOf(store)
      await store.cancel(running.id)
      await clock.advance(1001)
      assert.equal(await store.lease(take), undefined)
      assert.equal((await store.get(running.id))?.state, 'cancelled')
    },
  },
]

/** Leases the next job, which has to be there. */
async function fenceOf(store: JobStore): Promise<number> {
  const leased = await store.lease(take)
  assert.ok(leased, 'no job was due')
  return leased.fence
}
