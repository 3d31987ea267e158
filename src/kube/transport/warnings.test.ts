import { expect, it } from 'vitest'
import { parseWarnings } from './warnings.ts'

it.each([
  [undefined, []],
  ['', []],
  ['nonsense', []],
  ['299 - "plain"', ['plain']],
  ['299 - "one, two", 299 kube "three"', ['one, two', 'three']],
  ['299 - "say \\"hi\\" \\\\ bye"', ['say "hi" \\ bye']],
  [
    ['299 - "same"', '299 - "same"', '299 - "other"'],
    ['same', 'other'],
  ],
])('%j holds %j', (header, texts) => {
  expect(parseWarnings(header)).toEqual(texts)
})
