import { GoError, GoInt, type GoValue } from '../../../gotemplate/value.ts'
import { parseInteger } from '../math/cast-number.ts'
import { define, type FunctionFamily } from '../define-function.ts'
import type { FunctionEnvironment } from '../environment.ts'
import { formatDuration, parseDuration, roundTo } from './go-duration.ts'
import { asTime, GoTime, zeroTime } from './go-time.ts'
import { parseTime } from './parse-time.ts'
import { findZone, utc, type Zone } from './time-zone.ts'

const second = 1_000_000_000n

/** Sprig's dates: Go's layouts, and the environment's clock and zone. */
export function dateFunctions(environment: FunctionEnvironment): FunctionFamily {
  const local = findZone(environment.timezone) ?? utc
  const now = () => new GoTime(BigInt(environment.now().getTime()) * 1_000_000n, local)
  const moment = (value: GoValue, kinds: readonly string[]): GoTime => {
    if (value instanceof GoTime) return value
    return value instanceof GoInt && kinds.includes(value.kind) ? new GoTime(value.value * second, local) : now()
  }
  const inZone = (layout: string, value: GoValue, zone: string) =>
    moment(value, ['int64', 'int', 'int32']).in(zoneNamed(zone, local)).format(layout)
  const dateInZone = define(['string', 'any', 'string'], inZone)
  const dateModify = define(['string', 'time.Time'], (text, value) => {
    const duration = parseDuration(text)
    return typeof duration === 'string' ? asTime(value) : shift(value, duration)
  })
  const mustDateModify = define(['string', 'time.Time'], (text, value) => {
    const duration = parseDuration(text)
    if (typeof duration === 'string') throw new GoError(duration)
    return shift(value, duration)
  })
  return {
    now: define([], now),
    ago: define(['any'], (value) =>
      formatDuration(roundTo(now().nanoseconds - moment(value, ['int64', 'int']).nanoseconds, second)),
    ),
    date: define(['string', 'any'], (layout, value) => inZone(layout, value, 'Local')),
    htmlDate: define(['any'], (value) => inZone('2006-01-02', value, 'Local')),
    htmlDateInZone: define(['any', 'string'], (value, zone) => inZone('2006-01-02', value, zone)),
    dateInZone,
    date_in_zone: dateInZone,
    dateModify,
    date_modify: dateModify,
    mustDateModify,
    must_date_modify: mustDateModify,
    duration: define(['any'], duration),
    durationRound: define(['any'], (value) => roundDuration(value, now())),
    toDate: define(['string', 'string'], (layout, text) => {
      try {
        return parseTime(layout, text, local)
      } catch (error) {
        if (error instanceof GoError) return zeroTime
        throw error
      }
    }),
    mustToDate: define(['string', 'string'], (layout, text) => parseTime(layout, text, local)),
    unixEpoch: define(['time.Time'], (value) => asTime(value).unix.toString()),
  }
}

function zoneNamed(name: string, local: Zone): Zone {
  return name === 'Local' ? local : (findZone(name) ?? utc)
}

function shift(value: GoValue, duration: bigint): GoTime {
  const time = asTime(value)
  return new GoTime(time.nanoseconds + duration, time.zone)
}

function duration(value: GoValue): string {
  let seconds = 0n
  if (typeof value === 'string') seconds = parseInteger(value, 10)?.value ?? 0n
  else if (value instanceof GoInt && value.kind === 'int64') seconds = value.value
  return formatDuration(BigInt.asIntN(64, seconds * second))
}

const hour = 3600n * second
const steps = [
  [hour * 24n * 365n, 'y'],
  [hour * 24n * 30n, 'mo'],
  [hour * 24n, 'd'],
  [hour, 'h'],
  [60n * second, 'm'],
  [second, 's'],
] as const

function roundDuration(value: GoValue, now: GoTime): string {
  let nanoseconds = 0n
  if (typeof value === 'string') {
    const parsed = parseDuration(value)
    nanoseconds = typeof parsed === 'string' ? 0n : parsed
  } else if (value instanceof GoInt && value.kind === 'int64') nanoseconds = value.value
  else if (value instanceof GoTime) nanoseconds = now.nanoseconds - value.nanoseconds
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  const step = steps.find(([unit]) => size > unit)
  return step === undefined ? '0s' : `${size / step[0]}${step[1]}`
}
