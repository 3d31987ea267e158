import { describe, expect, it } from 'vitest'
import { readDocuments } from '../yaml/read-documents.ts'
import { toJson, type ValueMap } from '../yaml/value.ts'
import { mergeStrategic } from './merge-patch.ts'
import { builtinMergeSchema } from './merge-schema.ts'

const lookup = builtinMergeSchema()

function merge(target: string, patch: string, type = 'apiVersion: v1\nkind: Pod\n'): unknown {
  const [from] = readDocuments(`${type}spec: ${target}`, 'target') as [ValueMap]
  const [by] = readDocuments(`spec: ${patch}`, 'patch') as [ValueMap]
  const merged = mergeStrategic(from, by, lookup)
  return merged === undefined ? undefined : (toJson(merged) as { spec?: unknown }).spec
}

describe('a strategic merge patch', () => {
  it('puts new items first and matched ones into its own order', () => {
    const target = '{containers: [{name: a, image: x}, {name: b}, {name: c}]}'
    expect(merge(target, '{containers: [{name: n}, {name: c, image: y}, {name: a, tty: true}]}')).toEqual({
      containers: [{ name: 'n' }, { name: 'c', image: 'y' }, { name: 'a', image: 'x', tty: true }, { name: 'b' }],
    })
  })

  it('tells ports apart by number and protocol', () => {
    const target = '{containers: [{name: a, ports: [{containerPort: 80}, {containerPort: 53, protocol: UDP}]}]}'
    const patch =
      '{containers: [{name: a, ports: [{containerPort: 53, protocol: TCP}, {containerPort: 80, name: web}]}]}'
    expect(merge(target, patch)).toEqual({
      containers: [
        {
          name: 'a',
          ports: [
            { containerPort: 53, protocol: 'TCP' },
            { containerPort: 80, name: 'web' },
            { containerPort: 53, protocol: 'UDP' },
          ],
        },
      ],
    })
  })

  it('replaces lists of types that it does not know', () => {
    expect(merge('{list: [{name: a}]}', '{list: [{name: b}]}', 'apiVersion: x/v1\nkind: Y\n')).toEqual({
      list: [{ name: 'b' }],
    })
  })

  it('follows $patch directives', () => {
    const target = '{nodeSelector: {a: b}, containers: [{name: a}, {name: b}]}'
    expect(merge(target, '{containers: [{name: a, $patch: delete}]}')).toMatchObject({ containers: [{ name: 'b' }] })
    expect(merge(target, '{containers: [{$patch: replace}, {name: z}]}')).toMatchObject({ containers: [{ name: 'z' }] })
    expect(merge(target, '{nodeSelector: {$patch: replace, c: d}}')).toMatchObject({ nodeSelector: { c: 'd' } })
    expect(merge(target, '{nodeSelector: {$patch: delete}}')).toEqual({ containers: [{ name: 'a' }, { name: 'b' }] })
    expect(() => merge(target, '{nodeSelector: {$patch: frob}}')).toThrow(/unknown patch strategy/)
  })

  it('removes what is null, also inside of what is new', () => {
    expect(merge('{hostname: h, nodeSelector: {a: b}}', '{hostname: null, affinity: {a: null, b: 1}}')).toEqual({
      affinity: { b: 1 },
      nodeSelector: { a: 'b' },
    })
  })

  it('keeps a null that is written out, and drops one that is not', () => {
    expect(merge('{a: null, b: , c: ~}', '{x: 1}')).toEqual({ a: null, c: null, x: 1 })
  })

  it('is refused where a map meets a list', () => {
    expect(() => merge('{nodeSelector: {a: b}}', '{nodeSelector: [a]}')).toThrow(/disagree/)
  })
})
