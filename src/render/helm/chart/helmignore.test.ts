import { expect, it } from 'vitest'
import { readIgnoreRules } from './helmignore.ts'

it.for<[pattern: string, path: string, isFolder: boolean, ignored: boolean]>([
  ['helm.txt', 'helm.txt', false, true],
  ['helm.*', 'rudder.txt', false, false],
  ['*.txt', 'cargo/a.txt', false, true],
  ['cargo/*.txt', 'cargo/a.txt', false, true],
  ['cargo/*.txt', 'mast/a.txt', false, false],
  ['cargo/*', 'cargo/deep/a.txt', false, false],
  ['ru[c-e]?er.txt', 'rudder.txt', false, true],
  ['ru[^c-e]?er.txt', 'rudder.txt', false, false],
  ['.*', '.joonix', false, true],
  ['cargo/', 'cargo', true, true],
  ['cargo/', 'cargo', false, false],
  ['!helm.txt', 'helm.txt', false, false],
  ['!helm.txt', 'tiller.txt', false, true],
  ['!cargo/', 'mast', true, true],
  ['/a.txt', 'a.txt', false, true],
  ['/a.txt', 'cargo/a.txt', false, false],
  ['/cargo/a.txt', 'cargo/a.txt', false, true],
  ['\\*.txt', 'a.txt', false, false],
  ['# a.txt', 'a.txt', false, false],
  ['  a.txt  ', 'a.txt', false, true],
])('%s on %s (folder: %s) ignores: %s', ([pattern, path, isFolder, ignored]) => {
  expect(readIgnoreRules(pattern)(path, isFolder)).toBe(ignored)
})

it('takes no longer for patterns made to be slow', () => {
  const rules = readIgnoreRules(`${'*a'.repeat(200)}b`)
  expect(rules('a'.repeat(2000), false)).toBe(false)
})
