import { describe, expect, it } from 'vitest'
import type { KubeObject, ManagedFieldsEntry } from '../../core/index.ts'
import { adoptedManagedFields, withoutAbandoned } from './adopt.ts'

const entry = (
  manager: string,
  operation: 'Apply' | 'Update',
  keys: string,
  rest: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry => ({
  manager,
  operation,
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': Object.fromEntries(Array.from(keys, (key) => [key === '.' ? '.' : `f:${key}`, {}])) },
  ...rest,
})
const live = (data: Record<string, string>, ...managedFields: ManagedFieldsEntry[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', managedFields },
  data,
})

describe('adoptedManagedFields', () => {
  it('makes ours what kubectl and helm applied, and leaves everybody else', () => {
    const edited = entry('kubectl-edit', 'Update', 'x')
    const scaled = entry('kubectl', 'Update', 'y', { subresource: 'scale' })
    const object = live(
      {},
      entry('kubectl-client-side-apply', 'Update', '.a', { time: '2026-02-02T00:00:00Z' }),
      edited,
      entry('helm', 'Update', 'b'),
      scaled,
      entry('helm', 'Apply', 'c'),
      entry('lading', 'Apply', 'd'),
    )
    expect(adoptedManagedFields(object, { fieldManager: 'lading', tools: ['kubectl', 'helm'] })).toEqual([
      entry('lading', 'Apply', 'd.abc', { time: '2026-02-02T00:00:00Z' }),
      edited,
      scaled,
    ])
  })

  it('has nothing to do without the asked tools', () => {
    const object = live({}, entry('helm', 'Apply', 'a'), entry('kubectl', 'Update', 'b'))
    expect(adoptedManagedFields(object, { fieldManager: 'lading', tools: ['kubectl'] })).toBeUndefined()
    expect(adoptedManagedFields(live({}), { fieldManager: 'lading', tools: ['kubectl', 'helm'] })).toBeUndefined()
  })

  it('does not adopt from itself when we apply under the name of the tool', () => {
    expect(
      adoptedManagedFields(live({}, entry('helm', 'Apply', 'a')), { fieldManager: 'helm', tools: ['helm'] }),
    ).toBeUndefined()
  })

  it('joins what an older Helm updated when we apply under its name', () => {
    const object = live({}, entry('helm', 'Update', 'a'), entry('helm', 'Apply', 'b'))
    expect(adoptedManagedFields(object, { fieldManager: 'helm', tools: ['helm'] })).toEqual([
      entry('helm', 'Apply', 'ba'),
    ])
  })
})

describe('withoutAbandoned', () => {
  it('removes what only the adopted tool owns, and keeps what is shared', () => {
    const answer = live(
      { a: '1', b: '2', c: '3' },
      entry('lading', 'Apply', 'a'),
      entry('kubectl-client-side-apply', 'Update', '.abc'),
      entry('other', 'Update', 'c'),
    )
    const result = withoutAbandoned(answer, { fieldManager: 'lading', tools: ['kubectl'] })
    expect(result['data']).toEqual({ a: '1', c: '3' })
    expect(result.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['lading', 'other'])
  })

  it('removes a list item with everything in it, whatever the order of its fields', () => {
    const item = { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} }
    const key = (name: string): string => `k:{"name":"${name}"}`
    const at = (items: object): Record<string, unknown> => ({ 'f:spec': { 'f:containers': items } })
    const answer: KubeObject = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'a',
        managedFields: [
          entry('lading', 'Apply', '', { fieldsV1: at({ [key('main')]: item }) }),
          entry('helm', 'Update', '', { fieldsV1: at({ '.': {}, [key('main')]: item, [key('side')]: item }) }),
        ],
      },
      spec: { containers: ['main', 'side'].map((name) => ({ name, image: 'x', resources: {} })) },
    }
    const result = withoutAbandoned(answer, { fieldManager: 'lading', tools: ['helm'] })
    expect(result['spec']).toEqual({ containers: [{ name: 'main', image: 'x', resources: {} }] })
  })

  it('removes a map that nobody has anything in', () => {
    const answer = live({ a: '1' }, entry('lading', 'Apply', ''), entry('helm', 'Apply', '.a'))
    answer.metadata.managedFields?.splice(0, 1)
    expect(withoutAbandoned(answer, { fieldManager: 'lading', tools: ['helm'] })['data']).toBeUndefined()
  })
})
