import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LadingError, type ManualClock, manualClock } from '../../core/index.ts'
import { listObjects } from '../../kube/index.ts'
import { pipelineHandlers } from '../handlers.ts'
import { runNow } from '../jobs/run-now.ts'
import { until } from '../jobs/testdata/test-jobs.ts'
import { finish, openPipeline, type TestPipeline } from '../testdata/open-pipeline.ts'
import { approved, build, inline, job, namespace, plan } from '../testdata/pipeline-jobs.ts'
import { deployJobLimit, operationLimit } from './deploy-time.ts'

let line: TestPipeline
let clock: ManualClock

beforeAll(async () => {
  clock = manualClock(Date.UTC(2026, 0, 1))
  line = await openPipeline({ clock })
})
afterAll(() => line.close())

test('a deploy that runs out of time fails with what was not ready, before the limit of its job', async () => {
  await namespace(line, 'slow')
  const { outputs } = await build(line, inline('web', 'slow', unready))
  const planned = await plan(line, 'web', 'slow', outputs!)
  const contents = planned.outputs!.plan
  // As long as the job itself.
  const deploy = job('apply-plan', { ...approved('web', 'slow', contents), timeout_ms: 60_000 })
  const store = line.releases
  const engine = () => Promise.resolve({ cluster: line.cluster, store, lock: { durationMs: 1e9 } })
  const handlers = pipelineHandlers({ ...line.services, engine })
  const work = finish(runNow(line.jobs, handlers, deploy, { worker: 'test', leaseMs: 1e9 }, line.ctx))
  const failure = work.then(
    () => undefined,
    (error: LadingError) => error,
  )
  const current = async () => (await line.jobs.list({ states: ['in-progress'] }))[0]
  await until(line.jobs, async () => {
    const running = await current()
    const lines = running === undefined ? [] : await line.jobs.logs(running.id, 0)
    return lines.some(({ message }) => message.startsWith('Deployment.apps slow/web InProgress'))
  })
  await podsRun('slow')
  await clock.advance(45_000)
  expect(await failure).toMatchObject({
    code: 'release.failed',
    message: expect.stringContaining('Deployment.apps slow/web is not ready after'),
    details: {
      state: 'failed',
      objects: [
        {
          ref: { name: 'web' },
          pods: [
            {
              logTail: ['no database'],
              events: expect.arrayContaining([expect.objectContaining({ reason: 'Scheduled' })]),
            },
          ],
        },
      ],
    },
  })
})

test.each([
  { limit: deployJobLimit(300_000), wanted: 300_000, elapsed: 20_000, allowed: 300_000 },
  { limit: 300_000, wanted: 300_000, elapsed: 0, allowed: 270_000 },
  { limit: 300_000, wanted: 60_000, elapsed: 0, allowed: 60_000 },
  { limit: 60_000, wanted: undefined, elapsed: 5_000, allowed: 40_000 },
  { limit: 60_000, wanted: 60_000, elapsed: 59_000, allowed: 1 },
])('of a job of $limit ms the operation gets $allowed ms', ({ limit, wanted, elapsed, allowed }) => {
  const plan = wanted === undefined ? {} : { timeout_ms: wanted }
  expect(operationLimit({ timeoutMs: limit }, plan, elapsed)).toBe(allowed)
})

/** A pod that runs has said why it is not ready. */
async function podsRun(space: string): Promise<void> {
  const query = { gvk: { group: '', version: 'v1', kind: 'Pod' }, namespace: space }
  for (;;) {
    const { items } = await listObjects(line.cluster, query, line.ctx)
    const isRunning = items.some(({ status }) => (status as { phase?: string } | undefined)?.phase === 'Running')
    if (isRunning) return
  }
}

const unready = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web}
      annotations: {lading.dev/simulate: unready, lading.dev/simulate-logs: no database}
    spec: {containers: [{name: main, image: "nginx:1"}]}
`
