import { type CronSchedule, parseCron } from '../../../core/index.ts'

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 }

/** Reads the schedule of a CronJob, at an offset from UTC, with what robfig/cron adds to crontab; undefined if it is not a valid schedule. */
export function parseSchedule(text: string, offsetMs = 0): CronSchedule | undefined {
  const every = /^@every (\d+)([smh])$/.exec(text.trim())
  if (every !== null) {
    const period = Number(every[1]) * unitMs[every[2] as keyof typeof unitMs]
    return { next: (after) => after + period }
  }
  const cron = parseCron(text.replaceAll('?', '*'))
  if ('problem' in cron) return undefined
  return {
    next: (after) => {
      const due = cron.next(after + offsetMs)
      return due === undefined ? undefined : due - offsetMs
    },
  }
}

/** How far a time zone is ahead of UTC at a time; zero for a zone that is not known. */
export function zoneOffset(zone: string, at: number): number {
  try {
    const shown = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).format(at)
    const match = /GMT([+-])(\d{2}):(\d{2})/.exec(shown)
    if (match === null) return 0
    return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000
  } catch {
    return 0
  }
}
