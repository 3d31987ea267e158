import { expect, it } from 'vitest'
import { splitFieldPath } from './field-path.ts'

it.each([
  ['a.b', ['a', 'b']],
  ['a.[name=x.y].c', ['a', '[name=x.y]', 'c']],
  ['metadata.annotations.[a.b/c]', ['metadata', 'annotations', 'a.b/c']],
  [String.raw`data.a\.b`, ['data', 'a.b']],
  ['spec.*.0', ['spec', '*', '0']],
])('%s has its steps', (path, steps) => {
  expect(splitFieldPath(path)).toEqual(steps)
})
