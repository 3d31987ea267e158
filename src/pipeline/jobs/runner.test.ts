import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Context, context, LadingError, type LadingEvent, manualClock } from '../../core/index.ts'
import { isEnded, type Job } from './job.ts'
import type { JobStore } from './job-store.ts'
import type { JobHandler } from './run-job.ts'
import { type Runner, type RunnerOptions, startRunner } from './runner.ts'
import { openJobStore } from './sqlite-job-store.ts'
import { jobOf } from './job.ts'
import { built, newJob } from '../contract/sample-jobs.ts'
import { until } from './testdata/test-jobs.ts'

let folder: string
let stores: JobStore[]
const clock = () => manualClock(1_000_000)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lading-jobs-'))
  stores = []
})
afterEach(async () => {
  for (const store of stores) store.close()
  await rm(folder, { recursive: true, force: true })
})

test('a job goes through its steps, and its outputs and log are kept', async () => {
  const time = clock()
  const store = open(time)
  const seen: string[] = []
  const handler: JobHandler = (job) => ({
    reset: step(seen, 'reset'),
    fetch: step(seen, 'fetch'),
    initialize: step(seen, 'initialize'),
    validate: step(seen, 'validate'),
    execute: step(seen, 'execute'),
    outputs: async () => {
      seen.push('outputs')
      return { ...built, tag: jobOf(job, 'build').plan.dst_tag }
    },
    cleanup: step(seen, 'cleanup'),
  })
  const { id } = await store.enqueue(newJob({ plan: { dst_tag: 'hello' } }))
  await runAll(store, handler, time)
  const job = await store.get(id)
  expect(seen).toEqual(['reset', 'fetch', 'initialize', 'validate', 'execute', 'outputs', 'cleanup'])
  expect(job).toMatchObject({ state: 'finished', outputs: { tag: 'hello' }, attempt: 1 })
  expect((await store.logs(id, 0)).map(({ step: name, message }) => `${name}: ${message}`)).toContain(
    'execute: execute',
  )
})

test('a job that fails for a reason that may pass is tried again after a growing pause, and then fails', async () => {
  const time = clock()
  const store = open(time)
  const begun: number[] = []
  const { id } = await store.enqueue(newJob({ maxRetries: 2 }))
  const failing: JobHandler = () => ({
    execute: async () => {
      begun.push(time.now())
      throw new LadingError('kube.unreachable', 'no answer')
    },
  })
  const runner = start(store, failing, time, { backoffMs: 1000, once: true })
  await until(store, async () => (await store.get(id))?.state === 'queued')
  await time.advance(1000)
  await until(store, async () => begun.length === 2 && (await store.get(id))?.state === 'queued')
  await time.advance(2000)
  await runner.done
  expect(begun.map((at) => at - begun[0]!)).toEqual([0, 1000, 3000])
  expect(await store.get(id)).toMatchObject({ state: 'failed', error: { code: 'kube.unreachable', step: 'execute' } })
})

test('a job that is wrong is not tried again', async () => {
  const time = clock()
  const store = open(time)
  const { id } = await store.enqueue(newJob({ maxRetries: 5 }))
  await runAll(
    store,
    () => ({
      validate: async () => {
        throw new LadingError('config.invalid', 'no such field')
      },
    }),
    time,
  )
  expect(await store.get(id)).toMatchObject({ state: 'failed', attempt: 1, error: { step: 'validate' } })
})

test('a cancelled job stops, cleans up with a live context and is cancelled', async () => {
  const time = clock()
  const store = open(time)
  let cleaned: boolean | undefined
  const { id } = await store.enqueue(newJob({}))
  const handler: JobHandler = () => ({
    execute: endless(time),
    cleanup: async (ctx) => {
      cleaned = !ctx.signal.aborted
    },
  })
  const runner = start(store, handler, time, { once: true })
  await until(store, async () => (await store.logs(id, 0)).length > 0)
  // As another process would do it.
  await open(time).cancel(id)
  await runner.done
  expect(await store.get(id)).toMatchObject({ state: 'cancelled', error: { code: 'cancelled' } })
  expect(cleaned).toBe(true)
})

test('a job that waits is cancelled at once, and what waits for it is not attempted', async () => {
  const time = clock()
  const store = open(time)
  const first = await store.enqueue(newJob({ notBefore: time.now() + 5000 }))
  const second = await store.enqueue(newJob({ after: first.id }))
  expect(await store.cancel(first.id)).toMatchObject({ state: 'cancelled' })
  expect(await store.get(second.id)).toMatchObject({ state: 'not-attempted' })
})

test('a job that takes too long is timed out', async () => {
  const time = clock()
  const store = open(time)
  const { id } = await store.enqueue(newJob({ timeoutMs: 60_000 }))
  const runner = start(store, () => ({ execute: endless(time) }), time, { leaseMs: 1e9, once: true })
  await until(store, async () => (await store.logs(id, 0)).length > 0)
  await time.advance(60_000)
  await runner.done
  expect(await store.get(id)).toMatchObject({ state: 'timed-out' })
})

