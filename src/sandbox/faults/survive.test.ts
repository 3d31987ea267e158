import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import {
  applyObject,
  connect,
  type Connected,
  createObject,
  getObject,
  listObjects,
  updateObject,
  watchObjects,
} from '../../kube/index.ts'
import { type Sandbox, startSandbox } from '../start.ts'

// What the product's own client makes of each fault: that is what the faults are for.
const ctx = context()
const gvk = { group: '', version: 'v1', kind: 'ConfigMap' }
const ref = { ...gvk, namespace: 'default', name: 'a' }
let sandbox: Sandbox
let cluster: Connected

beforeEach(async () => {
  sandbox = await startSandbox({ seed: 7 })
  // Retries without waiting in between.
  cluster = await connect(
    { kubeconfig: sandbox.kubeconfig, transport: { retry: { random: () => 0 }, timeoutMs: 1_000 } },
    ctx,
  )
  await createObject(cluster, configMap('a'), {}, ctx)
})

afterEach(async () => {
  await cluster.close()
  await sandbox.stop()
})

describe('requests survive', () => {
  test('500 and 503', async () => {
    sandbox.faults.add({ fault: 'error', verb: 'get', count: 1 })
    sandbox.faults.add({ fault: 'error', code: 503, verb: 'get', after: 1, count: 1 })
    expect((await getObject(cluster, ref, ctx))?.metadata.name).toBe('a')
    expect(sandbox.faults.list().map(({ struck }) => struck)).toEqual([1, 1])
  })

  test('429, after the time that the answer names', async () => {
    sandbox.faults.add({ fault: 'throttle', verb: 'write', retryAfterSeconds: 0, count: 3 })
    await applyObject(cluster, configMap('b'), {}, ctx)
    expect(sandbox.faults.list()[0]).toMatchObject({ matched: 4, struck: 3 })
  })

  test('connections that are reset, also after the write was done', async () => {
    sandbox.faults.add({ fault: 'reset', verb: 'get', count: 2 })
    expect((await getObject(cluster, ref, ctx))?.metadata.name).toBe('a')
    sandbox.faults.add({ fault: 'reset', verb: 'patch', when: 'after', count: 1 })
    const { object } = await applyObject(cluster, configMap('lost-answer'), {}, ctx)
    expect(object.metadata.generation).toBeUndefined()
    expect(sandbox.faults.list()[1]).toMatchObject({ matched: 2, struck: 1 })
  })

  test('answers that come late, and those that never come', async () => {
    sandbox.faults.add({ fault: 'latency', ms: 30, verb: 'get' })
    const began = performance.now()
    await getObject(cluster, ref, ctx)
    expect(performance.now() - began).toBeGreaterThanOrEqual(29)
    sandbox.faults.clear()
    sandbox.faults.add({ fault: 'hang', verb: 'get', count: 1 })
    expect((await getObject(cluster, ref, ctx))?.metadata.name).toBe('a')
  })
})

describe('requests are told', () => {
  test('of a conflict, which is theirs to solve', async () => {
    const found = await getObject(cluster, ref, ctx)
    if (found === undefined) throw new Error('a is not there')
    sandbox.faults.add({ fault: 'conflict', verb: ['update', 'patch'], count: 1 })
    const changed = { ...found, data: { changed: 'yes' } }
    await expect(updateObject(cluster, changed, {}, ctx)).rejects.toMatchObject({
      code: 'kube.conflict',
      details: { status: 409, reason: 'Conflict', name: 'a' },
    })
    expect((await updateObject(cluster, changed, {}, ctx))['data']).toEqual({ changed: 'yes' })
  })

  test('when nothing answers after the n-th write', async () => {
    sandbox.faults.add({ fault: 'hang', verb: 'write', after: 2 })
    await createObject(cluster, configMap('first'), {}, ctx)
    await createObject(cluster, configMap('second'), {}, ctx)
    await expect(createObject(cluster, configMap('third'), {}, ctx)).rejects.toMatchObject({ code: 'kube.timeout' })
    const { items } = await listObjects(cluster, { gvk, namespace: 'default' }, ctx)
    expect(items.map(({ metadata }) => metadata.name)).not.toContain('third')
  })
})

describe('a watch goes on', () => {
  test.each([
    ['when it is dropped after each event', () => sandbox.faults.add({ fault: 'drop-watch', events: 1 })],
    ['when connections for it are reset', () => sandbox.faults.add({ fault: 'reset', verb: 'watch', count: 2 })],
    ['when history is gone', () => sandbox.faults.add({ fault: 'gone', verb: 'watch', count: 1 })],
    ['when the server errs', () => sandbox.faults.add({ fault: 'error', code: 503, verb: 'watch', count: 1 })],
  ])('%s', async (_, arrange) => {
    arrange()
    expect(await following(() => createObject(cluster, configMap('c'), {}, ctx))).toEqual(['b', 'c'])
    expect(sandbox.faults.list()[0]?.struck).toBeGreaterThan(0)
  })

  test('when all watches are cut and everything was compacted', async () => {
    const told = await following(async () => {
      expect(sandbox.faults.dropWatches()).toBe(1)
      await createObject(cluster, configMap('c'), {}, ctx)
      sandbox.compact()
    })
    expect(told).toEqual(['b', 'c'])
  })
})

/** Tells the names that a watch tells until `c` comes; `midway` runs once `b` was told. */
async function following(midway: () => Promise<unknown>): Promise<string[]> {
  const from = await listObjects(cluster, { gvk, namespace: 'default' }, ctx)
  await createObject(cluster, configMap('b'), {}, ctx)
  const told: string[] = []
  // Retries without waiting in between.
  const quick = context({ clock: { now: () => Date.now(), sleep: (_, signal) => ctx.clock.sleep(0, signal) } })
  for await (const event of watchObjects(cluster, { gvk, namespace: 'default', from }, quick)) {
    if (event.type !== 'added' || event.object.metadata.name === 'kube-root-ca.crt') continue
    told.push(event.object.metadata.name)
    if (told.at(-1) === 'b') await midway()
    if (told.includes('c')) break
  }
  return told
}

function configMap(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } }
}
