import { expect, it } from 'vitest'
import { stripLastBlock } from './strip-last-block.ts'

it.each([
  ['- value: |\n    one\n    two', '- value: |-\n    one\n    two'],
  ['a: >2+ # why\n   x', 'a: >2- # why\n   x'],
  ['a: |\n  x\nb: c', 'a: |\n  x\nb: c'],
  ['a: |\n  x\n', 'a: |\n  x\n'],
  ['a: "|\n  x"', 'a: "|\n  x"'],
  ['a: |\n  b: |\n   c', 'a: |-\n  b: |\n   c'],
  ['{', '{'],
])('a block at the end of a text without a line break says that it has none: %j', (text, expected) => {
  expect(stripLastBlock(text)).toBe(expected)
})
