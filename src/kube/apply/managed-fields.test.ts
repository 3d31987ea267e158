import fc from '../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { findPath, formatFieldPath, ownedPaths, unionFields, valueAt, withoutPath } from './managed-fields.ts'

const service = {
  metadata: { labels: { 'app.kubernetes.io/name': 'web', app: { kubernetes: 1 } }, finalizers: ['a', 'b'] },
  spec: {
    ports: [
      { port: 53, protocol: 'TCP', name: 'x' },
      { port: 53, protocol: 'UDP', name: 'y' },
    ],
    args: ['p', 'q'],
  },
}
const fields = {
  'f:metadata': { 'f:labels': { '.': {}, 'f:app.kubernetes.io/name': {} }, 'f:finalizers': { 'v:"b"': {} } },
  'f:spec': { 'f:ports': { 'k:{"port":53,"protocol":"UDP"}': { '.': {}, 'f:name': {} } }, 'f:args': { 'i:1': {} } },
}

describe('paths of owned fields', () => {
  it('are spelled as the API server spells them, and lead to their values', () => {
    const found = ownedPaths(fields).map((path) => [formatFieldPath(path), valueAt(service, path)])
    expect(found).toEqual([
      ['.metadata.labels', service.metadata.labels],
      ['.metadata.labels.app.kubernetes.io/name', 'web'],
      ['.metadata.finalizers[="b"]', 'b'],
      ['.spec.ports[port=53,protocol="UDP"]', service.spec.ports[1]],
      ['.spec.ports[port=53,protocol="UDP"].name', 'y'],
      ['.spec.args[1]', 'q'],
    ])
  })

  it('are found again from their spelling', () => {
    for (const path of ownedPaths(fields)) {
      expect(findPath(service, formatFieldPath(path))).toEqual(path)
    }
  })

  it('are not found where the object has nothing', () => {
    for (const text of [
      '.spec.ports[port=80]',
      '.spec.replicas',
      '.spec.args[7]',
      '.spec.ports[',
      'spec',
      '.spec.ports[x="]',
    ]) {
      expect(findPath(service, text)).toBeUndefined()
    }
  })

  it('do not reach into prototypes', () => {
    expect(valueAt({}, [{ field: 'constructor' }])).toBeUndefined()
    expect(findPath({}, '.constructor')).toBeUndefined()
  })
})

describe('withoutPath', () => {
  it('drops a field, and the maps and lists that become empty', () => {
    const object = { keep: 1, spec: { ports: [{ port: 80 }], replicas: 2 } }
    expect(withoutPath(object, [{ field: 'spec' }, { field: 'replicas' }])).toEqual({
      keep: 1,
      spec: { ports: [{ port: 80 }] },
    })
    expect(withoutPath({ keep: 1, data: { a: 1 } }, [{ field: 'data' }, { field: 'a' }])).toEqual({ keep: 1 })
    const item = [{ field: 'spec' }, { field: 'ports' }, { key: { port: 80 } }] as const
    expect(withoutPath(object, item)).toEqual({ keep: 1, spec: { replicas: 2 } })
  })

  it('changes nothing where there is nothing, and never its argument', () => {
    const object = { spec: { ports: [{ port: 80, name: 'web' }] } }
    const before = structuredClone(object)
    expect(withoutPath(object, [{ field: 'spec' }, { field: 'ports' }, { key: { port: 81 } }])).toEqual(before)
    const path = [{ field: 'spec' }, { field: 'ports' }, { key: { port: 80 } }, { field: 'name' }] as const
    expect(withoutPath(object, path)).toEqual({ spec: { ports: [{ port: 80 }] } })
    expect(object).toEqual(before)
  })
})

describe('unionFields', () => {
  const tree = fc.letrec((tie) => ({
    node: fc.dictionary(
      fc.constantFrom('f:a', 'f:b', 'k:{"n":1}', '.'),
      fc.oneof({ maxDepth: 3 }, fc.constant({}), tie('node')),
    ),
  })).node
  const spelled = (fields: Record<string, unknown>): string[] =>
    [...new Set(ownedPaths(clean(fields)).map(formatFieldPath))].sort()

  it('owns exactly what either side owns', () => {
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        const both = [...new Set([...spelled(a), ...spelled(b)])].sort()
        expect(spelled(unionFields(clean(a), clean(b)))).toEqual(both)
      }),
    )
  })

  it('of a tree with itself is the tree', () => {
    fc.assert(
      fc.property(tree, (a) => {
        expect(unionFields(clean(a), clean(a))).toEqual(clean(a))
      }),
    )
  })

  /** The server writes nothing under a `.`. */
  function clean(fields: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(fields).map(([name, below]) => [
        name,
        name === '.' ? {} : clean(below as Record<string, unknown>),
      ]),
    )
  }
})
