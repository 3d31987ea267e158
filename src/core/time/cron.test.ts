import { expect, test } from 'vitest'
import { type CronSchedule, parseCron } from './cron.ts'

const start = Date.UTC(2026, 0, 30, 10, 7, 30)

test.each([
  ['*/15 * * * *', '2026-01-30T10:15:00.000Z'],
  ['0 3 * * *', '2026-01-31T03:00:00.000Z'],
  ['30 2 1 * *', '2026-02-01T02:30:00.000Z'],
  ['0 0 29 feb *', '2028-02-29T00:00:00.000Z'],
  ['0 9 * * mon-fri', '2026-02-02T09:00:00.000Z'],
  ['0 0 13 * 5', '2026-02-06T00:00:00.000Z'],
  ['5/20 10 * * *', '2026-01-30T10:25:00.000Z'],
  ['0 12 * * 7', '2026-02-01T12:00:00.000Z'],
  ['@hourly', '2026-01-30T11:00:00.000Z'],
])('the schedule %s is next due at %s', (schedule, expected) => {
  const cron = parseCron(schedule) as CronSchedule
  expect(new Date(cron.next(start) ?? 0).toISOString()).toBe(expected)
})

test.each([
  '',
  '* * * *',
  '61 * * * *',
  '* * * * mon-',
  '*/0 * * * *',
  '5-1 * * * *',
  '1-x * * * *',
  '@reboot',
  'constructor',
])('the schedule %j is none', (schedule) => {
  expect(parseCron(schedule)).toEqual({ problem: expect.any(String) })
})

test('a schedule that no date ever fits has no next time', () => {
  expect((parseCron('0 0 31 2 *') as CronSchedule).next(start)).toBeUndefined()
})
