import { describe, expect, it } from 'vitest'
import { LadingError } from '../../core/index.ts'
import type { Cluster } from '../../kube/index.ts'
import { createStore } from './create-store.ts'

const cluster = {} as Cluster

describe('the choice of a store', () => {
  it('needs what the driver needs', () => {
    expect(createStore({ driver: 'secrets' }, cluster).driver).toBe('secret')
    expect(createStore({ driver: 'configmap' }, cluster).driver).toBe('configmap')
    expect(createStore({ driver: 'helm' }, cluster).driver).toBe('helm')
    expect(createStore({ driver: 'file', path: '/nowhere' }).driver).toBe('file')
    expect(createStore({ driver: 'memory' }).driver).toBe('memory')
    for (const driver of ['secrets', 'configmap', 'helm', 'file', 'floppy'] as never[]) {
      expect(() => createStore({ driver })).toThrow(LadingError)
    }
    expect(() => createStore({ driver: 'helm', storageNamespace: 'ops' }, cluster)).toThrow(LadingError)
    expect(() => createStore({ driver: 'secrets', storageNamespace: '../ops' }, cluster)).toThrow(LadingError)
  })
})
