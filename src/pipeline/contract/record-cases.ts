import assert from 'node:assert/strict'
import { assertCode, type JobStoreContractCase, take } from './harness.ts'
import { built, newJob } from './sample-jobs.ts'

/** What is written can be read, listed and forgotten, also through another store. */
export const recordCases: readonly JobStoreContractCase[] = [
  {
    name: 'gives back what was enqueued, to the last digit',
    async run({ store, another }) {
      const plan = { text: 'Grüß Gott 👋', id: 9007199254740993n, list: [1, null, { on: true }] }
      const job = await store.enqueue(newJob({ plan, maxRetries: 2, cluster: 'c1' }))
      const read = await (await another()).get(job.id)
      assert.deepEqual(read, job)
      assert.deepEqual(read?.plan, newJob({ plan }).plan)
      assert.deepEqual([job.state, job.attempt, job.maxRetries, job.cluster], ['available', 0, 2, 'c1'])
      assert.equal(await store.get('there-is-no-such-job'), undefined)
    },
  },
  {
    name: 'gives back the outputs of a job, to the last digit',
    async run({ store }) {
      const { id } = await store.enqueue(newJob())
      const leased = await store.lease(take)
      assert.equal(leased?.id, id)
      const outputs = { ...built, generation: 9007199254740993n, files: ['a'] }
      await store.end({ id, fence: leased.fence }, { state: 'finished', outputs })
      const ended = await store.get(id)
      assert.deepEqual([ended?.state, ended?.outputs], ['finished', outputs])
    },
  },
  {
    name: 'lists the newest first, by group and state',
    async run({ store }) {
      const ids: string[] = []
      for (const group of ['a', 'b', 'a']) ids.push((await store.enqueue(newJob({ group }))).id)
      const listed = async (query: Parameters<typeof store.list>[0]) => (await store.list(query)).map(({ id }) => id)
      assert.deepEqual(await listed({}), ids.toReversed())
      assert.deepEqual(await listed({ group: 'a' }), [ids[2], ids[0]])
      assert.deepEqual(await listed({ limit: 1 }), [ids[2]])
      await store.cancel(ids[1] ?? '')
      assert.deepEqual(await listed({ states: ['cancelled'] }), [ids[1]])
    },
  },
  {
    name: 'enqueues a unique job once, whoever comes first, also after it ended',
    async run({ store, another }) {
      const second = await another()
      const unique = (key: string) => newJob({ group: 'drift', unique: key })
      const both = await Promise.all([store.enqueue(unique('10:00')), second.enqueue(unique('10:00'))])
      assert.equal(both[0].id, both[1].id)
      assert.equal(
        (await second.enqueue(unique('10:10'))).id,
        both[0].id,
        'the next waits for the one that has not ended',
      )
      await store.cancel(both[0].id)
      assert.equal((await second.enqueue(unique('10:00'))).id, both[0].id)
      assert.notEqual((await second.enqueue(unique('10:20'))).id, both[0].id)
    },
  },
  {
    name: 'keeps the lines of a job in order, with the attempt that said them',
    async run({ store, clock }) {
      const { id } = await store.enqueue(newJob())
      const lease = { id, fence: (await store.lease(take))?.fence ?? 0 }
      const line = (message: string) => ({ time: clock.now(), level: 'info', message }) as const
      await store.log(lease, [line('one'), line('two')])
      await store.log(lease, [line('three')])
      const all = await store.logs(id, 0)
      assert.deepEqual(
        all.map(({ message, attempt }) => [message, attempt]),
        [
          ['one', 1],
          ['two', 1],
          ['three', 1],
        ],
      )
      const rest = await store.logs(id, all[1]?.seq ?? 0)
      assert.deepEqual(
        rest.map(({ message }) => message),
        ['three'],
      )
    },
  },
  {
    name: 'forgets jobs that ended long ago, but not one that another waits for',
    async run({ store, clock }) {
      const old = await store.enqueue(newJob({ group: 'old' }))
      const awaited = await store.enqueue(newJob({ group: 'awaited' }))
      await store.enqueue(newJob({ group: 'waiting', after: awaited.id, notBefore: clock.now() + 1e6 }))
      for (const { id } of [old, awaited]) {
        const leased = await store.lease({ ...take, only: id })
        await store.end({ id, fence: leased?.fence ?? 0 }, { state: 'finished', outputs: built })
      }
      assert.equal(await store.prune(clock.now()), 0)
      await clock.advance(1000)
      assert.equal(await store.prune(clock.now()), 1)
      assert.equal(await store.get(old.id), undefined)
      assert.ok(await store.get(awaited.id))
    },
  },
  {
    name: 'refuses a job after one that does not exist',
    run: ({ store }) => assertCode(store.enqueue(newJob({ after: 'there-is-no-such-job' })), 'job.not-found'),
  },
  {
    name: 'reports a change to whoever waits for one, also through another store',
    async run({ store, another }) {
      const second = await another()
      const changed = second.changed(AbortSignal.timeout(20_000))
      await store.enqueue(newJob())
      await changed
      assert.equal((await second.list({})).length, 1)
      const stop = new AbortController()
      const stopped = store.changed(stop.signal)
      stop.abort()
      await stopped
    },
  },
]
