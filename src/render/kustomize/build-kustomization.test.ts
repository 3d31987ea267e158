import { describe, expect, it } from 'vitest'
import { type ErrorCode, LadingError } from '../../core/index.ts'
import { buildKustomization, type KustomizeOptions, memoryTree, renderYaml } from './index.ts'

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {key: value}\n'

function build(files: Record<string, string>, path = '.', options: KustomizeOptions = {}) {
  return buildKustomization(memoryTree(files), path, options)
}

function failure(files: Record<string, string>, path = '.', options: KustomizeOptions = {}): LadingError {
  try {
    build(files, path, options)
  } catch (error) {
    if (error instanceof LadingError) return error
    throw error
  }
  throw new Error('the build did not fail')
}

describe('a kustomization', () => {
  it('renames its resources and what refers to them', () => {
    const objects = build(
      {
        'base/kustomization.yaml': 'resources: [pod.yaml]\nconfigMapGenerator: [{name: conf, literals: [a=b]}]',
        'base/pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {volumes: [{name: v, configMap: {name: conf}}]}',
        'overlay/kustomization.yaml': 'namePrefix: x-\nnamespace: prod\nresources: [../base]',
      },
      'overlay',
    )
    expect(objects.map((each) => [each.kind, each.metadata.name, each.metadata.namespace])).toEqual([
      ['ConfigMap', 'x-conf-4h2mbtbbt6', 'prod'],
      ['Pod', 'x-p', 'prod'],
    ])
    expect(objects[1]).toMatchObject({ spec: { volumes: [{ configMap: { name: 'x-conf-4h2mbtbbt6' } }] } })
  })

  it('is written with sorted keys and documents apart', () => {
    const objects = build({ 'kustomization.yaml': 'resources: [a.yaml]\nnameSuffix: -x', 'a.yaml': configMap })
    expect(renderYaml([...objects, ...objects])).toBe(
      'apiVersion: v1\ndata:\n  key: value\nkind: ConfigMap\nmetadata:\n  name: c-x\n---\n' +
        'apiVersion: v1\ndata:\n  key: value\nkind: ConfigMap\nmetadata:\n  name: c-x\n',
    )
  })

  it('keeps the order in which it was loaded when asked to', () => {
    const files = {
      'kustomization.yaml': 'resources: [a.yaml, b.yaml]',
      'a.yaml': configMap,
      'b.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: n}',
    }
    expect(build(files).map((each) => each.kind)).toEqual(['Namespace', 'ConfigMap'])
    expect(build(files, '.', { reorder: 'none' }).map((each) => each.kind)).toEqual(['ConfigMap', 'Namespace'])
  })

  it('leaves the given files alone, whatever was built before', () => {
    const files = { 'kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: x-', 'a.yaml': configMap }
    const tree = memoryTree(files)
    expect(buildKustomization(tree, '.')).toEqual(buildKustomization(tree, '.'))
  })
})

describe('a kustomization that cannot be built', () => {
  const base = { 'a.yaml': configMap }
  it.each<[string, Record<string, string>, ErrorCode, RegExp]>([
    ['without a file', {}, 'file.not-found', /unable to find one of/],
    ['with an unknown field', { 'kustomization.yaml': 'resource: [a.yaml]' }, 'kustomize.invalid', /"resource"/],
    [
      'with a field of another type',
      { 'kustomization.yaml': 'namePrefix: [a]' },
      'kustomize.invalid',
      /namePrefix must be a string/,
    ],
    ['with nothing in it', { 'kustomization.yaml': 'kind: Kustomization' }, 'kustomize.invalid', /is empty/],
    [
      'with two files',
      { 'kustomization.yaml': 'resources: [a.yaml]', Kustomization: 'a' },
      'kustomize.invalid',
      /multiple/,
    ],
    ['with a file that is missing', { 'kustomization.yaml': 'resources: [b.yaml]' }, 'file.not-found', /b\.yaml/],
    ['that refers to itself', { 'kustomization.yaml': 'resources: [.]' }, 'kustomize.invalid', /cycle/],
    [
      'with the same object twice',
      { 'kustomization.yaml': 'resources: [a.yaml, a.yaml]' },
      'object.duplicate',
      /ConfigMap/,
    ],
    ['with a chart', { 'kustomization.yaml': 'helmCharts: [{name: x}]' }, 'kustomize.refused', /--enable-helm/],
    [
      'with a remote base',
      { 'kustomization.yaml': 'resources: ["https://u:p@example.com/x.yaml"]' },
      'kustomize.refused',
      /another host/,
    ],
    [
      'with a function',
      { 'kustomization.yaml': 'transformers: [t.yaml]', 't.yaml': 'apiVersion: x/v1\nkind: T\nmetadata: {name: t}' },
      'kustomize.refused',
      /runs no programs/,
    ],
  ])('%s says so', (_name, files, code, words) => {
    const error = failure({ ...base, ...files })
    expect(error.code).toBe(code)
    expect(error.message).toMatch(words)
    expect(error.message).not.toContain('u:p@')
  })

  it('tells the trail that led to the problem', () => {
    const error = failure(
      {
        'top/kustomization.yaml': 'resources: [../middle]',
        'middle/kustomization.yaml': 'resources: [../base]',
        'base/kustomization.yaml': 'resources: [gone.yaml]',
      },
      'top',
    )
    expect(error.details).toMatchObject({ trail: ['/top', '/middle', '/base'], field: 'resources' })
    expect(error.message).toContain('/top → /middle → /base')
  })

  it('names a cycle over several folders', () => {
    const files = { 'a/kustomization.yaml': 'resources: [../b]', 'b/kustomization.yaml': 'resources: [../a]' }
    expect(failure(files, 'a').message).toMatch(/cycle detected/)
  })

  it('reads no file outside of its folder unless allowed', () => {
    const files = { 'o/kustomization.yaml': 'resources: [../a.yaml]', 'a.yaml': configMap }
    expect(failure(files, 'o').code).toBe('kustomize.refused')
    expect(build(files, 'o', { loadRestrictor: 'none' })).toHaveLength(1)
  })

  it('never leaves the tree', () => {
    const files = { 'kustomization.yaml': 'resources: [../../../../etc/passwd]', 'a.yaml': configMap }
    expect(failure(files, '.', { loadRestrictor: 'none' }).code).toBe('file.not-found')
  })

  it('stops at nesting without end and at aliases that multiply', () => {
    const deep = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\nx: ${'['.repeat(10_000)}${']'.repeat(10_000)}`
    expect(failure({ 'kustomization.yaml': 'resources: [a.yaml]', 'a.yaml': deep }).code).toMatch(/^yaml\./)
    const levels = Array.from({ length: 30 }, (_, at) => `k${at + 1}: &k${at + 1} [*k${at},*k${at},*k${at}]`)
    const bomb = `${configMap}k0: &k0 [a]\n${levels.join('\n')}`
    expect(failure({ 'kustomization.yaml': 'resources: [a.yaml]', 'a.yaml': bomb }).code).toBe('yaml.limit')
  })
})
