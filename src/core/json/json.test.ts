import fc from '../../../testing/fast-check.ts'
import { expect, it } from 'vitest'
import { parseJson, stringifyJson } from './json.ts'

it('integers past 2^53 survive a round trip to the digit', () => {
  const text = '{"a":9007199254740993,"b":[-18446744073709551615],"c":"12345678901234567890","d":1.5}'
  expect(parseJson(text)).toMatchObject({ a: 9007199254740993n, c: '12345678901234567890', d: 1.5 })
  expect(stringifyJson(parseJson(text))).toBe(text)
  expect(parseJson('-9007199254740993')).toBe(-9007199254740993n)
})

it('a key named __proto__ is only a key', () => {
  const value = parseJson('{"__proto__":{"polluted":true}}')
  expect(Object.keys(value as object)).toEqual(['__proto__'])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

it('a number that no double holds is refused', () => {
  expect(() => parseJson('{"a":1e999,"b":1234567890123456789}')).toThrow('1e999')
})

it('any JSON value survives', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(stringifyJson(parseJson(stringifyJson(value)))).toBe(stringifyJson(value))
    }),
  )
})
