import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject, type LadingEvent } from '../core/index.ts'
import { connect, type Connected, createObject, getObject, patchObject } from '../kube/index.ts'
import { type Sandbox, startSandbox } from '../sandbox/index.ts'
import type { DeployResult, ReleaseEngine } from './deploy.ts'
import { type Content, install, rollback, upgrade } from './operations.ts'
import { createMemoryStore } from './storage/memory-store.ts'
import { uninstall } from './uninstall.ts'

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
    namespace = `r${counter}`
    engine = { cluster, store: createMemoryStore() }
    await createObject(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, {}, ctx)
  })

  it('is installed, and its objects belong to it', async () => {
    const { outcome, record } = await run(install(engine, content(config('a', '1')), {}, ctx))
    expect(outcome).toBe('deployed')
    expect(record?.state).toEqual({ status: 'deployed' })
    expect(record?.version).toBe(1)
    const live = await find('a')
    expect(live?.['data']).toEqual({ value: '1' })
    expect(live?.metadata.annotations).toMatchObject({ 'lading.dev/release-name': 'shop' })
  })

  it('cannot be installed twice, and cannot be upgraded before it is installed', async () => {
    await expect(run(upgrade(engine, content(config('a', '1')), {}, ctx))).rejects.toMatchObject({
      code: 'release.not-found',
    })
    await run(upgrade(engine, content(config('a', '1')), { install: true }, ctx))
    await expect(run(install(engine, content(config('a', '1')), {}, ctx))).rejects.toMatchObject({
      code: 'release.exists',
    })
  })

  it('is upgraded: what changed is written, what left the set is removed, the old revision is superseded', async () => {
    await run(install(engine, content(config('a', '1'), config('b', '1'), config('c', '1')), {}, ctx))
    const { plan, record } = await run(upgrade(engine, content(config('a', '2'), config('b', '1')), {}, ctx))
    expect(plan.actions.map(({ ref, action }) => `${ref.name} ${action}`)).toEqual([
      'a update',
      'b unchanged',
      'c delete',
    ])
    expect(plan.actions[0]?.changes).toEqual([{ path: '.data.value', before: '1', after: '2' }])
    expect(record?.version).toBe(2)
    expect(await find('c')).toBeUndefined()
    const history = await engine.store.history('shop', namespace, ctx)
    expect(history.map(({ version, status }) => [version, status])).toEqual([
      [1, 'superseded'],
      [2, 'deployed'],
    ])
  })

  it('that did not change writes nothing and makes no revision', async () => {
    await run(install(engine, content(config('a', '1')), {}, ctx))
    const before = await find('a')
    const { outcome, record } = await run(upgrade(engine, content(config('a', '1')), {}, ctx))
    expect(outcome).toBe('unchanged')
    expect(record?.version).toBe(1)
    expect((await find('a'))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion)
  })

  it('whose object somebody changed is brought back by the same upgrade', async () => {
    await run(install(engine, content(config('a', '1')), {}, ctx))
    const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace, name: 'a' }
    await patchObject(cluster, ref, { data: { value: 'drifted' } }, { type: 'merge', fieldManager: 'somebody' }, ctx)
    await expect(run(upgrade(engine, content(config('a', '1')), {}, ctx))).rejects.toMatchObject({
      code: 'kube.field-conflict',
    })
    const { outcome } = await run(upgrade(engine, content(config('a', '1')), { conflicts: 'force' }, ctx))
    expect(outcome).toBe('deployed')
    expect((await find('a'))?.['data']).toEqual({ value: '1' })
  })

  it('rolls back to what it was, as a new revision', async () => {
    await run(install(engine, content(config('a', '1'), config('gone', '1')), {}, ctx))
    await run(upgrade(engine, content(config('a', '2'), config('new', '1')), {}, ctx))
    const { record } = await run(rollback(engine, { name: 'shop', namespace }, undefined, {}, ctx))
    expect(record?.version).toBe(3)
    expect((await find('a'))?.['data']).toEqual({ value: '1' })
    expect(await find('gone')).toBeDefined()
    expect(await find('new')).toBeUndefined()
  })

  it('does not take what exists already, unless it is told to', async () => {
    await createObject(cluster, inNamespace(config('a', 'theirs')), {}, ctx)
    await expect(run(install(engine, content(config('a', '1')), { conflicts: 'force' }, ctx))).rejects.toThrow(
      'does not belong to the release',
    )
    expect((await find('a'))?.['data']).toEqual({ value: 'theirs' })
    await run(install(engine, content(config('a', '1')), { conflicts: 'force', takeOwnership: true }, ctx))
    expect((await find('a'))?.['data']).toEqual({ value: '1' })
  })

  it('tells everything that is wrong before it writes anything', async () => {
    const wrong = [config('ok', '1'), { ...config('Bad_Name', '1') }, { ...config('b', '1'), nonsense: 1 }]
    const failing = run(install(engine, content(...wrong), {}, ctx))
    await expect(failing).rejects.toMatchObject({
      message: `2 objects cannot be applied: ConfigMap ${namespace}/Bad_Name, ConfigMap ${namespace}/b`,
      details: {
        failures: [{ ref: { name: 'Bad_Name' } }, { message: expect.stringContaining('nonsense') as string }],
      },
    })
    expect(await find('ok')).toBeUndefined()
    expect(await engine.store.history('shop', namespace, ctx)).toEqual([])
  })

  it('runs its hooks around the install, once, and never as ordinary objects', async () => {
    const events: LadingEvent[] = []
    const hook = job('migrate', {
      'sherpack.io/hook': 'pre-install',
      'sherpack.io/hook-delete-policy': 'hook-succeeded',
    })
    const { record } = await run(install(engine, content(config('a', '1'), hook), {}, ctx), events)
    const told = events.flatMap((event) =>
      event.type === 'hook' ? [`${event.phase} ${event.ref.name} ${event.status}`] : [],
    )
    expect(told).toEqual([
      'pre-install migrate started',
      'pre-install migrate succeeded',
      'pre-install migrate deleted',
    ])
    expect(record?.inventory.map(({ ref }) => ref.name)).toEqual(['a'])
  })

  it('fails with its failing hook before anything is applied, and can be installed again', async () => {
    const hook = job('broken', { 'sherpack.io/hook': 'pre-install' }, 'job-fail')
    await expect(run(install(engine, content(config('a', '1'), hook), {}, ctx))).rejects.toMatchObject({
      code: 'release.failed',
    })
    expect(await find('a')).toBeUndefined()
    const [revision] = await engine.store.history('shop', namespace, ctx)
    expect(revision?.status).toBe('failed')
    const { outcome } = await run(install(engine, content(config('a', '1')), {}, ctx))
    expect(outcome).toBe('deployed')
  })

  it('that fails with atomic is back where it was', async () => {
    await run(install(engine, content(deployment('web', undefined)), { wait: true }, ctx))
    const failing = upgrade(
      engine,
      content(deployment('web', 'crash-loop'), config('extra', '1')),
      { atomic: true, timeoutMs: 20_000 },
      ctx,
    )
    await expect(run(failing)).rejects.toMatchObject({ code: 'release.failed' })
    expect(await find('extra')).toBeUndefined()
    const history = await engine.store.history('shop', namespace, ctx)
    expect(history.map(({ status }) => status)).toEqual(['superseded', 'failed', 'deployed'])
  })

  it('is gone after an uninstall, but for what is to be kept', async () => {
    const kept = config('kept', '1')
    kept.metadata.annotations = { 'helm.sh/resource-policy': 'keep' }
    await run(install(engine, content(config('a', '1'), kept), {}, ctx))
    await run(uninstall(engine, { name: 'shop', namespace }, {}, ctx))
    expect(await find('a')).toBeUndefined()
    expect(await find('kept')).toBeDefined()
    expect(await engine.store.history('shop', namespace, ctx)).toEqual([])
  })

  it('can be installed again after an uninstall that kept its history', async () => {
    await run(install(engine, content(config('a', '1')), {}, ctx))
    await run(uninstall(engine, { name: 'shop', namespace }, { keepHistory: true }, ctx))
    const { record } = await run(install(engine, content(config('a', '1')), {}, ctx))
    expect(record?.version).toBe(2)
  })

  it('a dry run plans and writes nothing', async () => {
    const { outcome, plan } = await run(install(engine, content(config('a', '1')), { dryRun: true }, ctx))
    expect(outcome).toBe('planned')
    expect(plan.actions.map(({ action }) => action)).toEqual(['create'])
    expect(await find('a')).toBeUndefined()
    expect(await engine.store.history('shop', namespace, ctx)).toEqual([])
  })

  it('refuses a plan that the cluster has moved away from, saying what moved', async () => {
    await run(install(engine, content(config('a', '1')), {}, ctx))
    const { plan } = await run(upgrade(engine, content(config('a', '2')), { dryRun: true }, ctx))
    const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace, name: 'a' }
    await patchObject(
      cluster,
      ref,
      { metadata: { labels: { touched: 'yes' } } },
      { type: 'merge', fieldManager: 'somebody' },
      ctx,
    )
    const late = run(upgrade(engine, { ...content(config('a', '2')), plan }, {}, ctx))
    await expect(late).rejects.toMatchObject({
      code: 'plan.stale',
      message: `the plan is stale: ConfigMap ${namespace}/a changed since it was made`,
    })
  })

  it('leaves the replicas to its autoscaler when only the workload changes', async () => {
    const scaler: KubeObject = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: {
        minReplicas: 2,
        maxReplicas: 9,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      },
    }
    const web = (image: string): KubeObject => withReplicas(deployment('web', undefined), 2, image)
    await run(install(engine, content(scaler, web('x:1')), {}, ctx))
    const ref = { group: 'apps', version: 'v1', kind: 'Deployment', namespace, name: 'web' }
    await patchObject(cluster, ref, { spec: { replicas: 5 } }, { type: 'merge', fieldManager: 'autoscaler' }, ctx)
    await run(upgrade(engine, content(scaler, web('x:2')), { conflicts: 'force' }, ctx))
    expect((await getObject(cluster, ref, ctx))?.['spec']).toMatchObject({ replicas: 5 })
  })

  it('goes up wave by wave, each ready before the next', async () => {
    const events: LadingEvent[] = []
    const first = deployment('db', undefined, { 'sherpack.io/sync-wave': '-1' })
    await run(install(engine, content(deployment('app', undefined), first), {}, ctx), events)
    const story = events.flatMap((event) => {
      if (event.type === 'object') return [`${event.ref.name} ${event.action}`]
      return event.type === 'status' && event.status === 'Current' ? [`${event.ref.name} ready`] : []
    })
    expect(story).toEqual(['db created', 'db ready', 'app created'])
  })

  function content(...objects: KubeObject[]): Content {
    const digest = `sha256:${JSON.stringify(objects)}`
    return {
      release: { name: 'shop', namespace },
      objects,
      source: { type: 'manifest', name: 'shop', digest },
      values: {},
      provenance: { sources: {} },
    }
  }

  function find(name: string): Promise<KubeObject | undefined> {
    return getObject(cluster, { group: '', version: 'v1', kind: 'ConfigMap', namespace, name }, ctx)
  }

  function inNamespace(object: KubeObject): KubeObject {
    return { ...object, metadata: { ...object.metadata, namespace } }
  }
})

