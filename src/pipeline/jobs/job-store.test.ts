import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { context, LadingError, type ManualClock, manualClock } from '../../core/index.ts'
import type { NewJob } from './job.ts'
import { storeError } from './job-database.ts'
import type { JobStore } from './job-store.ts'
import { runJob } from './run-job.ts'
import { startRunner } from './runner.ts'
import { openJobStore } from './sqlite-job-store.ts'
import { built, newJob } from '../contract/sample-jobs.ts'
import { until } from './testdata/test-jobs.ts'

let folder: string
let clock: ManualClock
let stores: JobStore[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lading-job-store-'))
  clock = manualClock(1_000_000)
  stores = []
})
afterEach(async () => {
  for (const store of stores) store.close()
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true, force: true })
})

const take = { worker: 'a', leaseMs: 1000, perGroup: 1 }

test('a unique job is enqueued once for each cluster, whoever comes first, also after it ended', async () => {
  const [one, two] = [open(), open()]
  const unique = (more: Partial<NewJob> = {}) => newJob({ group: 'drift/a', unique: 'drift/a 10:00', ...more })
  const both = await Promise.all([one, two].map((store) => store.enqueue(unique())))
  expect(both[0]!.id).toBe(both[1]!.id)
  const other = await two.enqueue(unique({ cluster: 'other' }))
  expect(other.id).not.toBe(both[0]!.id)
  // The next time waits for the one that has not ended.
  expect((await two.enqueue(unique({ unique: 'drift/a 10:10' }))).id).toBe(both[0]!.id)
  await one.cancel(both[0]!.id)
  expect((await two.enqueue(unique())).id).toBe(both[0]!.id)
  expect((await two.enqueue(unique({ unique: 'drift/a 10:20' }))).id).not.toBe(both[0]!.id)
})

test('a job that waited for another one is tried again like any other', async () => {
  const store = open()
  const first = await store.enqueue(newJob({ group: 'first' }))
  const second = await store.enqueue(newJob({ group: 'second', after: first.id, maxRetries: 1 }))
  let tries = 0
  const handler = (job: { id: string }) => ({
    execute: async () => {
      if (job.id === second.id && tries++ === 0) throw new LadingError('kube.unreachable', 'no answer')
    },
  })
  const runner = startRunner(
    store,
    { 'kubernetes-manifest-build': handler },
    { worker: 'a', once: true, backoffMs: 1000 },
    context({ clock }),
  )
  await until(store, async () => tries === 1 && (await store.get(second.id))?.state === 'queued')
  expect(await store.nextDue()).toBe(clock.now() + 1000)
  await clock.advance(1000)
  await runner.done
  expect(await store.get(second.id)).toMatchObject({ state: 'finished', attempt: 2 })
})

test('jobs that ended long ago are forgotten with what they said; those that wait, run or are waited for stay', async () => {
  const store = open()
  const old = await store.enqueue(newJob({ group: 'old' }))
  const awaited = await store.enqueue(newJob({ group: 'awaited' }))
  const waiting = await store.enqueue(newJob({ group: 'waiting', after: awaited.id, notBefore: clock.now() + 1e6 }))
  for (const { id } of [old, awaited]) {
    const { fence } = (await store.lease({ ...take, only: id }))!
    await store.log({ id, fence }, [{ time: clock.now(), level: 'info', message: 'said' }])
    await store.end({ id, fence }, { state: 'finished', outputs: built })
  }
  expect(await store.prune(clock.now())).toBe(0)
  await clock.advance(1000)
  const running = await store.enqueue(newJob({ group: 'running' }))
  await store.lease({ ...take, only: running.id })
  expect(await store.prune(clock.now())).toBe(1)
  expect(await store.get(old.id)).toBeUndefined()
  expect(await store.logs(old.id, 0)).toEqual([])
  expect(await store.logs(awaited.id, 0)).toHaveLength(1)
  expect((await store.list({})).map(({ id }) => id)).toEqual([running.id, waiting.id, awaited.id])
})

test('a runner forgets jobs that ended longer ago than it is to keep them', async () => {
  const store = open()
  const runOnce = () =>
    startRunner(
      store,
      { 'kubernetes-manifest-build': () => ({}) },
      { worker: 'a', once: true, keepMs: 500 },
      context({ clock }),
    ).done
  const first = await store.enqueue(newJob({}))
  await runOnce()
  expect(await store.get(first.id)).toMatchObject({ state: 'finished' })
  await clock.advance(1000)
  const second = await store.enqueue(newJob({}))
  await runOnce()
  expect((await store.list({})).map(({ id }) => id)).toEqual([second.id])
})

test('a job that was cancelled while its runner was dying is not begun again', async () => {
  const store = open()
  const { id } = await store.enqueue(newJob({}))
  await store.lease(take)
  expect(await store.cancel(id)).toMatchObject({ state: 'in-progress', cancelRequested: true })
  await clock.advance(1001)
  expect(await store.lease(take)).toBeUndefined()
  expect(await store.get(id)).toMatchObject({ state: 'cancelled', error: { code: 'cancelled' } })
})

