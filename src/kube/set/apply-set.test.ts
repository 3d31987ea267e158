import { describe, expect, it } from 'vitest'
import { context, type KubeObject, LadingError, type LadingEvent } from '../../core/index.ts'
import { placeObjects } from '../discovery/scope.ts'
import { applySet, type ApplySetOptions } from './apply-set.ts'
import type { MemoryCluster } from '../testing/memory-cluster.ts'
import { memoryCluster } from '../testing/memory-cluster.ts'

describe('a set', () => {
  it('is written stage by stage', async () => {
    const cluster = memoryCluster()
    await run(cluster, [deployment('web'), configMap('settings'), namespace('shop')], { preflight: false })
    expect(writes(cluster)).toEqual([
      'PATCH /api/v1/namespaces/shop',
      'PATCH /api/v1/namespaces/shop/configmaps/settings',
      'PATCH /apis/apps/v1/namespaces/shop/deployments/web',
    ])
  })

  it('that was placed before is taken as it is, without asking for scopes and namespaces again', async () => {
    const cluster = memoryCluster()
    const set = await placeObjects(cluster, [configMap('settings'), deployment('web')], 'shop', context())
    await applySet(cluster, set, { namespace: 'other', preflight: false }, context())
    expect(writes(cluster)).toEqual([
      'PATCH /api/v1/namespaces/shop/configmaps/settings',
      'PATCH /apis/apps/v1/namespaces/shop/deployments/web',
    ])
  })

  it('is judged as a whole before the first write', async () => {
    const cluster = memoryCluster(refuse('bad'))
    const { events, error } = await run(cluster, [configMap('good'), configMap('bad-1'), deployment('bad-2')])
    expect(error).toMatchObject({ code: 'apply.failed', details: { summary: { failed: 2 } } })
    expect(events.filter((event) => event.type === 'object').map((event) => event.ref.name)).toEqual(['bad-1', 'bad-2'])
    expect(writes(cluster)).toEqual([])
  })

  it('stops after the stage of a failure and tells what was not tried', async () => {
    const cluster = memoryCluster(refuse('bad'))
    const set = [configMap('bad'), configMap('good'), deployment('web')]
    const { events, error } = await run(cluster, set, { preflight: false })
    expect(error?.code).toBe('apply.failed')
    expect(events).toContainEqual({
      type: 'object',
      ref: { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      action: 'skipped',
      dryRun: false,
      reason: 'not tried after the failure in stage configuration',
    })
    expect([...cluster.stored.keys()]).toEqual(['/api/v1/namespaces/shop/configmaps/good'])
  })

  it('goes on after failures when told to', async () => {
    const cluster = memoryCluster(refuse('bad'))
    const set = [configMap('bad'), configMap('good'), deployment('web')]
    const { summary, error } = await run(cluster, set, { onError: 'continue' })
    expect(error).toBeUndefined()
    expect(summary).toMatchObject({ created: 2, failed: 1 })
  })

  it('ends at once when the cluster is out of reach, without blaming each object', async () => {
    const cluster = memoryCluster(({ method }) => {
      if (method === 'PATCH') throw new LadingError('kube.unreachable', 'no connection')
    })
    const { error } = await run(cluster, [configMap('a'), configMap('b')], { onError: 'continue' })
    expect(error?.code).toBe('kube.unreachable')
  })

  it('aborts what is in flight when its events are not wanted any more', async () => {
    const aborted: string[] = []
    const cluster = memoryCluster(async ({ method, path }, signal) => {
      if (method !== 'PATCH' || path.endsWith('/quick')) return
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      aborted.push(path)
      throw new LadingError('cancelled', 'aborted')
    })
    const set = [configMap('quick'), configMap('slow-1'), configMap('slow-2'), configMap('slow-3')]
    const options = { namespace: 'shop', preflight: false, concurrency: 3 }
    for await (const event of applySet(cluster, set, options, context())) if (event.type === 'object') break
    expect(aborted).toHaveLength(3)
    expect([...cluster.stored.keys()]).toEqual(['/api/v1/namespaces/shop/configmaps/quick'])
  })

  it('says cancelled when its signal aborts', async () => {
    const controller = new AbortController()
    const cluster = memoryCluster(({ method }) => {
      if (method !== 'PATCH') return
      controller.abort()
      throw new LadingError('cancelled', 'aborted')
    })
    const { error } = await run(cluster, [configMap('a')], {}, controller.signal)
    expect(error?.code).toBe('cancelled')
  })
})

async function run(
  cluster: MemoryCluster,
  objects: readonly KubeObject[],
  options: ApplySetOptions = {},
  signal?: AbortSignal,
): Promise<{ events: LadingEvent[]; summary?: object; error?: LadingError }> {
  const events: LadingEvent[] = []
  const ctx = context(signal === undefined ? {} : { signal })
  const set = applySet(cluster, objects, { namespace: 'shop', ...options }, ctx)
  try {
    let next = await set.next()
    for (; next.done !== true; next = await set.next()) events.push(next.value)
    return { events, summary: next.value.summary }
  } catch (error) {
    if (error instanceof LadingError) return { events, error }
    throw error
  }
}

function writes(cluster: MemoryCluster): string[] {
  return cluster.requests.filter((request) => request.startsWith('PATCH /'))
}

function refuse(prefix: string): (request: { method: string; path: string }) => void {
  return ({ method, path }) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (method === 'PATCH' && name.startsWith(prefix)) throw new LadingError('kube.forbidden', `${name} is refused`)
  }
}

function configMap(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: '1' } }
}

function deployment(name: string): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: {} }
}

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}
