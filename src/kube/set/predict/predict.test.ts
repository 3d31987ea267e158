import { describe, expect, it } from 'vitest'
import type { KubeObject, ManagedFieldsEntry } from '../../../core/index.ts'
import { predict } from './predict.ts'

const metadata = { name: 'a', namespace: 'shop' }
const config: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { key: '1', old: 'x' } }
const web: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { ...metadata, labels: { tier: 'front' } },
  spec: {
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'main', image: 'x:1' }] } },
  },
}

describe('what is predicted of a new object', () => {
  it('is its creation, for a kind that holds data', () => {
    expect(predict(config, null, 'lading')).toMatchObject({ action: 'created', object: config })
  })

  it.each([
    ['a workload', web],
    ['a kind that is not built in', { apiVersion: 'example.com/v1', kind: 'Shop', metadata }],
    ['an owner', { ...config, metadata: { ...metadata, ownerReferences: [] } }],
    ['finalizers', { ...config, metadata: { ...metadata, finalizers: ['example.com/wait'] } }],
    ['an unknown field', { ...config, nonsense: true }],
    [
      'a Secret of a type with keys of its own',
      { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/tls' },
    ],
    [
      'a Service with a load balancer',
      { apiVersion: 'v1', kind: 'Service', metadata, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } },
    ],
  ])('is nothing for %s', (_what, object) => {
    expect(predict(object, null, 'lading')).toBeUndefined()
  })
})

describe('what is predicted of a change', () => {
  it('is the live object with it: added, changed and removed keys, and those of others', () => {
    const live = stored(config, ownData(['key', 'old']), { data: { key: '1', old: 'x', theirs: 'y' } })
    const told = predict({ ...config, data: { key: '2', new: 'z' } }, live, 'lading')
    expect(told).toMatchObject({ action: 'configured', live })
    expect(told?.object['data']).toEqual({ key: '2', new: 'z', theirs: 'y' })
  })

  it('takes every name for a key of the data, whatever JavaScript knows under it', () => {
    const live = stored(config, ownData(['constructor', 'key']), { data: { constructor: 'x', key: '1' } })
    const told = predict(
      { ...config, data: JSON.parse('{"__proto__": "p", "toString": "t"}') as object },
      live,
      'lading',
    )
    expect(Object.entries(told?.object['data'] as object)).toEqual([
      ['__proto__', 'p'],
      ['toString', 't'],
    ])
  })

  it('is that of labels and annotations for any built-in kind', () => {
    const live = stored(web, ownLabels)
    const told = predict({ ...web, metadata: { ...web.metadata, labels: { tier: 'back' } } }, live, 'lading')
    expect(told?.object.metadata.labels).toEqual({ tier: 'back' })
  })

  it.each<[string, KubeObject, KubeObject]>([
    ['nothing changes', config, stored(config, ownData(['key', 'old']))],
    [
      'it was not applied by us',
      { ...config, data: { key: '2' } },
      stored(config, { ...ownData(['key']), manager: 'kubectl' }),
    ],
    [
      'it was applied in another version',
      { ...config, data: { key: '2' } },
      stored(config, { ...ownData(['key']), apiVersion: 'v2' }),
    ],
    [
      'somebody else owns the field',
      { ...config, data: { key: '2' } },
      stored(config, ownData(['key', 'old']), {}, { ...ownData(['key']), manager: 'kubectl', operation: 'Update' }),
    ],
    [
      'somebody else owns all of the data',
      { ...config, data: { key: '2' } },
      stored(config, ownData(['key', 'old']), {}, { manager: 'x', operation: 'Update', fieldsV1: { 'f:data': {} } }),
    ],
    [
      'it is immutable',
      { ...config, data: { key: '2' } },
      stored(config, ownData(['key', 'old']), { immutable: true }),
    ],
    ['it is being deleted', { ...config, data: { key: '2' } }, deleted(stored(config, ownData(['key', 'old'])))],
    [
      'a workload changes in itself',
      { ...web, spec: { ...(web['spec'] as object), replicas: 3 } },
      stored(web, ownLabels),
    ],
    [
      'a field of a workload would go',
      { ...web, metadata: { ...metadata, labels: { tier: 'back' } } },
      stored(
        web,
        { ...ownLabels, fieldsV1: { ...ownLabels.fieldsV1, 'f:spec': { 'f:replicas': {} } } },
        { spec: { ...(web['spec'] as object), replicas: 1 } },
      ),
    ],
    [
      'it is a namespace',
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', labels: { x: '2' } } },
      stored({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }, { ...ownLabels, apiVersion: 'v1' }),
    ],
    [
      'a label is not valid',
      { ...web, metadata: { ...metadata, labels: { tier: 'not valid' } } },
      stored(web, ownLabels),
    ],
  ])('is nothing where %s', (_why, desired, live) => {
    expect(predict(desired, live, 'lading')).toBeUndefined()
  })
})

function stored(
  object: KubeObject,
  own: ManagedFieldsEntry,
  more: object = {},
  ...others: ManagedFieldsEntry[]
): KubeObject {
  const managedFields = [own, ...others]
  return { ...object, ...more, metadata: { ...object.metadata, resourceVersion: '1', uid: 'u', managedFields } }
}

function deleted(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
}

function ownData(keys: readonly string[]): ManagedFieldsEntry {
  const fieldsV1 = { 'f:data': Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) }
  return { manager: 'lading', operation: 'Apply', apiVersion: 'v1', fieldsV1 }
}

const ownLabels: ManagedFieldsEntry = {
  manager: 'lading',
  operation: 'Apply',
  apiVersion: 'apps/v1',
  fieldsV1: { 'f:metadata': { 'f:labels': { 'f:tier': {} } } },
}
