import { expect, it } from 'vitest'
import { parseDuration } from './options.ts'

it.each([
  ['90', 90_000],
  ['250ms', 250],
  ['90s', 90_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1500],
])('the duration %s is %d ms', (text, expected) => {
  expect(parseDuration(text)).toBe(expected)
})

it.each(['', '5 minutes', '5d', '-3s', 'm'])('the duration %j is refused', (text) => {
  expect(() => parseDuration(text)).toThrow(/90s, 5m or 1h30m/)
})
