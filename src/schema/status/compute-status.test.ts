import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { KubeObject } from '../../core/index.ts'
import { computeStatus, isAlwaysReadyKind } from './compute-status.ts'
import { crdPromisesStatus, silenceOf } from './custom-resources.ts'
import type { ObjectStatus } from './object-status.ts'

interface StatusCase {
  case: string
  expectsStatus?: boolean
  silentMs?: number
  statusGraceMs?: number
  object: KubeObject
  expected: ObjectStatus
}

const folder = fileURLToPath(new URL('./testdata/', import.meta.url))

for (const file of readdirSync(folder)) {
  const cases = parse(readFileSync(folder + file, 'utf8')) as StatusCase[]
  describe(`status of ${file.replace('.yaml', '').replaceAll('-', ' ')}`, () => {
    it.each(cases)('$case', ({ case: _, object, expected, ...options }) => {
      expect(computeStatus(object, options)).toEqual(expected)
    })
  })
}

describe('what a CRD promises', () => {
  const crd = (status: unknown, subresources: unknown = { status: {} }): KubeObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: { versions: [{ name: 'v1', subresources, schema: { openAPIV3Schema: { properties: { status } } } }] },
  })

  it('is a status when its schema knows conditions', () => {
    expect(crdPromisesStatus(crd({ properties: { conditions: { type: 'array' } } }), 'v1')).toBe(true)
  })

  it('is a status when its schema knows an observed generation', () => {
    expect(crdPromisesStatus(crd({ properties: { observedGeneration: { type: 'integer' } } }), 'v1')).toBe(true)
  })

  it('is nothing when the status may hold anything', () => {
    expect(crdPromisesStatus(crd({ 'x-kubernetes-preserve-unknown-fields': true }), 'v1')).toBe(false)
  })

  it('is nothing without the status subresource', () => {
    expect(crdPromisesStatus(crd({ properties: { conditions: {} } }, {}), 'v1')).toBe(false)
  })

  it('is nothing for a version that it does not have', () => {
    expect(crdPromisesStatus(crd({ properties: { conditions: {} } }), 'v2')).toBe(false)
  })
})

describe('how long nobody has reported on an object', () => {
  const at = (seconds: number): string => new Date(seconds * 1000).toISOString()
  const wrote = (seconds: number, subresource?: string) => ({ time: at(seconds), ...(subresource && { subresource }) })
  const widget = (managedFields?: unknown[]): KubeObject => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: {
      name: 'w',
      creationTimestamp: at(100),
      ...(managedFields && { managedFields }),
    } as KubeObject['metadata'],
  })

  it('counts from its creation', () => {
    expect(silenceOf(widget(), 107_000)).toBe(7_000)
  })

  it('counts from the last write to its spec', () => {
    expect(silenceOf(widget([wrote(100), wrote(150), wrote(190, 'status')]), 200_000)).toBe(50_000)
  })

  it('is nothing yet when the clock of the cluster is ahead', () => {
    expect(silenceOf(widget(), 90_000)).toBe(0)
  })
})

describe('kinds that are settled when stored', () => {
  it('are those that no controller works on', () => {
    expect(isAlwaysReadyKind({ group: '', kind: 'ConfigMap' })).toBe(true)
    expect(isAlwaysReadyKind({ group: 'apps', kind: 'Deployment' })).toBe(false)
    expect(isAlwaysReadyKind({ group: 'example.com', kind: 'ConfigMap' })).toBe(false)
  })
})
