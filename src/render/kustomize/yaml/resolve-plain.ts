import { Spelled, type Value } from './value.ts'

/** Stands for infinities and NaN, which JSON does not have. */
export const notFinite = Symbol('not finite')

const words = new Map<string, null | boolean | typeof notFinite>([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN', '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF', '-.inf', '-.Inf', '-.INF'].map(
    (word) => [word, notFinite] as const,
  ),
])
const mayResolve = /^[-+.0-9~tTfFnN]|^$/
const shortDecimal = /^(?:0|-?[1-9][0-9]{0,14})$/
const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))$/
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const day = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const moment = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt]| )(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d+))?(Z|[-+]\d\d:\d\d)?$/
const minInt64 = -(2n ** 63n)
const maxUint64 = 2n ** 64n - 1n

/**
 * Reads a plain scalar as kustomize does (go-yaml v3): `yes` and `on` are strings, `0777` and `0o17` octal, an integer past 64
 * bits a float, and a date is a time, which JSON spells as RFC 3339.
 */
export function resolvePlain(text: string): Value | typeof notFinite {
  if (!mayResolve.test(text)) return text
  if (shortDecimal.test(text)) return Number(text)
  const word = words.get(text)
  if (word !== undefined) return word === notFinite || String(word) === text ? word : new Spelled(word, text)
  const first = text.charCodeAt(0)
  if (first > 0x39) return text
  const time = resolveTime(text)
  if (time !== undefined) return new Spelled(time, text)
  const number = resolveNumber(text.replaceAll('_', ''))
  if (number === undefined) return text
  return String(number) === text ? number : new Spelled(number, text)
}

function resolveNumber(plain: string): number | bigint | undefined {
  const match = integer.exec(plain)
  if (match !== null) {
    const [, sign, hex, octal, binary, decimal] = match
    const size = BigInt(hex ? `0x${hex}` : octal ? `0o${octal}` : binary ? `0b${binary}` : decimal!)
    const value = sign === '-' ? -size : size
    if (value >= minInt64 && value <= maxUint64) {
      return Number.isSafeInteger(Number(value)) ? Number(value) : value
    }
  }
  if (!float.test(plain)) return undefined
  const value = Number(plain)
  return Number.isFinite(value) ? value + 0 : undefined
}

function resolveTime(text: string): string | undefined {
  const match = moment.exec(text) ?? day.exec(text)
  if (match === null) return undefined
  // With a space before the time go-yaml reads no zone, with a T it wants one.
  const isDay = match[4] === undefined
  if (!isDay && (text[10] === ' ' || text.includes(' ')) === (match[8] !== undefined)) return undefined
  const part = (index: number) => Number(match[index] ?? 0)
  const [year, month, date] = [part(1), part(2), part(3)]
  const [hour, minute, second] = [part(4), part(5), part(6)]
  if (month < 1 || month > 12 || date < 1 || date > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const fraction = (match[7] ?? '').slice(0, 9).replace(/0+$/, '')
  const zone = match[8] === undefined || match[8] === '+00:00' ? 'Z' : match[8]
  const pad = (value: number, length = 2) => String(value).padStart(length, '0')
  const clock = `${pad(hour)}:${pad(minute)}:${pad(second)}${fraction === '' ? '' : `.${fraction}`}`
  return `${pad(year, 4)}-${pad(month)}-${pad(date)}T${clock}${zone}`
}
