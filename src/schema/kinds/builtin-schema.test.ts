import { describe, expect, test } from 'vitest'
import { builtinSchema } from './builtin-schema.ts'
import type { SchemaNode } from './schema-node.ts'

const schema = builtinSchema()

function at(kind: [group: string, version: string, kind: string], path: string): SchemaNode {
  const [group, version, name] = kind
  let node = schema.type({ group, version, kind: name })
  for (const step of path.split('.')) node = step === '[]' ? node?.items() : node?.field(step)
  if (node === undefined) throw new Error(`${name} has no ${path}`)
  return node
}

describe('built-in kinds', () => {
  test('have a scope and a type, each of them, with the metadata of every object', () => {
    const lacking = schema.resources().filter((resource) => {
      return schema.scope(resource) !== resource.scope || schema.type(resource)?.field('metadata')?.shape !== 'struct'
    })
    expect(lacking).toEqual([])
    expect(schema.resources().length).toBeGreaterThan(60)
  })

  test('know what is cluster-wide, also in a version that is no longer served', () => {
    expect(schema.scope({ group: '', version: 'v1', kind: 'Namespace' })).toBe('Cluster')
    expect(schema.scope({ group: 'apps', version: 'v1', kind: 'Deployment' })).toBe('Namespaced')
    expect(schema.scope({ group: 'rbac.authorization.k8s.io', version: 'v1beta1', kind: 'ClusterRole' })).toBe(
      'Cluster',
    )
    expect(schema.scope({ group: 'example.com', version: 'v1', kind: 'Namespace' })).toBeUndefined()
  })

  test('have the types of lists and of subresources too', () => {
    expect(schema.type({ group: 'apps', version: 'v1', kind: 'DeploymentList' })?.field('items')?.shape).toBe('list')
    expect(schema.type({ group: 'policy', version: 'v1', kind: 'Eviction' })?.field('deleteOptions')?.shape).toBe(
      'struct',
    )
    const deployment = schema.resourceOf({ group: 'apps', version: 'v1', kind: 'Deployment' })
    expect(deployment?.subresources.find((sub) => sub.name === 'scale')?.kind).toEqual({
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
    })
  })

  test('tell where the same object shows under two versions or groups', () => {
    const stored = (group: string, version: string, kind: string) =>
      schema.resourceOf({ group, version, kind })?.storage
    const v2 = { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' }
    expect(stored('autoscaling', 'v1', 'HorizontalPodAutoscaler')).toEqual(v2)
    expect(stored('events.k8s.io', 'v1', 'Event')).toEqual({ group: '', version: 'v1', kind: 'Event' })
  })
})

describe('merge rules', () => {
  test('containers merge by name, their ports by number and protocol with TCP as the default', () => {
    const containers = at(['apps', 'v1', 'Deployment'], 'spec.template.spec.containers')
    expect(containers).toMatchObject({
      listType: 'map',
      mapKeys: ['name'],
      patchStrategy: ['merge'],
      patchMergeKey: 'name',
    })
    const ports = at(['apps', 'v1', 'Deployment'], 'spec.template.spec.containers.[].ports')
    expect(ports).toMatchObject({
      listType: 'map',
      mapKeys: ['containerPort', 'protocol'],
      patchMergeKey: 'containerPort',
    })
    expect(ports.items()?.field('protocol')?.default).toBe('TCP')
    const servicePorts = at(['', 'v1', 'Service'], 'spec.ports')
    expect(servicePorts).toMatchObject({ mapKeys: ['port', 'protocol'], patchMergeKey: 'port' })
  })

  test('sets, atomic lists, atomic maps and granular maps are told apart', () => {
    expect(at(['', 'v1', 'ConfigMap'], 'metadata.finalizers').listType).toBe('set')
    expect(at(['apps', 'v1', 'Deployment'], 'spec.template.spec.containers.[].args').listType).toBe('atomic')
    expect(at(['', 'v1', 'Service'], 'spec.selector')).toMatchObject({ shape: 'map', mapType: 'atomic' })
    expect(at(['apps', 'v1', 'Deployment'], 'spec.selector')).toMatchObject({ shape: 'struct', mapType: 'atomic' })
    expect(at(['', 'v1', 'ConfigMap'], 'data')).toMatchObject({ shape: 'map', mapType: 'granular' })
    expect(at(['', 'v1', 'ConfigMap'], 'metadata.ownerReferences').mapKeys).toEqual(['uid'])
  })

  test('marks beside a reference count for the field that refers', () => {
    expect(at(['apps', 'v1', 'Deployment'], 'spec.strategy').patchStrategy).toEqual(['retainKeys'])
    expect(at(['', 'v1', 'Pod'], 'spec.volumes').patchStrategy).toEqual(['merge', 'retainKeys'])
  })

  test('scalars that are two types at once, and free-form values, are recognised', () => {
    expect(at(['', 'v1', 'Service'], 'spec.ports.[].targetPort').scalar).toBe('int-or-string')
    expect(at(['', 'v1', 'Pod'], 'spec.containers.[].resources.limits.cpu').scalar).toBe('quantity')
    expect(at(['apps', 'v1', 'ControllerRevision'], 'data')).toMatchObject({ shape: 'any', mapType: 'atomic' })
  })

  test('a type that contains itself is walked as deep as one likes', () => {
    const crd: [string, string, string] = ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition']
    const deep = Array.from({ length: 50 }, () => 'properties.any').join('.')
    expect(at(crd, `spec.versions.[].schema.openAPIV3Schema.${deep}.type`).scalar).toBe('string')
  })

  test('names that every JavaScript object has are no fields', () => {
    expect(schema.type({ group: '', version: 'v1', kind: 'Pod' })?.field('constructor')).toBeUndefined()
    expect(schema.type({ group: '', version: 'v1', kind: 'Pod' })?.field('__proto__')).toBeUndefined()
  })
})

describe('the OpenAPI document of a group version', () => {
  test('holds every type that it refers to, with references written out', () => {
    const text = JSON.stringify(schema.openapi('apps/v1'))
    const { schemas } = schema.openapi('apps/v1')!.components
    const referred = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1])
    expect(new Set(referred).isSubsetOf(new Set(Object.keys(schemas)))).toBe(true)
    expect(schemas['io.k8s.api.apps.v1.DeploymentSpec']).toMatchObject({
      properties: {
        strategy: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy' }], default: {} },
      },
    })
    expect(schema.openapi('nothing/v1')).toBeUndefined()
  })
})
