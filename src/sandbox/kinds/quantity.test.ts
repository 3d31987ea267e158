import { expect, test } from 'vitest'
import { canonicalQuantity, quantityAmount } from './quantity.ts'

// Answers of an API server to resource quotas of these amounts.
test.each([
  ['0', '0'],
  ['0Ki', '0'],
  ['1000m', '1'],
  ['1500m', '1500m'],
  ['0.5', '500m'],
  ['.5', '500m'],
  ['1.000', '1'],
  ['1024', '1024'],
  ['1024Ki', '1Mi'],
  ['1023Ki', '1023Ki'],
  ['0.5Ki', '512'],
  ['1.5Gi', '1536Mi'],
  ['1.1Ki', '1126400m'],
  ['-1.5Gi', '-1536Mi'],
  ['1e3', '1e3'],
  ['12e6', '12e6'],
  ['1000k', '1M'],
  ['2500M', '2500M'],
  ['1n', '1m'],
  ['1500u', '2m'],
  ['1 ', '1'],
  [1, '1'],
  [1.5, '1500m'],
])('the quantity %s is stored as %s', (given, stored) => {
  expect(canonicalQuantity(given, true)).toBe(stored)
})

test.each(['', 'abc', '1i', '1e', '1KiB', '1,5'])('%j is no quantity', (text) => {
  expect(canonicalQuantity(text)).toBeUndefined()
})

test('outside of lists of resources a quantity keeps what is smaller than a thousandth', () => {
  expect(canonicalQuantity('1500u')).toBe('1500u')
})

test('amounts are compared whatever their unit', () => {
  expect(quantityAmount('1Ki')).toBe(quantityAmount('1024'))
  expect(quantityAmount('1001m')! > quantityAmount(1)!).toBe(true)
})