async function run<Result extends DeployResult | object>(
  operation: AsyncGenerator<LadingEvent, Result>,
  events: LadingEvent[] = [],
): Promise<Result> {
  for (;;) {
    const next = await operation.next()
    if (next.done === true) return next.value
    events.push(next.value)
  }
}

function withReplicas(object: KubeObject, replicas: number, image: string): KubeObject {
  const spec = object['spec'] as { template: { spec: { containers: object[] } } }
  const containers = [{ name: 'main', image }]
  const template = { ...spec.template, spec: { ...spec.template.spec, containers } }
  return { ...object, spec: { ...spec, replicas, template } }
}

function config(name: string, value: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } }
}

function job(name: string, annotations: Record<string, string>, simulate?: string): KubeObject {
  const template = {
    metadata: { annotations: simulate === undefined ? {} : { 'lading.dev/simulate': simulate } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] },
  }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, annotations }, spec: { backoffLimit: 0, template } }
}

function deployment(name: string, simulate: string | undefined, annotations: Record<string, string> = {}): KubeObject {
  const labels = { app: name }
  const template = {
    metadata: { labels, annotations: simulate === undefined ? {} : { 'lading.dev/simulate': simulate } },
    spec: { containers: [{ name: 'main', image: 'x' }] },
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, annotations },
    spec: { selector: { matchLabels: labels }, template },
  }
}
