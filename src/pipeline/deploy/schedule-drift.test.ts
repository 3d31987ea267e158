import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { context, LadingError, type ManualClock, manualClock } from '../../core/index.ts'
import { type Job, jobOf, type NewJob } from '../jobs/job.ts'
import type { JobStore } from '../jobs/job-store.ts'
import { openJobStore } from '../jobs/sqlite-job-store.ts'
import { driftGroup, type DriftWatch, scheduleDrift } from './schedule-drift.ts'

const minute = 60_000
const plan = { component_id: 'shop', component_name: 'shop', kubernetes_manifest: { namespace: 'default' } }
const watch: DriftWatch = { schedule: '*/10 * * * *', plan, timeoutMs: minute, maxRetries: 2 }
let clock: ManualClock
let store: JobStore
let stop: AbortController

beforeEach(() => {
  clock = manualClock(Date.UTC(2026, 0, 1, 0, 5))
  store = openJobStore(':memory:', clock)
  stop = new AbortController()
})
afterEach(() => store.close())

const group = () => store.list({ group: driftGroup(plan) })

test('a look for drift is enqueued each time it is due, and none while one still waits', async () => {
  const scheduled = scheduleDrift(store, [watch], context({ clock, signal: stop.signal }))
  expect(await group()).toEqual([])
  await clock.advance(5 * minute)
  const [first] = await group()
  expect(first).toMatchObject({ operation: 'detect-drift', maxRetries: 2, createdAt: Date.UTC(2026, 0, 1, 0, 10) })
  await clock.advance(10 * minute)
  expect(await group()).toHaveLength(1)
  await store.cancel(first!.id)
  await clock.advance(10 * minute)
  expect(await group()).toHaveLength(2)
  stop.abort()
  await scheduled
})

test('two runners that keep one schedule enqueue one look for drift each time it is due', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lading-schedule-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const stores = [1, 2].map(() => openJobStore(join(folder, 'jobs.db'), clock, join(folder, 'jobs.key')))
  onTestFinished(() => stores.forEach((each) => each.close()))
  const running = stores.map((each) => scheduleDrift(each, [watch], context({ clock, signal: stop.signal })))
  const take = { worker: 'a', leaseMs: minute, perGroup: 1 }
  for (let times = 1; times <= 3; times++) {
    await clock.advance(times === 1 ? 5 * minute : 10 * minute)
    expect(await stores[0]!.list({ group: driftGroup(plan) })).toHaveLength(times)
    // Also where the first one is done before the second runner comes to it.
    const leased = await stores[1]!.lease(take)
    await stores[1]!.end({ id: leased!.id, fence: leased!.fence }, { state: 'finished' })
    await Promise.all(stores.map((each) => each.enqueue({ ...asNew(leased!), unique: keyOf(clock.now()) })))
    expect(await stores[0]!.list({ group: driftGroup(plan) })).toHaveLength(times)
  }
  stop.abort()
  await Promise.all(running)
})

const asNew = (job: Job): NewJob<'detect-drift'> => {
  const { type, operation, group, plan: own, timeoutMs } = jobOf(job, 'detect-drift')
  return { type, operation, group, plan: own, timeoutMs }
}
const keyOf = (time: number): string => `${driftGroup(plan)} ${new Date(time).toISOString()}`

test('a store that fails once does not end the schedule', async () => {
  let failing = true
  const flaky: JobStore = {
    ...store,
    enqueue: (job) => (failing ? Promise.reject(new LadingError('job.store-failed', 'full')) : store.enqueue(job)),
  }
  const errors: string[] = []
  const log = { ...context().log, error: (message: string) => void errors.push(message) }
  const scheduled = scheduleDrift(flaky, [watch], context({ clock, log, signal: stop.signal }))
  await clock.advance(5 * minute)
  expect(errors).toEqual(['the look for drift of shop was left out'])
  failing = false
  await clock.advance(10 * minute)
  expect(await group()).toHaveLength(1)
  stop.abort()
  await scheduled
})
