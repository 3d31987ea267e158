import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControlPlane, controlPlane, workload } from '../testing/control-plane.ts'
import { deleteAs } from './writes.ts'

describe('a namespace', () => {
  let plane: ControlPlane
  beforeEach(() => {
    plane = controlPlane()
  })
  afterEach(() => plane.stop())

  const create = async (): Promise<void> => {
    // As the server completes it.
    plane.backend.store.put('/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop', uid: 'shop-uid' },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    })
    await plane.idle()
  }
  const namespace = () => plane.get('/namespaces', 'shop', '')

  it('gets its default service account and the root certificate', async () => {
    await create()
    expect(plane.get('/serviceaccounts', 'default', 'shop')).toBeDefined()
    expect(plane.get('/configmaps', 'kube-root-ca.crt', 'shop')).toBeDefined()
    const certificate = plane.get('/configmaps', 'kube-root-ca.crt', 'shop')!
    await plane.remove(certificate)
    expect(plane.get('/configmaps', 'kube-root-ca.crt', 'shop')?.metadata.uid).not.toBe(certificate.metadata.uid)
  })

  it('goes with everything in it', async () => {
    await create()
    const web = workload('Deployment', 'web', { replicas: 2 })
    plane.create({ ...web, metadata: { name: 'web', namespace: 'shop' } })
    await plane.idle()
    expect(plane.list('/pods', 'shop')).toHaveLength(2)
    await plane.remove(namespace()!)
    expect(namespace()).toBeUndefined()
    const left = plane.backend.store.collections().flatMap((collection) => plane.list(collection, 'shop'))
    expect(left.map((object) => object.kind)).toEqual([])
  })

  it('says what it waits for while something in it has finalizers', async () => {
    await create()
    const metadata = { name: 'held', namespace: 'shop', finalizers: ['example.com/hold'] }
    plane.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata })
    await plane.idle()
    await plane.remove(namespace()!)
    const conditions = namespace()?.status.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)
    expect(namespace()?.status['phase']).toBe('Terminating')
    expect(conditions).toEqual([
      'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered',
      'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions',
      'NamespaceDeletionContentFailure False ContentDeleted',
      'NamespaceContentRemaining True SomeResourcesRemain',
      'NamespaceFinalizersRemaining True SomeFinalizersRemain',
    ])
    plane.backend.store.remove('/configmaps', 'shop', 'held')
    await plane.idle()
    expect(namespace()).toBeUndefined()
  })

  it('of the system cannot be deleted', () => {
    const system = plane.get('/namespaces', 'kube-system', '')!
    expect(() => deleteAs(plane.backend, system)).toThrow('this namespace may not be deleted')
  })
})
