import { expect, it } from 'vitest'
import { newSeed, randomBelow, randomUuid, seededRandom } from './random-source.ts'

it('the same seed gives the same bytes, however many are drawn at a time', () => {
  const whole = seededRandom('a').bytes(3000)
  const random = seededRandom('a')
  const parts = [1, 0, 15, 16, 500, 1, 1300, 1167].map((count) => random.bytes(count))
  expect(Buffer.concat(parts).equals(whole)).toBe(true)
  expect(seededRandom('b').bytes(32).equals(whole.subarray(0, 32))).toBe(false)
})

it('whoever changes bytes that were drawn does not change the next ones', () => {
  const random = seededRandom('a')
  random.bytes(8).fill(0)
  expect(random.bytes(8).equals(seededRandom('a').bytes(16).subarray(8))).toBe(true)
})

it('numbers below a bound are all possible, and none is above it', () => {
  const random = seededRandom('numbers')
  const drawn = new Set(Array.from({ length: 300 }, () => randomBelow(random, 7n)))
  expect(drawn).toEqual(new Set([0n, 1n, 2n, 3n, 4n, 5n, 6n]))
})

it('a new seed is never the same, and a UUID is one of version 4', () => {
  expect(newSeed()).toMatch(/^[0-9a-f]{64}$/)
  expect(newSeed()).not.toBe(newSeed())
  expect(randomUuid(seededRandom('a'))).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
