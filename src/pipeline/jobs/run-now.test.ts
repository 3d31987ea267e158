import { expect, onTestFinished, test } from 'vitest'
import { context, manualClock } from '../../core/index.ts'
import { built, newJob } from '../contract/sample-jobs.ts'
import { runNow } from './run-now.ts'
import { openJobStore } from './sqlite-job-store.ts'

const job = newJob()

test('whoever waits for another job of the same component is told which, and then goes on', async () => {
  const clock = manualClock(1000)
  const store = openJobStore(':memory:', clock)
  onTestFinished(() => store.close())
  await store.enqueue(job)
  const other = (await store.lease({ worker: 'elsewhere/7', leaseMs: 1000, perGroup: 1 }))!
  const events = runNow(store, { [job.type]: () => ({}) }, job, { worker: 'here' }, context({ clock }))
  expect(await events.next()).toEqual({
    done: false,
    value: { type: 'progress', message: `waiting for job ${other.id} (build), which elsewhere/7 has` },
  })
  const rest = events.next()
  await store.end(other, { state: 'finished', outputs: built })
  expect(await rest).toMatchObject({ done: true, value: { state: 'finished' } })
})

test('an interrupt while it waits cancels the job', async () => {
  const clock = manualClock(1000)
  const store = openJobStore(':memory:', clock)
  onTestFinished(() => store.close())
  await store.enqueue(job)
  await store.lease({ worker: 'elsewhere/7', leaseMs: 1000, perGroup: 1 })
  const interrupt = new AbortController()
  const events = runNow(store, {}, job, { worker: 'here' }, context({ clock, signal: interrupt.signal }))
  await events.next()
  const rest = events.next()
  interrupt.abort()
  await expect(rest).rejects.toMatchObject({ code: 'cancelled' })
})
