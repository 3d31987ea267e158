import fc from '../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { mergeValues } from './merge-values.ts'

describe('values over others', () => {
  it('merge maps, replace lists and everything else', () => {
    const base = { image: { name: 'web', tag: '1' }, ports: [80, 443], debug: false, probe: { path: '/' } }
    const over = { image: { tag: '2' }, ports: [8080], debug: { level: 3 }, probe: 'none' }
    expect(mergeValues(base, over)).toEqual({
      image: { name: 'web', tag: '2' },
      ports: [8080],
      debug: { level: 3 },
      probe: 'none',
    })
  })

  it('take away by null what is below, and keep a null that has nothing below', () => {
    const base = { a: 1, b: { c: 1, d: 2 }, e: [1] }
    expect(mergeValues(base, { a: null, b: { c: null, x: null }, e: null, y: null })).toEqual({
      b: { d: 2, x: null },
      y: null,
    })
  })

  it('leave both as they are, and share nothing with them', () => {
    const base = { a: { b: [1] } }
    const over = { c: { d: [2] } }
    const merged = mergeValues(base, over) as { a: { b: number[] }; c: { d: number[] } }
    merged.a.b.push(9)
    merged.c.d.push(9)
    expect([base, over]).toEqual([{ a: { b: [1] } }, { c: { d: [2] } }])
  })

  it('change nothing when they are the same, or none', () => {
    fc.assert(
      fc.property(values(null), (a) => {
        expect(mergeValues(a, a)).toEqual(a)
        expect(mergeValues(a, {})).toEqual(a)
        expect(mergeValues({}, a)).toEqual(a)
      }),
    )
  })

  it('can be merged in any grouping while no map stands where another has none', () => {
    fc.assert(
      fc.property(layered, layered, layered, (a, b, c) => {
        expect(mergeValues(mergeValues(a, b), c)).toEqual(mergeValues(a, mergeValues(b, c)))
      }),
    )
  })

  it('cannot reach the prototype of anything', () => {
    const over = JSON.parse('{"__proto__": {"polluted": 1}, "a": {"__proto__": {"polluted": 1}}}') as object
    const merged = mergeValues({ a: {} }, { ...over })
    const again = mergeValues(merged, JSON.parse('{"__proto__": {"more": 1}}') as Record<string, unknown>)
    expect(Object.getPrototypeOf(again)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(Object.keys(again)).toContain('__proto__')
  })
})

function values(...scalars: unknown[]): fc.Arbitrary<Record<string, unknown>> {
  const { map } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...scalars, 1, 'x', true),
      tie('map'),
      fc.array(tie('node'), { maxLength: 2 }),
    ),
    map: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'x.y'), tie('node'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  }))
  return map
}

const scalar = fc.constantFrom(1, 'x', true, [1], [])
const layered: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    a: scalar,
    b: scalar,
    map: fc.record(
      { a: scalar, b: scalar, map: fc.record({ a: scalar, b: scalar }, { requiredKeys: [] }) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)
