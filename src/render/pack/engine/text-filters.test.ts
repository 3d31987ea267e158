import { expect, it } from 'vitest'
import { textFilters } from './text-filters.ts'

it('b64decode takes texts of 16 MB, and refuses what is no base64', () => {
  const encoded = 'YWFh'.repeat(4_000_000)
  expect(textFilters['b64decode']!(encoded)).toHaveLength(12_000_000)
  expect(textFilters['b64decode']!('YQ==')).toBe('a')
  for (const text of ['YQ=', 'Y===', 'YQ==YQ==', '%%%%', 'abc'])
    expect(() => textFilters['b64decode']!(text)).toThrow('b64decode')
})
