import { GoError, GoFunction, GoInt, GoObject, type GoValue } from '../../../gotemplate/value.ts'
import { civilDate, daysFromCivil, monthNames, weekdayNames } from './calendar.ts'
import { GoDuration } from './go-duration.ts'
import { formatTime } from './format-time.ts'
import { utc, type Zone } from './time-zone.ts'

const perSecond = 1_000_000_000n

/** Go's `time.Time`: nanoseconds since 1970 and the zone it is shown in. */
export class GoTime extends GoObject {
  override readonly typeName: string = 'time.Time'
  readonly nanoseconds: bigint
  readonly zone: Zone

  constructor(nanoseconds: bigint, zone: Zone) {
    super()
    this.nanoseconds = nanoseconds
    this.zone = zone
  }

  /** Seconds since 1970, rounded down. */
  get unix(): bigint {
    return floorDivide(this.nanoseconds, perSecond)
  }

  in(zone: Zone): GoTime {
    return new GoTime(this.nanoseconds, zone)
  }

  format(layout: string): string {
    return formatTime(this, layout)
  }

  /** The parts of the date and the time of day where it is shown. */
  get parts(): TimeParts {
    const offset = this.zone.offset(this.unix)
    const local = this.unix + BigInt(offset)
    const days = floorDivide(local, 86_400n)
    const inDay = Number(local - days * 86_400n)
    return {
      ...civilDate(Number(days)),
      hour: Math.floor(inDay / 3600),
      minute: Math.floor(inDay / 60) % 60,
      second: inDay % 60,
      nanosecond: Number(this.nanoseconds - this.unix * perSecond),
      offset,
    }
  }

  json(): GoValue {
    return this.format('2006-01-02T15:04:05.999999999Z07:00')
  }

  override text(): string {
    return this.format('2006-01-02 15:04:05.999999999 -0700 MST')
  }

  /** What `eq` compares: the instant, and the zone it is shown in. */
  override fields(): readonly (readonly [string, GoValue])[] {
    return [
      ['ext', new GoInt(this.nanoseconds, 'int64')],
      ['loc', new GoInt(this.zone.offset(this.unix), 'int64')],
    ]
  }

  override member(name: string): GoValue {
    const own = methods[name]
    return own === undefined ? undefined : own(this)
  }
}

/** A date and a time of day. */
export interface TimeParts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly yearDay: number
  readonly weekday: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly nanosecond: number
  /** Seconds east of UTC. */
  readonly offset: number
}

/** The time that Go's zero value is: the first instant of the year 1. */
export const zeroTime = new GoTime(BigInt(daysFromCivil(1, 1, 1)) * 86_400n * perSecond, utc)

class Named extends GoObject {
  override readonly typeName: string
  readonly #number: number
  readonly #name: string

  constructor(typeName: string, number: number, name: string) {
    super()
    this.typeName = typeName
    this.#number = number
    this.#name = name
  }

  override underlying(): GoValue {
    return new GoInt(this.#number)
  }

  override text(): string {
    return this.#name
  }

  override member(name: string): GoValue {
    return name === 'String' ? this.#name : undefined
  }
}

const int = (pick: (parts: TimeParts) => number) => (time: GoTime) => new GoInt(pick(time.parts))
const compare = (name: string, holds: (a: bigint, b: bigint) => boolean) => (time: GoTime) =>
  new GoFunction(name, ['time.Time'], ([other]) => holds(time.nanoseconds, asTime(other).nanoseconds))

const methods: Readonly<Record<string, (time: GoTime) => GoValue>> = {
  Year: int((parts) => parts.year),
  Day: int((parts) => parts.day),
  Hour: int((parts) => parts.hour),
  Minute: int((parts) => parts.minute),
  Second: int((parts) => parts.second),
  Nanosecond: int((parts) => parts.nanosecond),
  YearDay: int((parts) => parts.yearDay),
  Month: (time) => new Named('time.Month', time.parts.month, monthNames[time.parts.month - 1]!),
  Weekday: (time) => new Named('time.Weekday', time.parts.weekday, weekdayNames[time.parts.weekday]!),
  Unix: (time) => new GoInt(time.unix, 'int64'),
  UnixMilli: (time) => new GoInt(floorDivide(time.nanoseconds, 1_000_000n), 'int64'),
  UnixMicro: (time) => new GoInt(floorDivide(time.nanoseconds, 1000n), 'int64'),
  UnixNano: (time) => new GoInt(BigInt.asIntN(64, time.nanoseconds), 'int64'),
  String: (time) => time.text(),
  UTC: (time) => time.in(utc),
  IsZero: (time) => time.nanoseconds === zeroTime.nanoseconds,
  Format: (time) => new GoFunction('Format', ['string'], ([layout]) => time.format(layout as string)),
  Add: (time) =>
    new GoFunction('Add', ['any'], ([by]) => {
      const nanoseconds = by instanceof GoDuration ? by.nanoseconds : by instanceof GoInt ? by.value : undefined
      if (nanoseconds === undefined) throw new GoError('wrong type for value; expected time.Duration')
      return new GoTime(time.nanoseconds + nanoseconds, time.zone)
    }),
  AddDate: (time) =>
    new GoFunction('AddDate', ['int', 'int', 'int'], (args) => {
      const [years = 0, months = 0, days = 0] = args.map((value) => Number((value as GoInt).value))
      return addDate(time, years, months, days)
    }),
  Sub: (time) =>
    new GoFunction('Sub', ['time.Time'], ([other]) => new GoDuration(time.nanoseconds - asTime(other).nanoseconds)),
  Before: compare('Before', (a, b) => a < b),
  After: compare('After', (a, b) => a > b),
  Equal: compare('Equal', (a, b) => a === b),
}

function addDate(time: GoTime, years: number, months: number, days: number): GoTime {
  const { year, month, day, hour, minute, second, nanosecond } = time.parts
  const date = daysFromCivil(year + years, month + months, 1) + day - 1 + days
  const local = BigInt(date) * 86_400n + BigInt(hour * 3600 + minute * 60 + second)
  return fromLocal(local, nanosecond, time.zone)
}

/** The time at which a zone's clocks show these seconds since 1970. */
export function fromLocal(localSeconds: bigint, nanosecond: number, zone: Zone): GoTime {
  const guess = localSeconds - BigInt(zone.offset(localSeconds))
  const offset = zone.offset(guess)
  return new GoTime((localSeconds - BigInt(offset)) * perSecond + BigInt(nanosecond), zone)
}

/** Refuses what is no time, in Go's words. */
export function asTime(value: GoValue): GoTime {
  if (value instanceof GoTime) return value
  throw new GoError('wrong type for value; expected time.Time')
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value % by < 0n ? quotient - 1n : quotient
}
