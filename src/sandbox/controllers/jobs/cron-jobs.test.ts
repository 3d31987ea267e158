import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControlPlane, controlPlane } from '../../testing/control-plane.ts'
import { parseSchedule } from './cron-schedule.ts'

const at = (text: string): number => Date.parse(`${text}Z`)

describe('a schedule', () => {
  it.each([
    ['*/15 * * * *', '2026-01-01T00:01:30', '2026-01-01T00:15:00'],
    ['0 3 * * *', '2026-01-01T03:00:00', '2026-01-02T03:00:00'],
    ['30 4 1 * *', '2026-01-02T00:00:00', '2026-02-01T04:30:00'],
    ['0 0 * * mon', '2026-01-01T00:00:00', '2026-01-05T00:00:00'],
    ['0 0 13 * 5', '2026-01-01T00:00:00', '2026-01-02T00:00:00'],
    ['0 0 29 2 *', '2026-03-01T00:00:00', '2028-02-29T00:00:00'],
    ['@hourly', '2026-01-01T00:59:59', '2026-01-01T01:00:00'],
  ])('%s after %s is %s', (schedule, after, next) => {
    expect(parseSchedule(schedule)?.next(at(after))).toBe(at(next))
  })

  it.each(['', 'x * * * *', '60 * * * *', '* * * *'])('%j is none', (schedule) => {
    expect(parseSchedule(schedule)).toBeUndefined()
  })
})

describe('a CronJob', () => {
  let plane: ControlPlane
  beforeEach(() => {
    plane = controlPlane()
  })
  afterEach(() => plane.stop())

  const create = (spec: Record<string, unknown>, annotations: Record<string, string> = {}) =>
    plane.create({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'tick' },
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: {
          spec: {
            template: {
              metadata: { annotations },
              spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] },
            },
          },
        },
        ...spec,
      },
    })

  it('makes a Job whenever its time has come, and keeps the last three', async () => {
    create({})
    await plane.advance(4 * 60_000)
    expect(plane.list('batch/jobs')).toEqual([])
    await plane.advance(21 * 60_000)
    const minutes = plane.list('batch/jobs').map((job) => Number(job.metadata.name.split('-')[1]))
    const start = at('2026-01-01T00:00:00') / 60_000
    expect(minutes).toEqual([start + 15, start + 20, start + 25])
    expect(plane.get('batch/cronjobs', 'tick')?.status).toEqual({
      lastScheduleTime: '2026-01-01T00:25:00Z',
      lastSuccessfulTime: '2026-01-01T00:25:00Z',
    })
  })

  it('with Forbid, makes no Job while one runs', async () => {
    create({ concurrencyPolicy: 'Forbid' }, { 'lading.dev/simulate': 'hang' })
    await plane.advance(16 * 60_000)
    expect(plane.list('batch/jobs')).toHaveLength(1)
    expect(plane.get('batch/cronjobs', 'tick')?.status['active']).toHaveLength(1)
  })

  it('makes none while it is suspended', async () => {
    create({ suspend: true })
    await plane.advance(16 * 60_000)
    expect(plane.list('batch/jobs')).toEqual([])
  })
})
