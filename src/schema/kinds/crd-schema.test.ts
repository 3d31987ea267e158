import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { builtinSchema } from './builtin-schema.ts'
import { schemaWithCrds } from './crd-schema.ts'
import { widgetCrd } from '../testdata/widgets.ts'
import { compareVersions } from './version-order.ts'

const group = 'schema.lading.example.com'
const v1 = { group, version: 'v1', kind: 'Widget' }
const schema = schemaWithCrds(builtinSchema(), [widgetCrd])

describe('a kind that a CustomResourceDefinition of the set brings', () => {
  test('is discovered as the API server would show it, stable version first, unserved versions left out', () => {
    const resources = schema.resources().filter((resource) => resource.group === group)
    expect(resources.map((resource) => resource.version)).toEqual(['v1', 'v1beta1'])
    expect(resources[0]).toEqual({
      ...v1,
      resource: 'widgets',
      singular: 'widget',
      scope: 'Namespaced',
      verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
      shortNames: ['wd'],
      categories: ['all'],
      subresources: [
        { name: 'status', kind: v1, verbs: ['get', 'patch', 'update'] },
        {
          name: 'scale',
          kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
          verbs: ['get', 'patch', 'update'],
        },
      ],
      listKind: 'WidgetList',
    })
    expect(resources[1]?.storage).toEqual(v1)
  })

  test('has its scope, also asked in a version that is not served', () => {
    expect(schema.scope({ ...v1, version: 'v1alpha1' })).toBe('Namespaced')
    const cluster = { ...widgetCrd, spec: { ...(widgetCrd['spec'] as object), scope: 'Cluster' } }
    expect(schemaWithCrds(builtinSchema(), [cluster]).scope(v1)).toBe('Cluster')
  })

  test('merges as its definition says', () => {
    const spec = schema.type(v1)?.field('spec')
    expect(spec?.field('parts')).toMatchObject({ listType: 'map', mapKeys: ['name', 'side'] })
    expect(spec?.field('parts')?.items()?.field('side')?.default).toBe('left')
    expect(spec?.field('tags')?.listType).toBe('set')
    expect(spec?.field('selector')).toMatchObject({ shape: 'map', mapType: 'atomic' })
    expect(spec?.field('port')?.scalar).toBe('int-or-string')
    expect(spec?.field('template')).toMatchObject({ embeddedResource: true, preservesUnknown: true })
    expect(spec?.field('free')?.field('whatever')?.shape).toBe('any')
    expect(spec?.field('nothing')).toBeUndefined()
  })

  test('has the metadata of every object, outside and inside of embedded ones', () => {
    expect(schema.type(v1)?.field('metadata')?.field('finalizers')?.listType).toBe('set')
    const embedded = schema.type(v1)?.field('spec')?.field('template')?.field('metadata')
    expect(embedded?.field('ownerReferences')?.mapKeys).toEqual(['uid'])
    expect(
      schema
        .type({ ...v1, kind: 'WidgetList' })
        ?.field('items')
        ?.items()
        ?.field('metadata')?.shape,
    ).toBe('struct')
  })

  test('stands beside the built-in kinds', () => {
    expect(schema.scope({ group: 'apps', version: 'v1', kind: 'Deployment' })).toBe('Namespaced')
    expect(schema.type({ group: 'apps', version: 'v1', kind: 'Deployment' })?.field('spec')?.shape).toBe('struct')
    expect(builtinSchema().scope(v1)).toBeUndefined()
  })

  test('is served as OpenAPI under its reversed group', () => {
    const schemas = schema.openapi(`${group}/v1`)?.components.schemas ?? {}
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['com.example.lading.schema.v1.Widget', 'com.example.lading.schema.v1.WidgetList']),
    )
    expect(Object.keys(schemas)).toContain('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')
  })

  test('cannot reach other types by reference', () => {
    const spec = { group, scope: 'Cluster', names: { kind: 'Widget', plural: 'widgets' }, versions: [] as object[] }
    const leak = { type: 'object', properties: { spec: { $ref: 'io.k8s.api.core.v1.PodSpec' } } }
    spec.versions.push({ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: leak } })
    const crd: KubeObject = { ...widgetCrd, spec }
    const node = schemaWithCrds(builtinSchema(), [crd]).type(v1)?.field('spec')
    expect(node).toMatchObject({ shape: 'any', fieldNames: [] })
  })

  test('is passed over when the definition is no definition', () => {
    const broken = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'x' } }
    expect(schemaWithCrds(builtinSchema(), [broken, { ...broken, spec: {} }])).toBe(builtinSchema())
  })
})

test('versions stand in the order of discovery', () => {
  const versions = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10']
  expect(versions.toReversed().sort(compareVersions)).toEqual(versions)
})
