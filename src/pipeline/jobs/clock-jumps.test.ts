import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { context, manualClock } from '../../core/index.ts'
import { runJob } from './run-job.ts'
import { openJobStore } from './sqlite-job-store.ts'
import { newJob } from '../contract/sample-jobs.ts'
import { until } from './testdata/test-jobs.ts'

const minutes = 60_000
const leaseMs = 30_000
const asked = { leaseMs, perGroup: 1 }

test.each([10 * minutes, -10 * minutes])(
  'a clock that is set by %d ms takes no job from a runner at work',
  async (jump) => {
    const { time, first, second } = await open()
    const { id } = await first.enqueue(newJob({}))
    await first.lease({ ...asked, worker: 'a' })
    await time.advance(10_000)
    time.jump(jump)
    expect(await second.lease({ ...asked, worker: 'b' })).toBeUndefined()
    // Nor does it let a job hang whose runner is gone.
    await time.advance(leaseMs)
    expect(await second.lease({ ...asked, worker: 'b' })).toMatchObject({ id, worker: 'b' })
  },
)

test.each([10 * minutes, -10 * minutes])(
  'a runner renews its lease in time when the clock is set by %d ms',
  async (jump) => {
    const { time, first, second } = await open()
    await first.enqueue(newJob({}))
    const job = (await first.lease({ ...asked, worker: 'a' }))!
    const done = Promise.withResolvers<void>()
    const handlers = { 'kubernetes-manifest-build': () => ({ execute: () => done.promise }) }
    const ended = (async () => {
      const running = runJob(first, job, handlers, { leaseMs }, context({ clock: time }))
      for (;;) {
        const next = await running.next()
        if (next.done === true) return next.value
      }
    })()
    await until(first, async () => (await first.get(job.id))?.step === 'execute')
    time.jump(jump)
    for (let renewals = 0; renewals < 6; renewals++) {
      await time.advance(leaseMs / 3)
      expect(await second.lease({ ...asked, worker: 'b' })).toBeUndefined()
    }
    done.resolve()
    expect(await ended).toBe('finished')
  },
)

test('a lease from before the machine was restarted is not believed', async () => {
  const { first, folder } = await open(10 * 3_600_000)
  const { id } = await first.enqueue(newJob({}))
  await first.lease({ ...asked, worker: 'a' })
  const restarted = manualClock(1000)
  restarted.jump(10 * 3_600_000)
  const store = openJobStore(join(folder, 'jobs.db'), restarted, join(folder, 'jobs.key'))
  onTestFinished(() => store.close())
  expect(await store.lease({ ...asked, worker: 'b' })).toMatchObject({ id, worker: 'b' })
})

test('a runner that waits for a job of another is told when its lease ends, whatever was done to the clock', async () => {
  const { time, first, second } = await open()
  await first.enqueue(newJob({}))
  await first.lease({ ...asked, worker: 'a' })
  for (const jump of [10 * minutes, -20 * minutes]) {
    time.jump(jump)
    expect((await second.nextDue())! - time.now()).toBe(leaseMs)
  }
})

/** Two processes' stores in one file, by the clock of one machine. */
async function open(start = 1_000_000) {
  const folder = await mkdtemp(join(tmpdir(), 'lading-jobs-'))
  const time = manualClock(start)
  const [first, second] = [1, 2].map(() => openJobStore(join(folder, 'jobs.db'), time, join(folder, 'jobs.key'))) as [
    Store,
    Store,
  ]
  onTestFinished(async () => {
    for (const store of [first, second]) store.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { folder, time, first, second }
}

type Store = ReturnType<typeof openJobStore>
