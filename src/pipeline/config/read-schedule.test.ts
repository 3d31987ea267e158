import { expect, test } from 'vitest'
import { readSchedule } from './read-schedule.ts'

test('a schedule says when it is next due', () => {
  const time = Date.UTC(2026, 0, 30, 10, 7, 30)
  expect(new Date(readSchedule('*/15 * * * *').next(time)).toISOString()).toBe('2026-01-30T10:15:00.000Z')
})

test.each([
  ['* * * *', 'it has 4 fields instead of 5'],
  ['61 * * * *', '61 is no minute'],
  ['0 0 31 2 *', 'no date ever matches it'],
])('the schedule %j is refused: %s', (schedule, problem) => {
  expect(() => readSchedule(schedule)).toThrow(
    expect.objectContaining({
      code: 'config.invalid',
      message: `the schedule ${JSON.stringify(schedule)} is not right: ${problem}`,
    }),
  )
})