test('a job that is given back, or is to be tried again, although somebody cancelled it ends there', async () => {
  const store = open()
  const error = { code: 'kube.unreachable', message: 'no answer' } as const
  for (const ending of [{ state: 'available' }, { state: 'queued', error, dueAt: clock.now() + 5 }] as const) {
    const { id } = await store.enqueue(newJob({}))
    const leased = await store.lease(take)
    await store.cancel(id)
    await store.end({ id, fence: leased!.fence }, ending)
    expect(await store.get(id)).toMatchObject({ state: 'cancelled' })
  }
})

test('a runner with its hands full sleeps until one of its jobs ends, whatever is due meanwhile', async () => {
  const store = open()
  let finish: () => void = () => undefined
  const busy = new Promise<void>((resolve) => (finish = resolve))
  const first = await store.enqueue(newJob({ group: 'a' }))
  const late = await store.enqueue(newJob({ group: 'b', notBefore: clock.now() + 10 }))
  let questions = 0
  const counted: JobStore = { ...store, nextDue: () => (questions++, store.nextDue()) }
  const handler = (job: { id: string }) => ({ execute: () => (job.id === first.id ? busy : Promise.resolve()) })
  const runner = startRunner(
    counted,
    { 'kubernetes-manifest-build': handler },
    { worker: 'a', once: true, concurrency: 1, leaseMs: 1e9 },
    context({ clock }),
  )
  await until(store, async () => (await store.get(first.id))?.step === 'execute')
  const before = questions
  await clock.advance(1000)
  expect(questions).toBe(before)
  finish()
  await runner.done
  expect(await store.get(late.id)).toMatchObject({ state: 'finished' })
})

test('a runner that lost its job cleans up its own things and writes nothing', async () => {
  const store = open()
  const { id } = await store.enqueue(newJob({}))
  const lost = await store.lease(take)
  const cleaned: string[] = []
  const handler = () => ({
    execute: async () => {
      await clock.advance(1001)
      await store.lease({ ...take, worker: 'b' })
      await store.setStep({ id, fence: lost!.fence }, 'outputs')
    },
    cleanup: async () => void cleaned.push('cleanup'),
  })
  const events = runJob(store, lost!, { 'kubernetes-manifest-build': handler }, { leaseMs: 1e9 }, context({ clock }))
  const last = await events.next()
  expect(last).toEqual({ done: true, value: 'lost' })
  expect(cleaned).toEqual(['cleanup'])
  expect(await store.get(id)).toMatchObject({ state: 'in-progress', worker: 'b' })
})

test('a job store is readable by its owner alone', async () => {
  const file = join(folder, 'jobs.db')
  stores.push(openJobStore(file, clock, join(folder, 'jobs.key')))
  await stores[0]!.enqueue(newJob({}))
  for (const name of [file, `${file}-wal`]) expect((await stat(name)).mode & 0o777).toBe(0o600)
})

test.each([
  ['a folder', () => mkdir(join(folder, 'x.db')), /x\.db cannot be used as a job store: EISDIR/],
  ['no database', () => writeFile(join(folder, 'x.db'), 'hello '.repeat(500)), /: file is not a database/],
  ['of a newer Lading', newer, /x\.db was written by a newer Lading/],
  ['below a file', () => writeFile(join(folder, 'y'), ''), /x\.db cannot be used as a job store: (?:ENOTDIR|EEXIST)/],
])('a job store that is %s is refused with the reason', async (what, prepare, message) => {
  await prepare()
  const file = join(folder, what === 'below a file' ? 'y' : '', 'x.db')
  expect(() => openJobStore(file, clock, join(folder, 'jobs.key'))).toThrow(
    expect.objectContaining({ code: 'job.store-failed' }),
  )
  expect(() => openJobStore(file, clock, join(folder, 'jobs.key'))).toThrow(message)
})

test('a store that cannot be written any more says so by its code', async () => {
  const file = join(folder, 'jobs.db')
  const store = openJobStore(file, clock, join(folder, 'jobs.key'))
  store.close()
  await expect(store.enqueue(newJob({}))).rejects.toMatchObject({ code: 'job.store-failed' })
})

async function newer(): Promise<void> {
  const db = new DatabaseSync(join(folder, 'x.db'))
  db.exec('pragma user_version = 99')
  db.close()
}

function open(): JobStore {
  const store = openJobStore(join(folder, 'jobs.db'), clock, join(folder, 'jobs.key'))
  stores.push(store)
  return store
}

test('a full disk under a store is told as such', () => {
  const db = new DatabaseSync(':memory:')
  db.exec('create table t (a); pragma max_page_count = 3')
  const fill = (): void => {
    for (;;) db.prepare('insert into t values (?)').run('x'.repeat(4000))
  }
  const told = { code: 'disk.full', message: 'jobs.db cannot be written: the disk is full (ENOSPC)' }
  const problems: unknown[] = []
  try {
    fill()
  } catch (error) {
    problems.push(error)
  }
  problems.push(Object.assign(new Error('mkdir'), { code: 'ENOSPC' }))
  expect(problems.map((problem) => storeError('jobs.db', problem))).toMatchObject([told, told])
  db.close()
})
