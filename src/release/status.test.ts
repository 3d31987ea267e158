import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject, type LadingEvent } from '../core/index.ts'
import { connect, type Connected, createObject, deleteObject, waitForReady } from '../kube/index.ts'
import { type Sandbox, startSandbox } from '../sandbox/index.ts'
import type { ReleaseEngine } from './deploy.ts'
import { type Content, install, upgrade } from './operations.ts'
import { manifestOf, hookManifestOf, valuesOf } from './show-record.ts'
import { status } from './status.ts'
import { createMemoryStore } from './storage/memory-store.ts'
import { testRelease } from './test-release.ts'

const ctx = context()

describe('a release', () => {
  let sandbox: Sandbox
  let cluster: Connected
  let engine: ReleaseEngine
  let namespace: string
  let counter = 0

  beforeAll(async () => {
    sandbox = await startSandbox()
    cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  })

  afterAll(async () => {
    await cluster.close()
    await sandbox.stop()
  })

  beforeEach(async () => {
    counter += 1
    namespace = `s${counter}`
    engine = { cluster, store: createMemoryStore() }
    await createObject(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, {}, ctx)
  })

  it('that is well says so, with the replicas of its workloads and the runs of its hooks', async () => {
    const hook = pod('migrate', { 'sherpack.io/hook': 'pre-install' })
    await run(
      install(engine, { ...content(config('a'), deployment('web', 2), hook), notes: 'welcome' }, { wait: true }, ctx),
    )
    const report = await status(engine, release(), {}, ctx)
    expect(report.health.state).toBe('healthy')
    expect(report.health.objects).toMatchObject([
      { ref: { name: 'a' }, state: 'healthy' },
      { ref: { name: 'web' }, state: 'healthy', ready: 2, desired: 2 },
    ])
    expect(report).toMatchObject({ notes: 'welcome', record: { version: 1 } })
    expect(report.hooks).toMatchObject([
      { ref: { name: 'migrate' }, phases: ['pre-install'], lastRun: { phase: 'Succeeded' } },
    ])
  })

  it('whose object is gone is degraded', async () => {
    await run(install(engine, content(config('a'), config('b')), {}, ctx))
    await deleteObject(cluster, { group: '', version: 'v1', kind: 'ConfigMap', namespace, name: 'a' }, {}, ctx)
    expect((await status(engine, release(), {}, ctx)).health).toMatchObject({
      state: 'degraded',
      objects: [{ state: 'degraded', message: 'does not exist' }, { state: 'healthy' }],
    })
  })

  it('whose pods crash has failed, and names the pod', async () => {
    await run(install(engine, content(deployment('web', 1, 'crash-loop')), {}, ctx))
    const ref = { group: 'apps', version: 'v1', kind: 'Deployment', namespace, name: 'web' }
    await expect(run(waitForReady(cluster, [ref], { timeoutMs: 20_000, diagnose: false }, ctx))).rejects.toThrow(
      'CrashLoop',
    )
    const { health } = await status(engine, release(), {}, ctx)
    expect(health).toMatchObject({ state: 'failed', objects: [{ ready: 0, desired: 1 }] })
    expect(health.objects[0]?.message).toMatch(/^pod web-.*CrashLoopBackOff/)
  })

  it('is judged by the rules of the caller', async () => {
    await run(install(engine, content(config('a')), {}, ctx))
    const rules = [{ kind: 'ConfigMap', current: 'false', failed: 'metadata.name == "a"' }]
    expect((await status(engine, release(), { rules }, ctx)).health.state).toBe('failed')
  })

  it('that is not there has no status', async () => {
    await expect(status(engine, release(), {}, ctx)).rejects.toMatchObject({ code: 'release.not-found' })
  })

  it('is tested: what ran is on record, and the revision stands as it was', async () => {
    const objects = [config('a'), pod('probe', { 'sherpack.io/hook': 'test' })]
    const { record: before } = await run(install(engine, content(...objects), {}, ctx))
    const events: LadingEvent[] = []
    const report = await run(testRelease(engine, release(), {}, ctx), events)
    expect(report).toMatchObject({ revision: 1, passed: true, tests: [{ ref: { name: 'probe' }, result: 'passed' }] })
    expect(events.flatMap((event) => (event.type === 'hook' ? [event.status] : []))).toEqual(['started', 'succeeded'])
    const { record, hooks } = await status(engine, release(), {}, ctx)
    expect(hooks[0]?.lastRun).toMatchObject({ phase: 'Succeeded' })
    expect({ ...record, hooks: [] }).toEqual({ ...before, hooks: [] })
    // The tests changed nothing that an upgrade would have to repair.
    expect((await run(upgrade(engine, content(...objects), {}, ctx))).outcome).toBe('unchanged')
  })

  it('whose test fails is told so, with the rest skipped and the failure on record', async () => {
    const bad = pod('bad', { 'sherpack.io/hook': 'test', 'sherpack.io/hook-weight': '1' }, 'exit-code')
    const later = pod('later', { 'helm.sh/hook': 'test-success', 'helm.sh/hook-weight': '2' })
    await run(install(engine, content(config('a'), later, bad), {}, ctx))
    const report = await run(testRelease(engine, release(), { timeoutMs: 20_000 }, ctx))
    expect(report.passed).toBe(false)
    expect(report.tests.map(({ ref, result }) => `${ref.name} ${result}`)).toEqual(['bad failed', 'later skipped'])
    expect(report.tests[0]?.message).not.toBe(undefined)
    const { hooks, record } = await status(engine, release(), {}, ctx)
    expect(hooks.find(({ ref }) => ref.name === 'bad')?.lastRun?.phase).toBe('Failed')
    expect(hooks.find(({ ref }) => ref.name === 'later')).not.toHaveProperty('lastRun')
    expect(record.state).toEqual({ status: 'deployed' })
  })

  it('is shown without the values of its Secrets, unless they are asked for', async () => {
    const secret = (name: string, annotations = {}): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, annotations },
      stringData: { password: 'hunter2' },
    })
    const own = {
      ...content(secret('s'), secret('h', { 'sherpack.io/hook': 'post-delete' })),
      values: { a: 1, b: 2 },
      userValues: { b: 2 },
    }
    const { record } = await run(install(engine, own, {}, ctx))
    if (record === undefined) throw new Error('nothing was installed')
    expect(manifestOf(record) + hookManifestOf(record)).not.toContain('hunter2')
    expect(manifestOf(record, { showSecrets: true })).toContain('hunter2')
    expect(hookManifestOf(record, { showSecrets: true })).toContain('hunter2')
    expect(valuesOf(record)).toEqual({ b: 2 })
    expect(valuesOf(record, true)).toEqual({ a: 1, b: 2 })
  })

  function release(): { name: string; namespace: string } {
    return { name: 'shop', namespace }
  }

  function content(...objects: KubeObject[]): Content {
    return {
      release: release(),
      objects,
      source: { type: 'manifest', name: 'shop', digest: `sha256:${JSON.stringify(objects)}` },
      values: {},
      provenance: { sources: {} },
    }
  }
})

async function run<Result>(
  operation: AsyncGenerator<LadingEvent, Result>,
  events: LadingEvent[] = [],
): Promise<Result> {
  for (;;) {
    const next = await operation.next()
    if (next.done === true) return next.value
    events.push(next.value)
  }
}

function config(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value: '1' } }
}

function pod(name: string, annotations: Record<string, string>, simulate?: string): KubeObject {
  const marks: Record<string, string> = simulate === undefined ? {} : { 'lading.dev/simulate': simulate }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations: { ...annotations, ...marks } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] },
  }
}

function deployment(name: string, replicas: number, simulate?: string): KubeObject {
  const labels = { app: name }
  const annotations = simulate === undefined ? {} : { 'lading.dev/simulate': simulate }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations }, spec: { containers: [{ name: 'main', image: 'x' }] } },
    },
  }
}
