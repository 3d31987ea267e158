import { describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { kindsOfCrds, placeObjects, refuseDuplicates } from './scope.ts'
import { memoryCluster } from '../testing/memory-cluster.ts'

const ctx = context()

describe('placing objects', () => {
  it('puts the default namespace on namespaced objects that name none', async () => {
    const { placed } = await place([object('v1', 'ConfigMap'), object('v1', 'ConfigMap', { namespace: 'own' })])
    expect(placed.map(({ ref }) => ref.namespace)).toEqual(['shop', 'own'])
  })

  it('never puts a namespace on a cluster-scoped object, and warns of one that it carries', async () => {
    const { placed, warnings } = await place([object('v1', 'Namespace', { namespace: 'stray' })])
    expect(placed[0]?.object.metadata).toEqual({ name: 'x' })
    expect(warnings[0]?.message).toBe('metadata.namespace stray is ignored: Namespace is not namespaced')
  })

  it('knows built-in kinds that the cluster does not serve', async () => {
    const { placed } = await place([object('rbac.authorization.k8s.io/v1', 'ClusterRole')])
    expect(placed).toMatchObject([{ served: false, ref: { kind: 'ClusterRole', name: 'x' } }])
    expect(placed[0]?.ref.namespace).toBeUndefined()
  })

  it.each([
    ['Namespaced', 'shop'],
    ['Cluster', undefined],
  ])('takes the scope %s of a kind from the CRD of the set', async (scope, namespace) => {
    const { placed } = await place([crd(scope), object('example.com/v1', 'Widget')])
    expect(placed[1]).toMatchObject({ served: false })
    expect(placed[1]?.ref.namespace).toBe(namespace)
  })

  it('tells every object that cannot be placed', async () => {
    const { failures } = await place([
      object('nobody.example.com/v1', 'Mystery'),
      object('v1', 'ConfigMap', { name: '', generateName: 'job-' }),
    ])
    expect(failures.map(({ error }) => error.code)).toEqual(['kube.unknown-kind', 'object.invalid'])
    expect(failures[1]?.error.message).toBe('ConfigMap with the generateName job- needs metadata.name to be applied')
  })

  it('asks for a namespace where there is no default', async () => {
    const { failures } = await placeObjects(memoryCluster(), [object('v1', 'ConfigMap')], undefined, ctx)
    expect(failures[0]?.error).toMatchObject({ code: 'object.invalid', details: { field: 'metadata.namespace' } })
  })

  it('leaves the objects that it was given as they are', async () => {
    const given = object('v1', 'ConfigMap')
    await place([given])
    expect(given.metadata).toEqual({ name: 'x' })
  })
})

it('refuses two definitions of one object, one of them by the default namespace', async () => {
  const { placed } = await place([object('v1', 'ConfigMap'), object('v1', 'ConfigMap', { namespace: 'shop' })])
  expect(() => refuseDuplicates(placed)).toThrow('the set defines ConfigMap shop/x more than once')
})

it('reads the served kinds of a CRD, not those that are switched off', () => {
  expect([...kindsOfCrds([crd('Cluster')])]).toEqual([
    ['example.com/v1 Widget', { namespaced: false, crd: 'widgets.example.com' }],
  ])
})

async function place(objects: KubeObject[]): ReturnType<typeof placeObjects> {
  return await placeObjects(memoryCluster(), objects, 'shop', ctx)
}

function object(apiVersion: string, kind: string, metadata: object = {}): KubeObject {
  return { apiVersion, kind, metadata: { name: 'x', ...metadata } }
}

function crd(scope: string): KubeObject {
  const versions = [
    { name: 'v1', served: true },
    { name: 'v1alpha1', served: false },
  ]
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', scope, names: { kind: 'Widget' }, versions },
  }
}
