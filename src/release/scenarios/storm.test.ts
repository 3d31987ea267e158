import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context, isLadingError, type LadingEvent } from '../../core/index.ts'
import { connect, type Connected, createObject, listObjects } from '../../kube/index.ts'
import { type FaultSpec, type Sandbox, startSandbox } from '../../sandbox/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Content } from '../intent.ts'
import { install, upgrade } from '../run/operations.ts'
import { createStore } from '../storage/create-store.ts'
import { crashContent } from '../testdata/crash-content.ts'
import { crashOperations, operate } from '../testdata/crash-operation.ts'
import { uninstall } from '../run/uninstall.ts'

const ctx = context()
let sandbox: Sandbox
let cluster: Connected
let made = 0

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 5 })
  // Without waiting in between, so that many retries cost no time.
  const retry = { random: () => 0, attempts: 20, throttledAttempts: 20 }
  cluster = await connect({ kubeconfig: sandbox.kubeconfig, transport: { retry } }, ctx)
})

afterAll(async () => {
  await cluster.close()
  await sandbox.stop()
})

const storms: readonly (readonly [string, readonly FaultSpec[]])[] = [
  ['429s', [{ fault: 'throttle', percentage: 30, retryAfterSeconds: 0 }]],
  ['503s', [{ fault: 'error', code: 503, percentage: 20 }]],
  ['500s', [{ fault: 'error', code: 500, percentage: 15 }]],
  ['connections that are cut before the request', [{ fault: 'reset', percentage: 20 }]],
  ['connections that are cut before the answer', [{ fault: 'reset', percentage: 20, when: 'after' }]],
  ['watches that are cut', [{ fault: 'drop-watch', events: 1 }]],
  ['watches whose history is forgotten', [{ fault: 'gone', verb: 'watch', percentage: 50 }]],
  ['conflicts', [{ fault: 'conflict', verb: ['update', 'patch', 'delete'], percentage: 20 }]],
  [
    'everything at once',
    [
      { fault: 'throttle', percentage: 10, retryAfterSeconds: 0 },
      { fault: 'error', code: 503, percentage: 8 },
      { fault: 'reset', percentage: 5 },
      { fault: 'reset', percentage: 5, when: 'after' },
      { fault: 'drop-watch', events: 2, percentage: 50 },
      { fault: 'conflict', verb: ['update', 'patch'], percentage: 5 },
    ],
  ],
]

describe('a release under a storm of', () => {
  let calm: unknown[]
  beforeAll(async () => {
    calm = await life([])
  })

  it.each(storms)(
    '%s comes to the same as without',
    async (_, faults) => {
      expect(await life(faults)).toEqual(calm)
    },
    120_000,
  )
})

/** Everything that a release leaves on the cluster after each of its operations. */
async function life(faults: readonly FaultSpec[]): Promise<unknown[]> {
  const engine = await newEngine()
  const story: unknown[] = []
  for (const operation of crashOperations) {
    const ids = faults.map((fault) => sandbox.faults.add(fault))
    try {
      await operate(engine, 'workloads', engine.namespace, operation)
    } finally {
      for (const id of ids) sandbox.faults.clear(id)
    }
    story.push([operation, await stateOf(engine)])
  }
  return story
}

