import { expect, it } from 'vitest'
import { looksLikeOtherType } from './ambiguous.ts'

it.each([
  ['1:30', true],
  ['-1_0:59:00.5', true],
  ['1:60', false],
  ['1:100', false],
  ['1::2', false],
  ['1:', false],
  ['1:2.', true],
  ['1:.5', false],
  ['10:00:00Z', false],
])('%s looks like a number to the base of 60: %s', (text, expected) => expect(looksLikeOtherType(text)).toBe(expected))

it('a text of 12 MB is judged without running out of stack', () => {
  expect(looksLikeOtherType(`1${':1'.repeat(6_000_000)}`)).toBe(true)
  expect(looksLikeOtherType(`${'1:'.repeat(6_000_000)}x`)).toBe(false)
})
