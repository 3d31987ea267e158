import { expect, test } from 'vitest'
import { parseDocuments, replaceScalars } from './index.ts'

const swap = (text: string, value: unknown) =>
  replaceScalars(text, (scalar) => (scalar.text.includes('T') && !scalar.isKey ? { value } : undefined))

test.each([
  ['a plain scalar', 'a: T # note\nb: 1\n', 'a: "x\\ny" # note\nb: 1\n'],
  ['a quoted scalar', `a: 'it''s T'\nb: "\\tT"\n`, 'a: "x\\ny"\nb: "x\\ny"\n'],
  ['an item of a list', '- T\n- - T\n', '- "x\\ny"\n- - "x\\ny"\n'],
  ['a scalar of a flow collection', 'a: [T, {b: T}, c]\n', 'a: ["x\\ny", {b: "x\\ny"}, c]\n'],
  ['a tagged and anchored scalar', 'a: &x !!str T\n', 'a: &x !!str "x\\ny"\n'],
  ['a key', 'T: a\n? T\n: b\n', 'T: a\n? T\n: b\n'],
])('%s is replaced where it is a value, and the text around it stays', (_case, text, expected) => {
  expect(swap(text, 'x\ny')).toBe(expected)
})

test.each([
  'a: |-\n  one\n  T\n\nb: 1\n',
  '"k | # |": >+2 # |\n   T\n\n# note\nb: 1\n',
  'a: one\n  T\n  two\nb: 1\n',
  'a:\n- |\n T\n- !!str |\n T\nb: 1\n',
])('a scalar of several lines is replaced by one, and later lines keep their numbers: %j', (text) => {
  const replaced = swap(text, 'v')
  const lineOf = (all: string) => all.split('\n').indexOf('b: 1')
  expect(lineOf(replaced)).toBe(lineOf(text))
  expect(JSON.stringify(parseDocuments(replaced)[0]!.value)).toContain('"v"')
  expect(replaced).not.toContain('T')
})

test('a value keeps its type, also a map', () => {
  const text = swap('a: T\n', { b: [1, true, null, 'c: d'], 'e\n': 2n ** 60n })
  expect(parseDocuments(text)[0]!.value).toEqual({ a: { b: [1, true, null, 'c: d'], 'e\n': 2n ** 60n } })
})

test('a mistake in a later document is named with its line, without the text around it', () => {
  const broken = () => replaceScalars('a: T\n---\nb: [secret\n', () => undefined, { file: 'f.yaml' })
  expect(broken).toThrow(/^f\.yaml:[34]/)
  expect(broken).not.toThrow(/secret/)
})
