import { expect, it } from 'vitest'
import { parseLabelSelector } from './label-selector.ts'

const labels = { app: 'web', tier: 'front', 'example.com/n': '5' }

it.each([
  ['', true],
  ['app=web', true],
  ['app == web , tier=front', true],
  ['app!=web', false],
  ['gone!=x', true],
  ['app in (web, api)', true],
  ['app notin (web,api)', false],
  ['app', true],
  ['!app', false],
  ['!constructor', true],
  ['constructor', false],
  ['!gone,app', true],
  ['example.com/n>4', true],
  ['example.com/n<4', false],
])('%j is fulfilled: %s', (selector, expected) => {
  const match = parseLabelSelector(selector)
  expect(typeof match === 'function' && match(labels)).toBe(expected)
})

it('says what is wrong in the words of the API server', () => {
  const problem = "unable to parse requirement: found 'd', expected: =, !=, in, notin, ==, >, <"
  expect(parseLabelSelector('a=b,c d')).toEqual({ problem })
})
