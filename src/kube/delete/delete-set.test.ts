import { afterEach, describe, expect, it } from 'vitest'
import { context, type KubeObject, LadingError, type LadingEvent, manualClock, refOf } from '../../core/index.ts'
import { deleteObject } from './delete.ts'
import { deleteSet, type DeleteSetOptions } from './delete-set.ts'
import { type MemoryCluster, memoryCluster } from '../testing/memory-cluster.ts'
import { startScriptedServer, type ScriptedServer } from '../testing/scripted-server.ts'

const servers: ScriptedServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

describe('deleting a set', () => {
  it('takes away in the reverse order of apply', async () => {
    const cluster = memoryCluster()
    const set = [namespace('shop'), configMap('settings'), deployment('web')].map((object) => cluster.put(object))
    const { outcomes } = await run(cluster, set)
    expect(outcomes).toEqual(['web deleted', 'settings deleted', 'shop deleted'])
    expect(cluster.stored.size).toBe(0)
  })

  it('counts what is not there as done and leaves alone what is kept or foreign', async () => {
    const cluster = memoryCluster()
    const ours = { owner: 'me' }
    cluster.put(configMap('ours', { labels: ours }))
    cluster.put(configMap('kept', { labels: ours, annotations: { 'helm.sh/resource-policy': 'keep' } }))
    cluster.put(configMap('foreign'))
    const set = ['ours', 'kept', 'foreign', 'absent'].map((name) => configMap(name))
    const { outcomes } = await run(cluster, set, { owner: { labels: ours } })
    expect(outcomes.toSorted()).toEqual(['absent unchanged', 'foreign skipped', 'kept skipped', 'ours deleted'])
  })

  it('deletes nothing of the stages after a failure', async () => {
    const cluster = memoryCluster(({ method, path }) => {
      if (method === 'DELETE' && path.endsWith('/web')) throw new LadingError('kube.forbidden', 'may not delete')
    })
    const set = [configMap('settings'), deployment('web')].map((object) => cluster.put(object))
    const { outcomes, error } = await run(cluster, set)
    expect(outcomes).toEqual(['web failed', 'settings skipped'])
    expect(error).toMatchObject({ code: 'delete.failed', details: { failures: [{ code: 'kube.forbidden' }] } })
  })
})

describe('deleting an object', () => {
  it('decides anew when the object changed between look and delete', async () => {
    let looks = 0
    const cluster: MemoryCluster = memoryCluster(({ method }) => {
      if (method === 'GET') looks++
      if (method === 'DELETE' && looks === 1) cluster.put(configMap('settings', { labels: { owner: 'you' } }))
    })
    cluster.put(configMap('settings', { labels: { owner: 'me' } }))
    const ref = refOf(configMap('settings'))
    const result = await deleteObject(cluster, ref, { owner: { labels: { owner: 'me' } } }, context())
    expect(result).toMatchObject({ action: 'skipped', code: 'delete.not-owned' })
    expect(cluster.stored.size).toBe(1)
  })

  it('asks no more than one request where nothing has to be looked at', async () => {
    const cluster = memoryCluster()
    cluster.put(configMap('settings'))
    await deleteObject(cluster, refOf(configMap('settings')), { keep: 'ignore' }, context())
    expect(cluster.requests).toEqual(['DELETE /api/v1/namespaces/shop/configmaps/settings'])
  })

  it('gives up when its time is over and names the finalizers that hold the object', async () => {
    const held = configMap('settings', { uid: 'u1', deletionTimestamp: 'now', finalizers: ['example.com/hold'] })
    const clock = manualClock()
    const server = await startScriptedServer((response, { method, path, query }) => {
      if (query.get('watch') === 'true') {
        response.writeHead(200).flushHeaders()
        // The watch is open and silent: only the clock can end it.
        void clock.advance(60_000)
        return
      }
      const list = { metadata: { resourceVersion: '7' }, items: [held] }
      const single = method === 'DELETE' || path.endsWith('/settings')
      response.setHeader('content-type', 'application/json').end(JSON.stringify(single ? held : list))
    })
    servers.push(server)
    const options = { keep: 'ignore', timeoutMs: 60_000 } as const
    const done = deleteObject(server.cluster, refOf(held), options, context({ clock }))
    await expect(done).rejects.toMatchObject({
      code: 'delete.timeout',
      details: { waitingFor: [{ finalizers: ['example.com/hold'] }] },
    })
  })
})

async function run(
  cluster: MemoryCluster,
  objects: readonly KubeObject[],
  options: DeleteSetOptions = {},
): Promise<{ outcomes: string[]; error?: LadingError }> {
  const events: LadingEvent[] = []
  const told = (): string[] =>
    events.flatMap((event) => (event.type === 'object' ? [`${event.ref.name} ${event.action}`] : []))
  try {
    for await (const event of deleteSet(cluster, objects.map(refOf), options, context())) events.push(event)
    return { outcomes: told() }
  } catch (error) {
    if (error instanceof LadingError) return { outcomes: told(), error }
    throw error
  }
}

function configMap(name: string, metadata: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop', ...metadata }, data: {} }
}

function deployment(name: string): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'shop' } }
}

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}
