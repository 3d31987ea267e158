import { expect, it } from 'vitest'
import { context, LadingError, objectId, type ObjectRef } from '../../core/index.ts'
import { readLiveIndex } from './live-index.ts'
import { memoryCluster } from '../testing/memory-cluster.ts'

const ctx = context()

it('reads many objects of a kind and namespace by one list', async () => {
  const cluster = memoryCluster()
  const there = cluster.put(configMap('object-3'))
  const index = await readLiveIndex(cluster, refs(20), 'metadata', ctx)
  expect(index.get(id('object-3'))?.metadata.resourceVersion).toBe(there.metadata.resourceVersion)
  expect(index.get(id('object-4'))).toBeNull()
  expect(cluster.requests).toEqual(['GET /api/v1/namespaces/shop/configmaps'])
})

it('reads few objects one by one', async () => {
  const cluster = memoryCluster()
  cluster.put(configMap('object-0'))
  const index = await readLiveIndex(cluster, refs(2), 'object', ctx)
  expect([index.get(id('object-0'))?.['data'], index.get(id('object-1'))]).toEqual([{ a: '1' }, null])
  expect(cluster.requests).toHaveLength(2)
})

it('falls back to single reads where listing is not allowed', async () => {
  const cluster = memoryCluster(({ path }) => {
    if (path.endsWith('/configmaps')) throw new LadingError('kube.forbidden', 'may not list')
  })
  cluster.put(configMap('object-0'))
  const index = await readLiveIndex(cluster, refs(20), 'metadata', ctx)
  expect(index.size).toBe(20)
  expect(index.get(id('object-0'))).not.toBeNull()
})

it('does not take what it may not read for absent', async () => {
  const cluster = memoryCluster(() => {
    throw new LadingError('kube.forbidden', 'may not read')
  })
  expect((await readLiveIndex(cluster, refs(20), 'metadata', ctx)).size).toBe(0)
})

it('does not read an unreachable cluster as an empty one', async () => {
  const cluster = memoryCluster(() => {
    throw new LadingError('kube.unreachable', 'no connection')
  })
  await expect(readLiveIndex(cluster, refs(2), 'metadata', ctx)).rejects.toMatchObject({ code: 'kube.unreachable' })
})

it('knows that no object exists of a kind that is not served', async () => {
  const mystery = { group: 'nobody.example.com', version: 'v1', kind: 'Mystery', name: 'x' }
  const index = await readLiveIndex(memoryCluster(), [mystery], 'metadata', ctx)
  expect(index.get(objectId(mystery))).toBeNull()
})

it('knows that no object exists of a kind that is not served any more since it was looked up', async () => {
  const cluster = memoryCluster(() => {
    throw new LadingError('kube.not-found', 'page not found')
  })
  expect([...(await readLiveIndex(cluster, refs(20), 'metadata', ctx)).values()]).toEqual(refs(20).map(() => null))
})

function refs(count: number): ObjectRef[] {
  return Array.from({ length: count }, (_, at) => ref(`object-${at}`))
}

function ref(name: string): ObjectRef {
  return { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'shop', name }
}

function id(name: string): string {
  return objectId(ref(name))
}

function configMap(name: string): {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace: string }
  data: object
} {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' }, data: { a: '1' } }
}
