import { expect, it } from 'vitest'
import { mergePatch } from './merge-patch.ts'

it.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('merging %j with %j gives %j', (target, change, expected) => {
  expect(mergePatch(target, change)).toEqual(expected)
})

it('leaves the patched value alone and treats __proto__ as any key', () => {
  const target = Object.freeze({ a: Object.freeze({ b: 1 }) })
  const merged = mergePatch(target, JSON.parse('{"a":{"c":2},"__proto__":{"x":1}}'))
  expect(JSON.stringify(merged)).toBe('{"a":{"b":1,"c":2},"__proto__":{"x":1}}')
  expect(target).toEqual({ a: { b: 1 } })
})
