import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { type ControlPlane, controlPlane, workload } from '../testing/control-plane.ts'

describe('garbage collection', () => {
  let plane: ControlPlane
  beforeEach(() => {
    plane = controlPlane()
  })
  afterEach(() => plane.stop())

  function configMap(
    name: string,
    owners: readonly KubeObject[] = [],
    extra: Record<string, unknown> = {},
  ): KubeObject {
    const ownerReferences = owners.map((owner) => ({
      apiVersion: owner.apiVersion,
      kind: owner.kind,
      name: owner.metadata.name,
      uid: owner.metadata.uid ?? '',
      blockOwnerDeletion: true,
    }))
    const references = owners.length === 0 ? {} : { ownerReferences }
    return plane.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...references, ...extra } })
  }
  const names = (): string[] =>
    plane
      .list('/configmaps')
      .map((object) => object.metadata.name)
      .filter((name) => name !== 'kube-root-ca.crt')

  it('deletes what belonged to a deleted object, down to the last', async () => {
    const top = configMap('top')
    const middle = configMap('middle', [top])
    configMap('bottom', [middle])
    configMap('other')
    await plane.remove(top)
    expect(names()).toEqual(['other'])
  })

  it('keeps what still has an owner, and drops the reference to the one that is gone', async () => {
    const [one, two] = [configMap('one'), configMap('two')]
    configMap('shared', [one, two])
    await plane.remove(one)
    const owners = plane.get('/configmaps', 'shared')?.metadata.ownerReferences
    expect(owners?.map((owner) => owner.name)).toEqual(['two'])
    await plane.remove(two)
    expect(names()).toEqual([])
  })

  it('in the foreground, keeps an object until all that blocks it is gone', async () => {
    const owner = configMap('owner')
    configMap('slow', [owner], { finalizers: ['example.com/wait'] })
    configMap('quick', [owner])
    await plane.remove(owner, 'Foreground')
    expect(names()).toEqual(['owner', 'slow'])
    expect(plane.get('/configmaps', 'owner')?.metadata.finalizers).toEqual(['foregroundDeletion'])
    const slow = plane.get('/configmaps', 'slow')!
    expect(slow.metadata.deletionTimestamp).toBeDefined()
    plane.backend.store.remove('/configmaps', 'default', 'slow')
    await plane.idle()
    expect(names()).toEqual([])
  })

  it('in the foreground, a Deployment outlives its Pods', async () => {
    const created = plane.create(workload('Deployment', 'web', { replicas: 2 }))
    await plane.idle()
    const gone: string[] = []
    plane.backend.store.listen((_, { type, object }) => {
      if (type === 'DELETED') gone.push(object.kind)
    })
    await plane.remove(created, 'Foreground')
    expect(gone.filter((kind) => kind !== 'Event')).toEqual(['Pod', 'Pod', 'ReplicaSet', 'Deployment'])
  })

  it('orphaning, keeps what belonged to the object and forgets the owner', async () => {
    const owner = configMap('owner')
    configMap('left', [owner])
    await plane.remove(owner, 'Orphan')
    expect(names()).toEqual(['left'])
    expect(plane.get('/configmaps', 'left')?.metadata.ownerReferences).toBeUndefined()
  })

  it('deletes what names an owner that never was, or one of another namespace', async () => {
    const elsewhere = plane.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'far', namespace: 'kube-public' },
    })
    const never = { ...elsewhere, metadata: { ...elsewhere.metadata, name: 'never', uid: 'none' } }
    configMap('of-never', [never])
    configMap('of-far', [elsewhere])
    await plane.idle()
    expect(names()).toEqual([])
  })

  it('touches nothing whose owner is of a kind that is not served', async () => {
    configMap('of-unknown', [{ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'x', uid: 'u' } }])
    await plane.idle()
    expect(names()).toEqual(['of-unknown'])
  })
})
