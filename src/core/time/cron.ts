/** When something is due: five fields, as crontab(5) writes them, in UTC. */
export interface CronSchedule {
  /** The first moment after `time` that the schedule names, in milliseconds since the epoch; undefined when no date ever fits. */
  next(time: number): number | undefined
}

interface Field {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const fields: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: months },
  // Sunday is 0 and 7.
  { name: 'day of the week', min: 0, max: 7, names: days },
]
const macros: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '@yearly': '0 0 1 1 *',
    '@annually': '0 0 1 1 *',
    '@monthly': '0 0 1 * *',
    '@weekly': '0 0 * * 0',
    '@daily': '0 0 * * *',
    '@midnight': '0 0 * * *',
    '@hourly': '0 * * * *',
  }),
)

/** Reads a schedule, or says what is wrong with it. */
export function parseCron(text: string): CronSchedule | { readonly problem: string } {
  const parts = (macros.get(text.trim()) ?? text).trim().split(/\s+/)
  if (parts.length !== 5) return { problem: `it has ${parts.length} fields instead of 5` }
  const sets: Set<number>[] = []
  for (const [at, part] of parts.entries()) {
    const set = parseField(part, fields[at]!)
    if (typeof set === 'string') return { problem: set }
    sets.push(set)
  }
  const [minutes, hours, monthDays, monthSet, weekDays] = sets
  const matchesDay = dayRule(monthDays!, weekDays!, parts[2]!.startsWith('*'), parts[4]!.startsWith('*'))
  return { next: (time) => nextTime(time, minutes!, hours!, monthSet!, matchesDay) }
}

/** Where both kinds of days are restricted, either is enough. */
function dayRule(monthDays: Set<number>, weekDays: Set<number>, anyMonthDay: boolean, anyWeekDay: boolean) {
  return (date: Date): boolean => {
    const inMonth = monthDays.has(date.getUTCDate())
    const inWeek = weekDays.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekDays.has(7))
    return anyMonthDay || anyWeekDay ? inMonth && inWeek : inMonth || inWeek
  }
}

function nextTime(
  time: number,
  minutes: Set<number>,
  hours: Set<number>,
  monthSet: Set<number>,
  matchesDay: (date: Date) => boolean,
): number | undefined {
  const date = new Date(Math.floor(time / 60_000) * 60_000 + 60_000)
  // The 29th of February may be eight years away.
  const last = date.getUTCFullYear() + 9
  while (date.getUTCFullYear() <= last) {
    if (!monthSet.has(date.getUTCMonth() + 1)) date.setTime(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1))
    else if (!matchesDay(date)) {
      date.setTime(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1))
    } else if (!hours.has(date.getUTCHours())) date.setTime((Math.floor(date.getTime() / 3_600_000) + 1) * 3_600_000)
    else if (!minutes.has(date.getUTCMinutes())) date.setTime(date.getTime() + 60_000)
    else return date.getTime()
  }
  return undefined
}

function parseField(part: string, field: Field): Set<number> | string {
  const allowed = new Set<number>()
  for (const item of part.split(',')) {
    const match = /^(?:(\*)|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(item)
    if (match === null) return `${item} is no ${field.name}`
    const [, star, from = '', to, step] = match
    const low = star === undefined ? valueOf(from, field) : field.min
    // `5/10` goes on to the end, `5` alone does not.
    const open = star !== undefined || (to === undefined && step !== undefined)
    const high = open ? field.max : to === undefined ? low : valueOf(to, field)
    if (!(low <= high) || step === '0') return `${item} is no ${field.name}`
    for (let value = low; value <= high; value += Number(step ?? 1)) allowed.add(value)
  }
  return allowed
}

/** The value of a number or name; NaN, which fits nowhere, if the field does not allow it. */
function valueOf(word: string, { min, max, names }: Field): number {
  const named = names?.indexOf(word.toLowerCase()) ?? -1
  const value = named >= 0 ? named + min : /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN
  return value >= min && value <= max ? value : Number.NaN
}
