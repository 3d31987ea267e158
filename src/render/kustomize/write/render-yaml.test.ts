import { describe, expect, it } from 'vitest'
import { compareKeys } from './compare-keys.ts'
import { writeDocument } from './render-yaml.ts'

describe('YAML as go-yaml writes it', () => {
  it.each([
    ['plain', 'plain'],
    ['a: b', "'a: b'"],
    ["it's", "it's"],
    ["'q'", "'''q'''"],
    ['yes', '"yes"'],
    ['1e3', '"1e3"'],
    ['12:30', '"12:30"'],
    ['2001-01-01', '"2001-01-01"'],
    ['tab\t', '"tab\\t"'],
    ['', '""'],
    ['a\nb\n', '|\n  a\n  b'],
    [' a\nb', '|2-\n   a\n  b'],
    ['a \nb', '"a \\nb"'],
    ['😀', '"\\U0001F600"'],
    ['---', "'---'"],
    ['?a', '?a'],
  ])('writes %j', (text, written) => {
    expect(writeDocument({ k: text })).toBe(`k: ${written}\n`)
  })

  it('folds long lines at a space past 80 columns', () => {
    const text = 'word '.repeat(30).trim()
    expect(
      writeDocument({ k: text })
        .split('\n')
        .map((line) => line.length),
    ).toEqual([82, 71, 0])
  })

  it.each([
    [1_000_000.5, '1.0000005e+06'],
    [1e-7, '1e-07'],
    [1e20, '1e+20'],
    [123456.5, '123456.5'],
    [18446744073709551615n, '18446744073709551615'],
  ])('writes the number %s', (number, written) => {
    expect(writeDocument([number])).toBe(`- ${written}\n`)
  })

  it('orders numbers in keys by their size', () => {
    expect(['z10', 'z2', 'z-1', 'Z', 'z02', '_', 'zz', ''].sort(compareKeys)).toEqual([
      '',
      '_',
      'Z',
      'z-1',
      'z2',
      'z02',
      'z10',
      'zz',
    ])
  })
})
