import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KubeObject, type ManualClock, manualClock } from '../core/index.ts'
import { type Cluster, createObject, getObject } from '../kube/index.ts'
import { pullArtifact } from '../oci/index.ts'
import { historyOf, planHash, readHistory } from '../release/index.ts'
import { planBuild } from './build/build-plan.ts'
import { parseComponent } from './config/read-component.ts'
import { pipelineHandlers } from './handlers.ts'
import { type Job, jobOf } from './jobs/job.ts'
import type { JobOperation } from './jobs/job-operations.ts'
import type { JobStore } from './jobs/job-store.ts'
import { runJob } from './jobs/run-job.ts'
import { startRunner } from './jobs/runner.ts'
import type { PipelineServices } from './services.ts'
import { openPipeline, type TestPipeline } from './testdata/open-pipeline.ts'

let line: TestPipeline
let clock: ManualClock

beforeAll(async () => {
  clock = manualClock(Date.UTC(2026, 0, 1))
  line = await openPipeline({ clock })
})
afterAll(() => line.close())

test('a runner that dies at any moment leaves a deploy that the next runner ends: applied once, or refused and healed', async () => {
  const outcomes: string[] = []
  const applied: string[] = []
  for (let calls = 1; ; calls++) {
    const space = `crash-${calls}`
    const id = await approvedDeploy(space)
    const crash = crashAfter(calls)
    const job = await line.jobs.lease({ worker: 'dies', leaseMs: 10_000, perGroup: 1, only: id })
    await crash.run(job!.id, async () => {
      const events = runJob(crash.store, job!, pipelineHandlers(crash.services), { leaseMs: 10_000 }, line.ctx)
      while ((await events.next()).done !== true);
    })
    if (!crash.happened) break
    await clock.advance(20 * 60_000)
    await startRunner(line.jobs, pipelineHandlers(line.services), { worker: 'next', once: true }, line.ctx).done
    const ended = await line.jobs.get(id)
    const revisions = await historyOf(line.releases, { name: 'shop', namespace: space }, line.ctx)
    const value = ((await live(space))?.['data'] as { value?: string } | undefined)?.value
    outcomes.push([ended?.state, ended?.error?.code ?? '', ...revisions.map(({ status }) => status)].join(' '))
    applied.push(ended?.state === 'finished' && value !== '1' ? `lost after call ${calls}` : 'well')
  }
  expect(new Set(applied)).toEqual(new Set(['well']))
  // Both ways out were taken: dying before or after the writes, and dying between them.
  expect(new Set(outcomes)).toEqual(new Set(['finished  deployed', 'failed plan.stale failed']))
})

test('a runner that dies in the middle of a teardown leaves one that the next runner ends, or that is planned anew', async () => {
  const outcomes = new Set<string>()
  // Every third moment: each costs a whole deploy before it.
  for (let calls = 1; ; calls += 3) {
    const space = `down-${calls}`
    await approvedDeploy(space)
    const next = () =>
      startRunner(line.jobs, pipelineHandlers(line.services), { worker: 'next', once: true }, line.ctx).done
    await next()
    const id = await approvedTeardown(space)
    const crash = crashAfter(calls)
    const job = await line.jobs.lease({ worker: 'dies', leaseMs: 10_000, perGroup: 1, only: id })
    await crash.run(id, async () => {
      const events = runJob(crash.store, job!, pipelineHandlers(crash.services), { leaseMs: 10_000 }, line.ctx)
      while ((await events.next()).done !== true);
    })
    if (!crash.happened) break
    await clock.advance(20 * 60_000)
    await next()
    const ended = await line.jobs.get(id)
    outcomes.add([ended?.state, ended?.error?.code ?? outputsOf(ended, 'apply-plan')?.outcome].join(' '))
    if (ended?.state !== 'finished') {
      await approvedTeardown(space)
      await next()
    }
    expect(await live(space)).toBeUndefined()
    const { latest } = await readHistory(line.releases, { name: 'shop', namespace: space }, line.ctx)
    expect(latest).toBeUndefined()
  }
  expect([...outcomes].sort()).toEqual(['failed plan.used', 'finished uninstalled'])
})

test('a runner that dies at any moment of a build leaves a job that the next runner ends, and nothing else', async () => {
  const digests = new Set<unknown>()
  for (let calls = 1; ; calls++) {
    const component = parseComponent(
      'type: kubernetes_manifest\nname: b\nnamespace: x\nmanifest: |\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n',
      'yaml',
      `${line.folder}/c.yaml`,
    )
    const plan = planBuild(component, { registry: `oci://${line.registry.host}/built-${calls}`, tag: 'v1' })
    const type = 'kubernetes-manifest-build'
    const { id } = await line.jobs.enqueue({ type, operation: 'build', group: 'b', plan: { ...plan }, timeoutMs: 1e9 })
    const crash = crashAfter(calls)
    const job = await line.jobs.lease({ worker: 'dies', leaseMs: 10_000, perGroup: 1, only: id })
    await crash.run(id, async () => {
      const events = runJob(crash.store, job!, pipelineHandlers(crash.services), { leaseMs: 10_000 }, line.ctx)
      while ((await events.next()).done !== true);
    })
    if (!crash.happened) break
    await clock.advance(20_000)
    await startRunner(line.jobs, pipelineHandlers(line.services), { worker: 'next', once: true }, line.ctx).done
    const ended = await line.jobs.get(id)
    expect(ended).toMatchObject({ state: 'finished', attempt: 2 })
    const digest = outputsOf(ended, 'build')?.digest
    digests.add(digest)
    const pulled = await pullArtifact(line.open(`built-${calls}`), 'v1', {}, line.ctx)
    expect(pulled.digest).toBe(digest)
    expect(await readdir(line.services.workspace)).toEqual([])
  }
  expect(digests.size).toBe(1)
})

