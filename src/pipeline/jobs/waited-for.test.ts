import { expect, onTestFinished, test } from 'vitest'
import { context, LadingError, manualClock } from '../../core/index.ts'
import type { JobHandler } from './run-job.ts'
import { startRunner } from './runner.ts'
import { openJobStore } from './sqlite-job-store.ts'
import { newJob } from '../contract/sample-jobs.ts'
import { until } from './testdata/test-jobs.ts'

test('a job that takes too long says in which step, and what it waited for', async () => {
  const { time, store, start } = open()
  const { id } = await store.enqueue(newJob({ timeoutMs: 60_000 }))
  const ref = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'shop' }
  const waiting: JobHandler = () => ({
    execute: async function* ({ signal }) {
      yield { type: 'status', ref: { ...ref, name: 'a' }, status: 'InProgress', message: '0 of 1 ready' }
      yield { type: 'status', ref: { ...ref, name: 'b' }, status: 'InProgress', message: '0 of 2 ready' }
      yield { type: 'status', ref: { ...ref, name: 'a' }, status: 'Current', message: 'ready' }
      yield { type: 'status', ref: { ...ref, name: 'b' }, status: 'InProgress', message: '1 of 2 ready' }
      yield { type: 'progress', message: 'at work' }
      await time.sleep(1e9, signal)
    },
  })
  const runner = start(waiting)
  await until(store, async () => (await store.logs(id, 0)).length === 5)
  await time.advance(60_000)
  await runner.done
  const { error } = (await store.get(id))!
  expect(error).toMatchObject({
    code: 'job.timed-out',
    step: 'execute',
    message: 'the job took longer than 60 s: step execute waited for Deployment.apps shop/b: 1 of 2 ready',
    details: { objects: [{ ref: { name: 'b' }, status: 'InProgress', message: '1 of 2 ready' }] },
  })
})

test('the details of a failure are kept with the job', async () => {
  const { store, start } = open()
  const { id } = await store.enqueue(newJob({}))
  const ref = { group: '', version: 'v1', kind: 'Pod', name: 'web' }
  const pods = [{ ref, message: 'crashes', events: [], logTail: ['no database'] }]
  const objects = [{ ref, status: 'Failed' as const, message: 'CrashLoopBackOff', pods }]
  const failing: JobHandler = () => ({
    execute: () => Promise.reject(new LadingError('wait.failed', 'a pod crashes', { objects })),
  })
  await start(failing).done
  expect((await store.get(id))?.error).toEqual({
    code: 'wait.failed',
    message: 'a pod crashes',
    step: 'execute',
    details: { objects },
  })
})

test('a job that takes too long before anything is waited for says what it did last', async () => {
  const { time, store, start } = open()
  const { id } = await store.enqueue(newJob({ timeoutMs: 60_000 }))
  const fetching: JobHandler = () => ({
    fetch: async function* ({ signal }) {
      yield { type: 'progress', message: 'fetching the repository' }
      await time.sleep(1e9, signal)
    },
  })
  const runner = start(fetching)
  await until(store, async () => (await store.logs(id, 0)).length === 1)
  await time.advance(60_000)
  await runner.done
  expect((await store.get(id))?.error?.message).toBe(
    'the job took longer than 60 s: step fetch last reported: fetching the repository',
  )
})

function open() {
  const time = manualClock(1_000_000)
  const store = openJobStore(':memory:', time)
  onTestFinished(() => store.close())
  const start = (handler: JobHandler) => {
    const handlers = { 'kubernetes-manifest-build': handler }
    return startRunner(store, handlers, { worker: 'a', leaseMs: 1e9, once: true }, context({ clock: time }))
  }
  return { time, store, start }
}
