import { expect, it } from 'vitest'
import { newJob } from '../contract/sample-jobs.ts'
import type { JobProgress } from './job.ts'
import { parseJob } from './parse-job.ts'

const progress: JobProgress = {
  id: 'a1',
  group: 'build/shop',
  state: 'available',
  timeoutMs: 1,
  attempt: 0,
  maxRetries: 0,
  lost: 0,
  fence: 0,
  dueAt: 0,
  cancelRequested: false,
  createdAt: 0,
}

it('a job that can be read is given as it is, with fields that a newer version added', () => {
  const job = { ...progress, ...newJob({ plan: { added_later: 1 } }) }
  expect(parseJob(job)).toEqual(job)
})

it.each([
  [{ plan: { ...newJob().plan, dst_tag: 7 } }, 'plan.dst_tag'],
  [{ plan: undefined }, 'plan: it is missing, or encrypted with another key'],
  [{ outputs: { digest: 'sha256:0' } }, 'outputs.artifact'],
  [{ operation: 'bake' }, 'operation: bake is not known'],
])('a job that cannot be read is unknown, and says which field: %j', (wrong, place) => {
  const job = parseJob({ ...progress, ...newJob(), ...wrong })
  expect(job).toMatchObject({ id: 'a1', state: 'unknown', error: { code: 'job.unreadable' } })
  expect(job.error?.message).toContain(`job a1 cannot be read: ${place}`)
})
