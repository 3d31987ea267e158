import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { type ControlPlane, controlPlane } from '../testing/control-plane.ts'

describe('a volume claim', () => {
  let plane: ControlPlane
  beforeEach(() => {
    plane = controlPlane()
  })
  afterEach(() => plane.stop())

  function claim(spec: Record<string, unknown> = {}, finalizers?: string[]): KubeObject {
    const resources = { requests: { storage: '2Gi' } }
    return plane.create({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', ...(finalizers === undefined ? {} : { finalizers }) },
      spec: { accessModes: ['ReadWriteOnce'], resources, ...spec },
    })
  }
  const stored = () => plane.get('/persistentvolumeclaims', 'data')
  const volumes = () => plane.list('/persistentvolumes', '')

  it('is bound to a volume that is made for it, and takes it along', async () => {
    const created = claim()
    await plane.idle()
    expect(stored()).toMatchObject({
      spec: { storageClassName: 'standard', volumeName: `pvc-${created.metadata.uid}` },
      status: { phase: 'Bound', capacity: { storage: '2Gi' } },
    })
    expect(volumes()).toMatchObject([{ status: { phase: 'Bound' }, spec: { claimRef: { name: 'data' } } }])
    await plane.remove(created)
    expect([stored(), volumes()]).toEqual([undefined, []])
  })

  it('of a class that is not there stays pending until it is', async () => {
    claim({ storageClassName: 'fast' })
    await plane.idle()
    expect(stored()?.status['phase']).toBe('Pending')
    const standard = plane.get('storage.k8s.io/storageclasses', 'standard', '')!
    const metadata = { name: 'fast', uid: 'fast' }
    plane.backend.store.put('storage.k8s.io/storageclasses', { ...standard, metadata })
    await plane.idle()
    expect(stored()?.status['phase']).toBe('Bound')
  })

  it('is kept while a Pod uses it', async () => {
    const created = claim({}, ['kubernetes.io/pvc-protection'])
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }]
    const spec = { containers: [{ name: 'main', image: 'x' }], volumes }
    const pod = plane.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'user' }, spec })
    await plane.idle()
    await plane.remove(created)
    expect(stored()?.metadata.deletionTimestamp).toBeDefined()
    await plane.remove(pod)
    expect(stored()).toBeUndefined()
  })
})
