import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { Catalog } from '../catalog.ts'
import { Store } from '../store.ts'
import { TableMaker } from './table.ts'

interface Recorded {
  readonly crds: KubeObject[]
  readonly tables: {
    group: string
    version: string
    resource: string
    columns: unknown[]
    rows: { now: string; cells: unknown[]; conditions?: unknown[]; object: KubeObject }[]
  }[]
}

// Answers of a kube-apiserver 1.35, with the objects that they show.
const recorded = JSON.parse(
  readFileSync(new URL('./testdata/api-server-tables.json', import.meta.url), 'utf8'),
) as Recorded

describe('a table shows what the API server shows', () => {
  const store = new Store()
  for (const crd of recorded.crds) store.put('apiextensions.k8s.io/customresourcedefinitions', crd)
  const catalog = new Catalog(store)

  test.each(recorded.tables.map((table) => [`${table.resource}.${table.group}`, table] as const))('%s', (_, table) => {
    const type = catalog.find(table.group, table.version, table.resource)
    if (type === undefined) throw new Error('the resource is not served')
    const maker = new TableMaker(type, 'None', 'meta.k8s.io/v1')
    for (const { now, cells, conditions, object } of table.rows) {
      const shown = maker.object(object, Date.parse(now)) as { columnDefinitions: object[]; rows: unknown[] }
      expect(shown.rows).toEqual([{ cells, ...(conditions === undefined ? {} : { conditions }), object: null }])
      const columns = shown.columnDefinitions.map((definition) => ({ ...definition, description: undefined }))
      expect(columns).toEqual(table.columns)
    }
  })
})

describe('how much a table carries of its objects', () => {
  const pods = new Catalog(new Store()).find('', 'v1', 'pods')
  const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', resourceVersion: '7' }, spec: {} }
  const rowOf = (include: 'None' | 'Metadata' | 'Object'): unknown => {
    if (pods === undefined) throw new Error('pods are not served')
    const table = new TableMaker(pods, include, 'meta.k8s.io/v1').object(pod, 0)
    return (table['rows'] as { object: unknown }[])[0]?.object
  }

  test('is nothing, the metadata or the whole, as asked', () => {
    expect(rowOf('None')).toBeNull()
    expect(rowOf('Metadata')).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: pod.metadata,
    })
    expect(rowOf('Object')).toBe(pod)
  })
})
