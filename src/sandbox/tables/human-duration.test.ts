import { expect, test } from 'vitest'
import { ageSince, humanDuration } from './human-duration.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test.each([
  [-2 * second, '<invalid>'],
  [-second, '0s'],
  [0, '0s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [2 * minute + second, '2m1s'],
  [10 * minute, '10m'],
  [3 * hour - second, '179m'],
  [3 * hour, '3h'],
  [3 * hour + 5 * minute, '3h5m'],
  [8 * hour + 5 * minute, '8h'],
  [47 * hour, '47h'],
  [48 * hour, '2d'],
  [49 * hour, '2d1h'],
  [8 * day + 5 * hour, '8d'],
  [729 * day, '729d'],
  [731 * day, '2y1d'],
  [9 * 365 * day, '9y'],
])('%d ms is %s', (ms, text) => {
  expect(humanDuration(ms)).toBe(text)
})

test('an age without a time is unknown', () => {
  expect(ageSince(undefined, 0)).toBe('<unknown>')
  expect(ageSince('1970-01-01T00:00:00Z', 5000)).toBe('5s')
})
