import { LadingError, parseCron, stringifyJson } from '../../core/index.ts'

/** When something is due, again and again. */
export interface Schedule {
  /** The first moment after `time` that the schedule names, in milliseconds since the epoch. */
  next(time: number): number
}

/** Reads a schedule as crontab(5) writes it; one that can never be due is refused too. */
export function readSchedule(schedule: string): Schedule {
  const cron = parseCron(schedule)
  if ('problem' in cron) throw invalid(schedule, cron.problem)
  const next = (time: number): number => {
    const due = cron.next(time)
    if (due === undefined) throw invalid(schedule, 'no date ever matches it')
    return due
  }
  next(0)
  return { next }
}

function invalid(schedule: string, problem: string): LadingError {
  return new LadingError('config.invalid', `the schedule ${stringifyJson(schedule)} is not right: ${problem}`, {
    schedule,
  })
}
