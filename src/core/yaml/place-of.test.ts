import { expect, test } from 'vitest'
import { lineOf } from './place-of.ts'

const text = 'name: shop\nkustomize:\n  path: overlays\n  patches:\n    - a.yaml\n    - b.yaml\n"odd key": { x: 1 }\n'

test.each([
  [['name'], 1],
  [['kustomize', 'path'], 3],
  [['kustomize', 'patches', 1], 6],
  [['odd key', 'x'], 7],
  [['kustomize', 'missing'], 2],
  [['missing'], 1],
])('the line of %j is %i', (path, line) => {
  expect(lineOf(text, path)).toBe(line)
})

test('JSON has lines too', () => {
  expect(lineOf('{\n  "a": {\n    "b": [\n      1,\n      2\n    ]\n  }\n}', ['a', 'b', 1])).toBe(5)
})
