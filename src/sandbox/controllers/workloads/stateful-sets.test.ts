import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControlPlane, controlPlane, type Loose, podTemplate, workload } from '../../testing/control-plane.ts'

describe('a StatefulSet', () => {
  let plane: ControlPlane
  let log: string[]
  beforeEach(() => {
    plane = controlPlane()
    log = []
    plane.backend.store.listen((collection, { type, object }) => {
      if (collection === '/pods' && type !== 'MODIFIED') log.push(`${type} ${object.metadata.name}`)
    })
  })
  afterEach(() => plane.stop())

  const set = (): Loose => plane.get('apps/statefulsets', 'db')!
  const images = (): unknown[] =>
    plane.list('/pods').map((pod) => (pod.spec['containers'] as { image: string }[])[0]?.image)
  const image = (name: string): Record<string, unknown> => ({
    template: { ...podTemplate('db'), spec: { containers: [{ name: 'main', image: name }] } },
  })

  it('starts its Pods in order, each when the one before is ready', async () => {
    const slow = podTemplate('db', { annotations: { 'lading.dev/simulate-delay': '5s' } })
    plane.create(workload('StatefulSet', 'db', { replicas: 3, serviceName: 'db', template: slow }))
    await plane.idle()
    expect(log).toEqual(['ADDED db-0'])
    await plane.advance(5000)
    expect(log).toEqual(['ADDED db-0', 'ADDED db-1'])
    await plane.advance(10_000)
    expect(set().status).toMatchObject({ replicas: 3, readyReplicas: 3, availableReplicas: 3, currentReplicas: 3 })
    expect(plane.get('/pods', 'db-2')).toMatchObject({
      metadata: {
        labels: { 'statefulset.kubernetes.io/pod-name': 'db-2', 'apps.kubernetes.io/pod-index': '2' },
      },
      spec: { hostname: 'db-2', subdomain: 'db' },
    })
  })

  it('starts them at once when they need no order', async () => {
    const pending = podTemplate('db', { annotations: { 'lading.dev/simulate': 'pending' } })
    plane.create(workload('StatefulSet', 'db', { replicas: 3, podManagementPolicy: 'Parallel', template: pending }))
    await plane.idle()
    expect(log).toEqual(['ADDED db-0', 'ADDED db-1', 'ADDED db-2'])
  })

  it('replaces its Pods from the last to the first, and then calls the new revision the current one', async () => {
    const created = plane.create(workload('StatefulSet', 'db', { replicas: 2 }))
    await plane.idle()
    const before = set().status['currentRevision']
    log = []
    await plane.change(created, image('app:2'))
    expect(log).toEqual(['DELETED db-1', 'ADDED db-1', 'DELETED db-0', 'ADDED db-0'])
    expect(set().status['currentRevision']).toBe(set().status['updateRevision'])
    expect(set().status['currentRevision']).not.toBe(before)
    await plane.change(created, image('app:1'))
    expect(set().status['currentRevision']).toBe(before)
    expect(plane.list('apps/controllerrevisions').map((revision) => revision['revision'])).toHaveLength(2)
  })

  it('replaces only Pods from its partition on', async () => {
    const created = plane.create(workload('StatefulSet', 'db', { replicas: 3 }))
    await plane.idle()
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2 } }
    await plane.change(created, { ...image('app:2'), updateStrategy })
    expect(images()).toEqual(['app:1', 'app:1', 'app:2'])
    expect(set().status).toMatchObject({ currentReplicas: 2, updatedReplicas: 1 })
    // A Pod below the partition comes back as it was.
    await plane.remove(plane.get('/pods', 'db-0')!)
    expect(images()).toEqual(['app:1', 'app:1', 'app:2'])
  })

  it('with OnDelete, replaces a Pod only when somebody deletes it', async () => {
    const created = plane.create(workload('StatefulSet', 'db', { replicas: 2, updateStrategy: { type: 'OnDelete' } }))
    await plane.idle()
    await plane.change(created, image('app:2'))
    expect(images()).toEqual(['app:1', 'app:1'])
    await plane.remove(plane.get('/pods', 'db-0')!)
    expect(images()).toEqual(['app:2', 'app:1'])
  })

  it('gives each Pod a volume of its own that outlives it', async () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec }]
    const created = plane.create(workload('StatefulSet', 'db', { replicas: 2, volumeClaimTemplates }))
    await plane.idle()
    const claims = (): string[] =>
      plane.list('/persistentvolumeclaims').map((claim) => `${claim.metadata.name} ${String(claim.status['phase'])}`)
    expect(claims()).toEqual(['data-db-0 Bound', 'data-db-1 Bound'])
    expect(plane.list('/persistentvolumes', '')).toHaveLength(2)
    await plane.change(created, { replicas: 1 })
    expect(plane.list('/pods')).toHaveLength(1)
    expect(claims()).toHaveLength(2)
  })
})