test('a runner that goes away loses its job to another one, and can write nothing to it any more', async () => {
  const time = clock()
  const store = open(time)
  const { id } = await store.enqueue(newJob({}))
  const gone = await store.lease({ worker: 'gone', leaseMs: 1000, perGroup: 1 })
  expect(gone?.id).toBe(id)
  await time.advance(1001)
  await runAll(store, () => ({ execute: step([], 'execute') }), time)
  expect(await store.get(id)).toMatchObject({ state: 'finished', lost: 1, attempt: 2 })
  await expect(store.end({ id, fence: gone!.fence }, { state: 'finished', outputs: built })).rejects.toMatchObject({
    code: 'job.lost',
  })
  await expect(store.log({ id, fence: gone!.fence }, [])).rejects.toMatchObject({ code: 'job.lost' })
})

test('a job that loses its runner again and again is given up', async () => {
  const time = clock()
  const store = open(time)
  const { id } = await store.enqueue(newJob({}))
  for (let round = 0; round < 3; round++) {
    await store.lease({ worker: `gone-${round}`, leaseMs: 1000, perGroup: 1 })
    await time.advance(1001)
  }
  expect(await store.lease({ worker: 'a', leaseMs: 1000, perGroup: 1 })).toBeUndefined()
  expect(await store.get(id)).toMatchObject({ state: 'failed', error: { code: 'job.lost' } })
})

test('of one group only one job runs at a time, of different groups several', async () => {
  const time = clock()
  const store = open(time)
  let most = 0
  const now = new Set<string>()
  const groups = ['a', 'a', 'b']
  for (const group of groups) await store.enqueue(newJob({ group }))
  await runAll(
    store,
    (job) => ({
      execute: async function* () {
        expect(now.has(job.group)).toBe(false)
        now.add(job.group)
        most = Math.max(most, now.size)
        yield progress('x')
        await new Promise((resolve) => setImmediate(resolve))
        now.delete(job.group)
      },
    }),
    time,
  )
  expect(most).toBe(2)
  expect((await store.list({})).every(({ state }) => state === 'finished')).toBe(true)
})

test('a runner that is stopped gives its job back, and the next one does it', async () => {
  const time = clock()
  const store = open(time)
  const { id } = await store.enqueue(newJob({}))
  const runner = start(store, () => ({ execute: endless(time) }), time, {})
  await until(store, async () => (await store.logs(id, 0)).length > 0)
  const stopped = runner.stop(500)
  await time.advance(500)
  await stopped
  expect(await store.get(id)).toMatchObject({ state: 'available', attempt: 0 })
  await runAll(store, () => ({ execute: step([], 'execute') }), time)
  expect(await store.get(id)).toMatchObject({ state: 'finished', attempt: 1 })
})

test('jobs survive the process that enqueued them', async () => {
  const time = clock()
  const first = open(time)
  const { id } = await first.enqueue(newJob({ plan: { dst_tag: 'hello' } }))
  expect(await open(time).get(id)).toMatchObject({ state: 'available', plan: { dst_tag: 'hello' } })
})

test('a file that is no job store is refused by name', async () => {
  expect(() => openJobStore(folder, clock(), join(folder, 'jobs.key'))).toThrow(/cannot be used as a job store/)
})

function open(time: ReturnType<typeof clock>): JobStore {
  const store = openJobStore(join(folder, 'jobs.db'), time, join(folder, 'jobs.key'))
  stores.push(store)
  return store
}

function start(
  store: JobStore,
  handler: JobHandler,
  time: ReturnType<typeof clock>,
  options: Partial<RunnerOptions>,
): Runner {
  const handlers = { 'kubernetes-manifest-build': handler }
  return startRunner(store, handlers, { worker: 'a', ...options }, context({ clock: time }))
}

async function runAll(store: JobStore, handler: JobHandler, time: ReturnType<typeof clock>): Promise<void> {
  await start(store, handler, time, { once: true }).done
}

/** A step that has begun, and only ends when it is stopped. */
function endless(time: ReturnType<typeof clock>) {
  return async function* ({ signal }: Context): AsyncGenerator<LadingEvent, void> {
    yield progress('at work')
    await time.sleep(1e9, signal)
  }
}

function step(seen: string[], name: string) {
  return async function* (): AsyncGenerator<LadingEvent, void> {
    seen.push(name)
    yield progress(name)
  }
}

function progress(message: string): LadingEvent {
  return { type: 'progress', message }
}

// Keeps the states that a user sees in one place with the type.
test('only jobs at their end are ended', () => {
  const states: Job['state'][] = ['queued', 'available', 'in-progress', 'unknown']
  expect(states.some(isEnded)).toBe(false)
})
