import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../core/index.ts'
import { builtinSchema } from './kinds/builtin-schema.ts'
import { immutableFields } from './immutable-fields.ts'

describe('fields that cannot change', () => {
  test('are known for the kinds that people trip over', () => {
    expect(immutableFields({ group: 'apps', kind: 'Deployment' })).toEqual(['.spec.selector'])
    expect(immutableFields({ group: 'batch', kind: 'Job' })).toContain('.spec.template')
    expect(immutableFields({ group: '', kind: 'Service' })).toContain('.spec.clusterIP')
    expect(immutableFields({ group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' })).toEqual(['.roleRef'])
    expect(immutableFields({ group: 'apps', kind: 'StatefulSet' })).toContain('.spec.volumeClaimTemplates')
  })

  test('include the data of a ConfigMap only once it is marked immutable', () => {
    const live: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: {} }
    expect(immutableFields({ group: '', kind: 'ConfigMap' }, live)).toEqual([])
    expect(immutableFields({ group: '', kind: 'ConfigMap' }, { ...live, immutable: true })).toContain('.data')
  })

  test('are fields of the type', () => {
    const dangling = builtinSchema()
      .resources()
      .flatMap((resource) => immutableFields(resource).map((path) => ({ resource, path })))
      .filter(({ resource, path }) => {
        let node = builtinSchema().type(resource)
        for (const step of path.slice(1).split('.')) node = node?.field(step)
        return node === undefined
      })
    expect(dangling).toEqual([])
  })

  test('are none for a kind that nobody probed', () => {
    expect(immutableFields({ group: 'example.com', kind: 'Deployment' })).toEqual([])
  })
})
