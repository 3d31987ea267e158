import fc from '../../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { compilePattern } from './pattern.ts'

const test = (pattern: string, text: string) => compilePattern(pattern, 'f').test(text)

describe('a pattern', () => {
  it.each([
    ['^(?:web)$', 'web', true],
    ['^(?:web|api-.*)$', 'api-1', true],
    ['^(?:web)$', 'web2', false],
    ['^[a-c]+\\d{2,3}$', 'abc12', true],
    ['^[a-c]+\\d{2,3}$', 'abc1', false],
    ['^[^x]$', 'y', true],
    ['^[]a]$', ']', true],
    ['^(?i)WEB$', 'web', true],
    ['^(?P<n>a)(?:b)?c??$', 'ab', true],
    ['a.c', 'xabcx', true],
    ['^[[:alpha:]_-]+$', 'a_-', true],
    ['^\\.$', 'x', false],
    ['\\bweb\\b', 'a web b', true],
    ['^a{0}b$', 'b', true],
    ['^$', '', true],
    ['^x{2$', 'x{2', true],
  ])('%s on %j gives %s', (pattern, text, expected) => {
    expect(test(pattern, text)).toBe(expected)
  })

  it.each([
    '(',
    ')',
    '[a',
    '*a',
    'a**',
    'a\\',
    '(?=a)',
    '(a)\\1',
    'a{2,1}',
    'a{5000}',
    '(?:(?:a{1000}){1000})',
    '[z-a]',
    `${'('.repeat(1100)}${')'.repeat(1100)}`,
  ])('%s is refused', (pattern) => {
    expect(() => compilePattern(pattern, 'patches.target.name')).toThrow(/patches\.target\.name/)
  })

  it('takes no longer for patterns that make others go back over and over', () => {
    expect(test('^(a+)+$', `${'a'.repeat(5000)}b`)).toBe(false)
    expect(test('^(a|a)*(a|aa)+c$', 'a'.repeat(2000))).toBe(false)
  })

  it('agrees with JavaScript on what both know', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      'a*',
      'b+',
      'a?',
      '(?:ab)',
      '(?:a|b)',
      '(?:a|b*)+',
      'b{1,2}',
      '^',
      '$',
    )
    const pattern = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(pattern, fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 }), (source, text) => {
        expect(test(source, text)).toBe(new RegExp(source, 'u').test(text))
      }),
    )
  })
})
