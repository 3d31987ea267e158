import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import type { ApiResource } from '../cluster.ts'
import { normalize, sendable } from './normalize.ts'

const resource = (parts: Partial<ApiResource> = {}): ApiResource => ({
  group: '',
  version: 'v1',
  kind: 'Thing',
  resource: 'things',
  namespaced: true,
  verbs: [],
  shortNames: [],
  categories: [],
  subresources: [],
  ...parts,
})
const thing: KubeObject = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: {
    name: 'a',
    namespace: 'shop',
    labels: { a: 'b' },
    uid: 'u',
    resourceVersion: '1',
    generation: 2,
    creationTimestamp: 'now',
    managedFields: [],
  },
  status: { phase: 'Ready' },
}

describe('sendable', () => {
  it('leaves out what only the server may say', () => {
    const before = structuredClone(thing)
    const sent = sendable(thing, resource({ subresources: ['status'] }))
    expect(sent).toEqual({
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { name: 'a', namespace: 'shop', labels: { a: 'b' } },
    })
    expect(thing).toEqual(before)
  })

  it('keeps a status that is an ordinary field', () => {
    expect(sendable(thing, resource())['status']).toEqual({ phase: 'Ready' })
  })

  it('puts no namespace on a cluster-scoped object', () => {
    expect(sendable(thing, resource({ namespaced: false })).metadata.namespace).toBeUndefined()
  })

  it('refuses an object without a name', () => {
    const nameless = { ...thing, metadata: { generateName: 'a-' } } as unknown as KubeObject
    expect(() => sendable(nameless, resource())).toThrow(expect.objectContaining({ code: 'object.invalid' }))
  })
})

describe('normalize', () => {
  const secret = (rest: object): KubeObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, ...rest })

  it('writes stringData as data, which it wins over', () => {
    const result = normalize(secret({ data: { a: 'b2xk', b: 'a2VlcA==' }, stringData: { a: 'nëw' } }))
    expect(result).toEqual(secret({ data: { a: Buffer.from('nëw').toString('base64'), b: 'a2VlcA==' } }))
  })

  it('keeps a key of any name', () => {
    const result = normalize(secret({ stringData: JSON.parse('{"__proto__": "p"}') as object }))
    expect(Object.entries(result['data'] as object)).toEqual([['__proto__', 'cA==']])
  })

  it('refuses a stringData value that is no string without repeating it', () => {
    expect(() => normalize(secret({ stringData: { pin: 4711 } }))).toThrow(
      expect.objectContaining({ code: 'object.invalid', message: expect.not.stringContaining('4711') }),
    )
  })

  it('writes the protocol of ports, which is part of their key', () => {
    const containers = [
      { name: 'a', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] },
      { name: 'b' },
    ]
    const cron: KubeObject = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'c' },
      spec: { jobTemplate: { spec: { template: { spec: { containers } } } } },
    }
    const before = structuredClone(cron)
    expect(normalize(cron)['spec']).toEqual({
      jobTemplate: {
        spec: {
          template: {
            spec: {
              containers: [
                {
                  name: 'a',
                  ports: [
                    { containerPort: 80, protocol: 'TCP' },
                    { containerPort: 80, protocol: 'UDP' },
                  ],
                },
                { name: 'b' },
              ],
            },
          },
        },
      },
    })
    expect(cron).toEqual(before)
  })

  it('touches nothing of kinds that it does not know', () => {
    const custom: KubeObject = {
      apiVersion: 'example.com/v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }] },
    }
    expect(normalize(custom)).toBe(custom)
  })
})