/** A deploy that is planned and approved, waiting in the queue. */
async function approvedDeploy(space: string): Promise<string> {
  const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: space } }
  await createObject(line.cluster, namespace, {}, line.ctx)
  const manifest = '  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n  data: {value: "1"}\n'
  const text = `type: kubernetes_manifest\nname: shop\nnamespace: ${space}\nmanifest: |\n${manifest}`
  const component = parseComponent(text, 'yaml', `${line.folder}/c.yaml`)
  const build = planBuild(component, { registry: `oci://${line.registry.host}/crash`, tag: 'v1' })
  const timeoutMs = 3_600_000
  const { outputs } = await line.run({
    type: 'kubernetes-manifest-build',
    operation: 'build',
    group: 'build',
    plan: { ...build },
    timeoutMs,
  })
  const artifact = { url: `oci://${line.registry.host}/crash`, digest: outputs!.digest }
  const deploy = {
    component_id: 'shop',
    component_name: 'shop',
    kubernetes_manifest: { namespace: space, oci_artifact: artifact },
    wait: false,
  }
  const type = 'kubernetes-manifest-deploy'
  const planned = await line.run({ type, operation: 'create-apply-plan', group: space, plan: deploy, timeoutMs })
  const contents = planned.outputs!.plan
  const approval = { plan_hash: planHash(contents), decision: 'approve', by: 'test', at: '' } as const
  const plan = { ...deploy, apply_plan_contents: contents, approval }
  return (await line.jobs.enqueue({ type, operation: 'apply-plan', group: space, plan, timeoutMs })).id
}

/** What a job of this operation left. */
function outputsOf<Operation extends JobOperation>(job: Job | undefined, operation: Operation) {
  return job === undefined ? undefined : jobOf(job, operation).outputs
}

/** A teardown that is planned and approved, waiting in the queue. */
async function approvedTeardown(space: string): Promise<string> {
  const type = 'kubernetes-manifest-deploy'
  const base = { component_id: 'shop', component_name: 'shop', kubernetes_manifest: { namespace: space } }
  const job = { type, group: space, timeoutMs: 3_600_000 } as const
  const planned = await line.run({ ...job, operation: 'create-teardown-plan', plan: base })
  const contents = planned.outputs!.plan
  const approval = { plan_hash: planHash(contents), decision: 'approve', by: 'test', at: '' } as const
  const plan = { ...base, apply_plan_contents: contents, approval }
  return (await line.jobs.enqueue({ ...job, operation: 'apply-plan', plan })).id
}

/** A runner of which nothing reaches the store or the cluster after so many calls to either. */
function crashAfter(calls: number) {
  let left = calls
  let dead: () => void = () => undefined
  const died = new Promise<void>((resolve) => (dead = resolve))
  const gate = { happened: false }
  const call = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (left === 0) {
      gate.happened = true
      dead()
      // A dead process gets no answer.
      return new Promise(() => undefined)
    }
    left--
    return work()
  }
  const store: JobStore = {
    ...line.jobs,
    heartbeat: (...args) => call(() => line.jobs.heartbeat(...args)),
    setStep: (...args) => call(() => line.jobs.setStep(...args)),
    log: (...args) => call(() => line.jobs.log(...args)),
    end: (...args) => call(() => line.jobs.end(...args)),
  }
  const { transport, discovery } = line.cluster
  const cluster: Cluster = {
    discovery,
    transport: {
      ...transport,
      server: transport.server,
      identity: transport.identity,
      close: () => Promise.resolve(),
      request: (request, ctx) => call(() => transport.request(request, ctx)),
      stream: (request, ctx) => call(() => transport.stream(request, ctx)),
    },
  }
  const services: PipelineServices = {
    ...line.services,
    open: (reference) => {
      const target = line.services.open(reference)
      return {
        ...(target.location === undefined ? {} : { location: target.location }),
        fetch: (...args) => call(() => target.fetch(...args)),
        push: (...args) => call(() => target.push(...args)),
        resolve: (...args) => call(() => target.resolve(...args)),
        tag: (...args) => call(() => target.tag(...args)),
        pushTagged: (...args) => call(() => target.pushTagged(...args)),
        exists: (...args) => call(() => target.exists(...args)),
        tags: (...args) => call(() => target.tags(...args)),
        referrers: (...args) => call(() => target.referrers(...args)),
        delete: (...args) => call(() => target.delete(...args)),
        close: () => target.close(),
      }
    },
    // The lock of a process that is known to be dead is free at once, as one without a holder is.
    engine: () => Promise.resolve({ cluster, store: line.storeOn(cluster), lock: { holder: '' } }),
  }
  return {
    store,
    services,
    get happened() {
      return gate.happened
    },
    run: async (_id: string, work: () => Promise<void>) => {
      await Promise.race([work(), died])
    },
  }
}

function live(namespace: string): Promise<KubeObject | undefined> {
  return getObject(line.cluster, { group: '', version: 'v1', kind: 'ConfigMap', namespace, name: 'a' }, line.ctx)
}