describe('two writers on one release', () => {
  it('never work at the same time: of many upgrades each waits for its turn or is refused', async () => {
    const engine = await newEngine()
    await finish(install(engine, valued(engine.namespace, 'start'), {}, ctx))
    const values = Array.from({ length: 10 }, (_, at) => `v${at}`)
    const outcomes = await Promise.all(
      values.map((value) => attempt(upgrade(engine, valued(engine.namespace, value), {}, ctx))),
    )
    const done = outcomes.filter((outcome) => outcome === 'done')
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(outcomes)).toEqual(new Set(['done', 'release.locked'].filter((each) => outcomes.includes(each))))
    const history = await engine.store.history('shop', engine.namespace, ctx)
    expect(history.map(({ version }) => version)).toEqual(history.map((_, at) => at + 1))
    expect(history).toHaveLength(1 + done.length)
    expect(history.map(({ status }) => status)).toEqual(
      history.map((_, at) => (at === history.length - 1 ? 'deployed' : 'superseded')),
    )
    const last = await engine.store.get({ name: 'shop', namespace: engine.namespace, version: history.length }, ctx)
    const { maps, leases } = await stateOf(engine)
    const written = new Set(Object.values(maps).map((data) => JSON.stringify(data)))
    expect(written).toEqual(new Set([JSON.stringify({ value: last?.record.values['value'] })]))
    expect(leases).toEqual([])
  })

  it('that both install it: one does, the other hears that it exists or is being installed', async () => {
    const engine = await newEngine()
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map((value) => attempt(install(engine, valued(engine.namespace, value), {}, ctx))),
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    const refusals = outcomes.filter((outcome) => outcome !== 'done')
    expect(refusals.every((code) => code === 'release.exists' || code === 'release.locked')).toBe(true)
    const history = await engine.store.history('shop', engine.namespace, ctx)
    expect(history.map(({ status }) => status)).toEqual(['deployed'])
  })

  it('of whom one uninstalls and one upgrades leave a whole release or none', async () => {
    const engine = await newEngine()
    await finish(install(engine, valued(engine.namespace, 'start'), {}, ctx))
    await Promise.all([
      attempt(upgrade(engine, valued(engine.namespace, 'next'), {}, ctx)),
      attempt(uninstall(engine, { name: 'shop', namespace: engine.namespace }, {}, ctx)),
    ])
    const { maps, statuses, leases } = await stateOf(engine)
    const whole = statuses.at(-1) === 'deployed'
    expect(Object.keys(maps)).toHaveLength(whole ? 3 : 0)
    expect(statuses).toHaveLength(whole ? statuses.length : 0)
    expect(leases).toEqual([])
  })
})

async function newEngine(): Promise<ReleaseEngine & { readonly namespace: string }> {
  const namespace = `storm-${++made}`
  await createObject(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, {}, ctx)
  return { cluster, store: createStore({ driver: 'secrets' }, cluster), lock: { durationMs: 2000 }, namespace }
}

function valued(namespace: string, value: string): Content {
  const content = crashContent('configmaps', namespace, 'one')
  const objects = content.objects.map((object) => ({ ...object, data: { value } }))
  return { ...content, objects, values: { value }, source: { ...content.source, digest: `sha256:${value}` } }
}

interface ReleaseState {
  readonly maps: Record<string, unknown>
  readonly deployments: readonly unknown[]
  readonly jobs: readonly string[]
  readonly leases: readonly string[]
  readonly statuses: readonly string[]
}

async function stateOf({ namespace, store }: ReleaseEngine & { readonly namespace: string }): Promise<ReleaseState> {
  const list = async (group: string, kind: string): Promise<Awaited<ReturnType<typeof listObjects>>['items']> => {
    const { items } = await listObjects(cluster, { gvk: { group, version: 'v1', kind }, namespace }, ctx)
    return items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
  }
  return {
    maps: Object.fromEntries((await list('', 'ConfigMap')).map((object) => [object.metadata.name, object['data']])),
    deployments: (await list('apps', 'Deployment')).map(({ metadata, spec }) => [metadata.name, spec]),
    jobs: (await list('batch', 'Job')).map(({ metadata }) => metadata.name),
    leases: (await list('coordination.k8s.io', 'Lease')).map(({ metadata }) => metadata.name),
    statuses: (await store.history('shop', namespace, ctx)).map(({ status }) => status),
  }
}

async function finish(operation: AsyncGenerator<LadingEvent, unknown>): Promise<void> {
  for await (const _ of operation) {
    // Only the outcome matters here.
  }
}

async function attempt(operation: AsyncGenerator<LadingEvent, unknown>): Promise<string> {
  try {
    await finish(operation)
    return 'done'
  } catch (error) {
    if (isLadingError(error)) return error.code
    throw error
  }
}
