import { describe, expect, it } from 'vitest'
import { LadingError } from '../../core/index.ts'
import { builtinSchema } from '../kinds/builtin-schema.ts'
import { strategicMerge } from './strategic-merge.ts'

const pod = builtinSchema().type({ group: '', version: 'v1', kind: 'Pod' })
const deployment = builtinSchema().type({ group: 'apps', version: 'v1', kind: 'Deployment' })

type Fields = Record<string, unknown>
const merge = (spec: Fields, patch: Fields): unknown => strategicMerge({ spec }, { spec: patch }, pod)['spec']

describe('a strategic merge patch', () => {
  const containers = [
    { name: 'c', image: 'i' },
    { name: 'd', image: 'j' },
  ]

  it('merges items by their key, new ones first', () => {
    expect(merge({ containers }, { containers: [{ name: 'e', image: 'k' }] })).toEqual({
      containers: [{ name: 'e', image: 'k' }, ...containers],
    })
    const merged = merge({ containers }, { containers: [{ name: 'd', env: [{ name: 'A', value: '1' }] }] })
    expect(merged).toEqual({
      containers: [containers[0], { ...containers[1], env: [{ name: 'A', value: '1' }] }],
    })
  })

  it('replaces lists without a merge strategy, and everything where there is no type', () => {
    const args = { containers: [{ name: 'c', args: ['1', '2'] }] }
    expect(merge(args, { containers: [{ name: 'c', args: ['3'] }] })).toEqual({
      containers: [{ name: 'c', args: ['3'] }],
    })
    expect(strategicMerge({ list: [{ name: 'a' }] }, { list: [{ name: 'b' }] }, undefined)).toEqual({
      list: [{ name: 'b' }],
    })
  })

  it('deletes an item, replaces a list and replaces a map', () => {
    expect(merge({ containers }, { containers: [{ name: 'c', $patch: 'delete' }] })).toEqual({
      containers: [containers[1]],
    })
    expect(merge({ containers }, { containers: [{ $patch: 'replace' }, { name: 'z' }] })).toEqual({
      containers: [{ name: 'z' }],
    })
    expect(merge({ nodeSelector: { a: '1' } }, { nodeSelector: { $patch: 'replace', b: '2' } })).toEqual({
      nodeSelector: { b: '2' },
    })
    expect(merge({ nodeSelector: { a: '1' } }, { nodeSelector: { $patch: 'delete' } })).toEqual({ nodeSelector: {} })
  })

  it('removes what is null, also inside of what is new', () => {
    const patch = { containers: null, nodeSelector: { a: null, b: '1' } }
    expect(merge({ containers, hostname: 'h' }, patch)).toEqual({ hostname: 'h', nodeSelector: { b: '1' } })
  })

  it('keeps only the retained keys', () => {
    const live = { volumes: [{ name: 'v', emptyDir: {} }] }
    const patch = { volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'x' } }] }
    expect(merge(live, patch)).toEqual({ volumes: [{ name: 'v', configMap: { name: 'x' } }] })
    const stray = { volumes: [{ name: 'v', $retainKeys: ['name'], configMap: { name: 'x' } }] }
    expect(() => merge(live, stray)).toThrow(LadingError)
    const strategy = { strategy: { $retainKeys: ['type'], type: 'Recreate' } }
    expect(
      strategicMerge(
        { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: {} } } },
        { spec: strategy },
        deployment,
      ),
    ).toEqual({ spec: { strategy: { type: 'Recreate' } } })
  })

  it('puts items into the order that is set', () => {
    const patch = {
      '$setElementOrder/containers': [{ name: 'd' }, { name: 'n' }, { name: 'c' }],
      containers: [{ name: 'n', image: 'k' }],
    }
    expect(merge({ containers }, patch)).toEqual({
      containers: [containers[1], { name: 'n', image: 'k' }, containers[0]],
    })
    expect(merge({ containers }, { '$setElementOrder/containers': [{ name: 'd' }, { name: 'c' }] })).toEqual({
      containers: containers.toReversed(),
    })
    const contradiction = { '$setElementOrder/containers': [{ name: 'd' }], containers: [{ name: 'c' }] }
    expect(() => merge({ containers }, contradiction)).toThrow(/setElementOrder/)
  })

  it('merges and prunes lists of scalars', () => {
    const live = { metadata: { finalizers: ['a', 'b'] } }
    expect(strategicMerge(live, { metadata: { finalizers: ['c'] } }, pod)).toEqual({
      metadata: { finalizers: ['c', 'a', 'b'] },
    })
    expect(strategicMerge(live, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } }, pod)).toEqual({
      metadata: { finalizers: ['b'] },
    })
    const ordered = { '$setElementOrder/finalizers': ['x', 'b'], finalizers: ['x'] }
    expect(strategicMerge(live, { metadata: ordered }, pod)).toEqual({ metadata: { finalizers: ['x', 'a', 'b'] } })
  })

  it.each([
    ['an item without its key', { containers: [{ image: 'i' }] }],
    ['an item to delete without its key', { containers: [{ $patch: 'delete' }] }],
    ['items of another type', { containers: ['a'] }],
    ['an unknown directive', { containers: [{ name: 'c', $patch: 'frob' }] }],
    ['an order that is no list', { '$setElementOrder/containers': {} }],
  ])('is refused with %s', (_name, patch) => {
    expect(() => merge({ containers }, patch)).toThrow(LadingError)
  })

  it('leaves the patched object alone', () => {
    const live = { spec: { containers: [{ name: 'c', ports: [{ containerPort: 1 }] }] } }
    const before = structuredClone(live)
    strategicMerge(live, { spec: { containers: [{ name: 'c', ports: [{ containerPort: 2 }] }] } }, pod)
    expect(live).toEqual(before)
  })
})
