import { stringifyJson } from '../../../../core/index.ts'
import { GoFunction, GoInt, GoObject, type GoValue } from '../../../gotemplate/value.ts'

const second = 1_000_000_000n
const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
}

/** Go's `time.Duration`, in nanoseconds. */
export class GoDuration extends GoObject {
  override readonly typeName: string = 'time.Duration'
  readonly nanoseconds: bigint

  constructor(nanoseconds: bigint) {
    super()
    this.nanoseconds = BigInt.asIntN(64, nanoseconds)
  }

  override underlying(): GoValue {
    return new GoInt(this.nanoseconds, 'int64')
  }

  override text(): string {
    return formatDuration(this.nanoseconds)
  }

  override member(name: string): GoValue {
    switch (name) {
      case 'String':
        return this.text()
      case 'Hours':
        return Number(this.nanoseconds) / 3.6e12
      case 'Minutes':
        return Number(this.nanoseconds) / 6e10
      case 'Seconds':
        return Number(this.nanoseconds) / 1e9
      case 'Milliseconds':
        return new GoInt(this.nanoseconds / 1_000_000n, 'int64')
      case 'Microseconds':
        return new GoInt(this.nanoseconds / 1000n, 'int64')
      case 'Nanoseconds':
        return new GoInt(this.nanoseconds, 'int64')
      case 'Abs':
        return new GoDuration(this.nanoseconds < 0n ? -this.nanoseconds : this.nanoseconds)
      case 'Round':
      case 'Truncate':
        return new GoFunction(name, ['any'], ([unit]) => {
          const step = unit instanceof GoDuration ? unit.nanoseconds : unit instanceof GoInt ? unit.value : 0n
          return new GoDuration(name === 'Round' ? roundTo(this.nanoseconds, step) : truncateTo(this.nanoseconds, step))
        })
      default:
        return undefined
    }
  }
}

/** Go's `Duration.String`: 1h2m3.5s. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s'
  const sign = nanoseconds < 0n ? '-' : ''
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  if (size < second) {
    const [unit, name] = smallUnit(size)
    return `${sign}${fraction(size, unit)}${name}`
  }
  const minutes = size / units['m']!
  const rest = `${fraction(size % units['m']!, second)}s`
  if (minutes === 0n) return `${sign}${rest}`
  return minutes < 60n ? `${sign}${minutes}m${rest}` : `${sign}${minutes / 60n}h${minutes % 60n}m${rest}`
}

/** Go's `time.ParseDuration`; a sentence where it is none. */
export function parseDuration(text: string): bigint | string {
  const quoted = stringifyJson(text)
  const invalid = `time: invalid duration ${quoted}`
  const [, sign = '', body = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
  if (body === '0') return 0n
  if (body === '') return invalid
  let total = 0n
  let rest = body
  while (rest !== '') {
    const number = /^(\d*)(?:\.(\d*))?/.exec(rest)!
    if (`${number[1]}${number[2] ?? ''}` === '') return invalid
    rest = rest.slice(number[0].length)
    const name = /^[^.\d]*/.exec(rest)![0]
    if (name === '') return `time: missing unit in duration ${quoted}`
    const unit = units[name]
    if (unit === undefined) return `time: unknown unit ${stringifyJson(name)} in duration ${quoted}`
    rest = rest.slice(name.length)
    total +=
      BigInt(number[1] || '0') * unit + (BigInt(number[2] || '0') * unit) / 10n ** BigInt((number[2] ?? '').length)
    if (total > 2n ** 63n) return invalid
  }
  if (sign !== '-' && total > 2n ** 63n - 1n) return invalid
  return sign === '-' ? -total : total
}

/** To the nearest multiple, halves away from zero; any duration stays where there is no step. */
export function roundTo(duration: bigint, step: bigint): bigint {
  if (step <= 0n) return duration
  const rest = duration % step
  const size = rest < 0n ? -rest : rest
  const down = duration - rest
  return size * 2n < step ? down : duration < 0n ? down - step : down + step
}

/** To the multiple towards zero. */
export function truncateTo(duration: bigint, step: bigint): bigint {
  return step <= 0n ? duration : duration - (duration % step)
}

function smallUnit(size: bigint): [bigint, string] {
  if (size < 1000n) return [1n, 'ns']
  return size < 1_000_000n ? [1000n, 'µs'] : [1_000_000n, 'ms']
}

function fraction(size: bigint, unit: bigint): string {
  const digits = (size % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '')
  return digits === '' || unit === 1n ? `${size / unit}` : `${size / unit}.${digits}`
}
