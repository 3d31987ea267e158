/** When a CronJob runs: the minutes that its five fields allow. */
export interface Schedule {
  /** The first such minute after a time, in milliseconds; undefined when there is none within four years. */
  next(after: number): number | undefined
}

const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const

const names = ['jan feb mar apr may jun jul aug sep oct nov dec', 'sun mon tue wed thu fri sat'].map((list) =>
  list.split(' '),
)

/** Reads a schedule such as `*\/5 * * * 1-5`, at an offset from UTC; undefined when it is none. */
export function parseSchedule(text: string, offsetMs = 0): Schedule | undefined {
  const every = /^@every (\d+)(s|m|h)$/.exec(text.trim())
  if (every !== null) {
    const unit = { s: 1000, m: 60_000, h: 3_600_000 }[every[2] ?? 's'] ?? 1000
    return { next: (after) => after + Number(every[1]) * unit }
  }
  const fields = (shorthands[text.trim()] ?? text).trim().split(/\s+/)
  if (fields.length !== 5) return undefined
  const sets = fields.map((field, at) => parseField(field, at))
  if (sets.some((set) => set === undefined)) return undefined
  const [minutes, hours, days, months, weekdays] = sets as Set<number>[]
  const anyDay = fields[2]?.startsWith('*') === true
  const anyWeekday = fields[4]?.startsWith('*') === true
  const dayFits = (time: Date): boolean => {
    const byDay = days?.has(time.getUTCDate()) === true
    const byWeekday = weekdays?.has(time.getUTCDay()) === true
    // Two restrictions of the day are alternatives; one with a star does not restrict.
    return anyDay || anyWeekday ? byDay && byWeekday : byDay || byWeekday
  }
  return {
    next: (after) => {
      const local = after + offsetMs
      const time = new Date(local - (local % 60_000) + 60_000)
      const end = local + 4 * 366 * 86_400_000
      while (time.getTime() < end) {
        if (months?.has(time.getUTCMonth() + 1) !== true || !dayFits(time)) time.setUTCHours(24, 0, 0, 0)
        else if (hours?.has(time.getUTCHours()) !== true) time.setUTCMinutes(60, 0, 0)
        else if (minutes?.has(time.getUTCMinutes()) !== true) time.setUTCMinutes(time.getUTCMinutes() + 1)
        else return time.getTime() - offsetMs
      }
      return undefined
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

function parseField(field: string, at: number): Set<number> | undefined {
  const [low, high] = ranges[at] ?? [0, 0]
  const values = new Set<number>()
  for (const item of field.toLowerCase().split(',')) {
    const match = /^(\*|\?|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(item)
    if (match === null) return undefined
    const [, from = '', to, step] = match
    const star = from === '*' || from === '?'
    const start = star ? low : valueOf(from, at)
    const end = star ? high : to !== undefined ? valueOf(to, at) : step !== undefined ? high : start
    if (!(start >= low && end <= high && start <= end)) return undefined
    for (let value = start; value <= end; value += Number(step ?? 1) || 1) {
      values.add(at === 4 && value === 7 ? 0 : value)
    }
  }
  return values
}

function valueOf(text: string, at: number): number {
  const known = at === 3 ? names[0]?.indexOf(text) : at === 4 ? names[1]?.indexOf(text) : -1
  if (known === undefined || known < 0) return Number(text)
  return at === 3 ? known + 1 : known
}
