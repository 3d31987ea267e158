import { expect, it } from 'vitest'
import { context, LadingError } from '../../core/index.ts'
import { clusterIdentity } from './cluster-identity.ts'
import { memoryCluster } from '../testing/memory-cluster.ts'

const ctx = context()
const kubeSystem = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } }

it('a cluster is told by the uid of kube-system, which is read once', async () => {
  const cluster = memoryCluster()
  const { uid } = cluster.put(kubeSystem).metadata
  expect(await clusterIdentity(cluster, ctx)).toBe(uid)
  expect(await clusterIdentity(cluster, ctx)).toBe(uid)
  expect(cluster.requests).toEqual(['GET /api/v1/namespaces/kube-system'])
})

it('whoever may not read kube-system is told which right is missing, and can try again', async () => {
  let allowed = false
  const cluster = memoryCluster(() => {
    if (!allowed) throw new LadingError('kube.forbidden', 'namespaces "kube-system" is forbidden')
  })
  cluster.put(kubeSystem)
  await expect(clusterIdentity(cluster, ctx)).rejects.toMatchObject({
    code: 'kube.forbidden',
    message: expect.stringContaining('the right to "get" on the namespace "kube-system"') as unknown,
  })
  allowed = true
  expect(await clusterIdentity(cluster, ctx)).toMatch(/^uid-/)
})

it('a server without kube-system is no cluster that can be told from others', async () => {
  await expect(clusterIdentity(memoryCluster(), ctx)).rejects.toMatchObject({ code: 'kube.not-found' })
})
