import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { context, LadingError, manualClock, silentLog } from '../../core/index.ts'
import type { JobRequest, NewJob } from './job.ts'
import { type RunnerOptions, startRunner } from './runner.ts'
import { openJobStore } from './sqlite-job-store.ts'
import { newJob } from '../contract/sample-jobs.ts'
import { until } from './testdata/test-jobs.ts'

function deploy(request: Partial<JobRequest> = {}): NewJob {
  const plan = { component_id: 'shop', component_name: 'shop', kubernetes_manifest: { namespace: 'shop' } }
  const job = { group: 'shop', timeoutMs: 1e9, plan, ...request }
  return { ...job, type: 'kubernetes-manifest-deploy', operation: 'apply-plan' }
}

test('a runner leaves a job that it has no handler for to others, says so once, and does the rest', async () => {
  const { store, said, run } = open()
  const first = await store.enqueue(deploy())
  const second = await store.enqueue(deploy({ group: 'other', cluster: 'staging' }))
  const build = await store.enqueue(newJob({ group: 'third' }))
  await run({}, ['kubernetes-manifest-build']).done
  expect(await store.get(build.id)).toMatchObject({ state: 'finished' })
  for (const { id } of [first, second]) expect(await store.get(id)).toMatchObject({ state: 'available', attempt: 0 })
  expect(said).toEqual([
    `this runner has no handler for jobs of type kubernetes-manifest-deploy: it leaves job ${first.id} to others`,
  ])
})

test('a runner leaves a job for another cluster to the runner of that cluster', async () => {
  const { store, said, run } = open()
  const staging = await store.enqueue(deploy({ group: 'a', cluster: 'staging' }))
  const production = await store.enqueue(deploy({ group: 'b', cluster: 'production' }))
  await run({ cluster: () => Promise.resolve('production') }).done
  expect(await store.get(production.id)).toMatchObject({ state: 'finished', cluster: 'production' })
  expect(await store.get(staging.id)).toMatchObject({ state: 'available', attempt: 0, cluster: 'staging' })
  expect(said).toEqual([
    `job ${staging.id} is for the cluster staging, and this runner has the cluster production: it is left to others`,
  ])
  await run({ cluster: () => Promise.resolve('staging') }).done
  expect(await store.get(staging.id)).toMatchObject({ state: 'finished' })
})

test('a runner without a cluster takes jobs that name none', async () => {
  const { store, said, run } = open()
  const named = await store.enqueue(deploy({ cluster: 'staging' }))
  const free = await store.enqueue(newJob({ group: 'free' }))
  await run({}).done
  expect(await store.get(free.id)).toMatchObject({ state: 'finished' })
  expect(await store.get(named.id)).toMatchObject({ state: 'available' })
  expect(said).toEqual([
    `job ${named.id} is for the cluster staging, and this runner has no cluster: it is left to others`,
  ])
})

test('a runner whose cluster does not answer leaves its jobs alone, and asks it again', async () => {
  const { store, said, run, clock } = open()
  const { id } = await store.enqueue(deploy({ cluster: 'staging' }))
  const questions = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  const cluster = async () => {
    const question = questions[asked++]
    if (question === undefined) return 'staging'
    question.resolve()
    throw new LadingError('kube.unreachable', 'no answer')
  }
  const runner = run({ cluster, once: false })
  for (const { promise } of questions) {
    await promise
    expect(await store.get(id)).toMatchObject({ state: 'available', attempt: 0 })
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(30_000)
  }
  await until(store, async () => (await store.get(id))?.state === 'finished')
  expect(said).toEqual([`this runner leaves job ${id} alone: its cluster did not answer: no answer`])
  await runner.stop(0)
})

test('a store of the version before is brought up to date, and its jobs stay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lading-jobs-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'jobs.db')
  const before = openJobStore(file, manualClock(1000), join(folder, 'jobs.key'))
  const { id } = await before.enqueue(newJob({}))
  before.close()
  const old = new DatabaseSync(file)
  old.exec('alter table jobs drop column cluster; pragma user_version = 1')
  old.close()
  const store = openJobStore(file, manualClock(1000), join(folder, 'jobs.key'))
  onTestFinished(() => store.close())
  expect(await store.get(id)).toMatchObject({ state: 'available' })
  expect(await store.enqueue(newJob({ cluster: 'staging' }))).toMatchObject({ cluster: 'staging' })
})

function open() {
  const clock = manualClock(1_000_000)
  const store = openJobStore(':memory:', clock)
  onTestFinished(() => store.close())
  const said: string[] = []
  const log = { ...silentLog, warn: (message: string) => void said.push(message) }
  const all = ['kubernetes-manifest-build', 'kubernetes-manifest-deploy']
  const run = (options: Partial<RunnerOptions>, types = all) => {
    const handlers = Object.fromEntries(types.map((type) => [type, () => ({})]))
    return startRunner(store, handlers, { worker: 'a', once: true, ...options }, context({ clock, log }))
  }
  return { clock, store, said, run }
}
