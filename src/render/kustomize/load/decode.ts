import { isRecord, LadingError } from '../../../core/index.ts'

/** Where a value stands, and whether fields that nobody knows are refused there. */
export interface Place {
  readonly file: string
  readonly path: string
  readonly strict: boolean
}

/** Reads one value; what is missing or null gets the type's zero, as Go's reader gives it. */
export type Decoder<T> = (value: unknown, place: Place) => T

/** The type that a decoder gives. */
export type Decoded<D> = D extends Decoder<infer T> ? T : never

/** Reads a string. */
export const text: Decoder<string> = (value, place) => scalar(value, place, 'string', '')

/** Reads a boolean. */
export const flag: Decoder<boolean> = (value, place) => scalar(value, place, 'boolean', false)

/** Reads a whole number. */
export const whole: Decoder<number> = (value, place) => {
  const number = scalar(value, place, 'number', 0)
  if (!Number.isSafeInteger(number)) throw wrong(place, 'a whole number', value)
  return number
}

/** Reads whatever stands there. */
export const anything: Decoder<unknown> = (value) => value

/** Reads a map of strings. */
export const textMap: Decoder<Record<string, string>> = (value, place) => {
  const map = Object.create(null) as Record<string, string>
  for (const [key, item] of Object.entries(record(value, place))) map[key] = text(item, at(place, key))
  return map
}

/** Reads a list. */
export function listOf<T>(item: Decoder<T>): Decoder<T[]> {
  return (value, place) => {
    if (value === undefined || value === null) return []
    if (!Array.isArray(value)) throw wrong(place, 'a list', value)
    return value.map((each: unknown, index) => item(each, { ...place, path: `${place.path}[${index}]` }))
  }
}

/** Reads a map of known fields; their names may be written in any case, as Go's reader allows. */
export function shape<F extends Record<string, Decoder<unknown>>>(
  fields: F,
): Decoder<{ [K in keyof F]: Decoded<F[K]> }> {
  const names = new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name]))
  return (value, place) => {
    const given = new Map<string, unknown>()
    for (const [key, item] of Object.entries(record(value, place))) {
      const name = Object.hasOwn(fields, key) ? key : names.get(key.toLowerCase())
      if (name !== undefined) given.set(name, item)
      else if (place.strict) throw problem(place, `there is no field "${at(place, key).path}"`, key)
    }
    const entries = Object.entries(fields).map(([name, decode]) => [name, decode(given.get(name), at(place, name))])
    return Object.fromEntries(entries) as { [K in keyof F]: Decoded<F[K]> }
  }
}

/** Reads a value that may be missing. */
export function optional<T>(decode: Decoder<T>): Decoder<T | undefined> {
  return (value, place) => (value === undefined || value === null ? undefined : decode(value, place))
}

function record(value: unknown, place: Place): Record<string, unknown> {
  if (value === undefined || value === null) return {}
  if (!isRecord(value)) throw wrong(place, 'a map', value)
  return value
}

interface Scalars {
  string: string
  boolean: boolean
  number: number
}

function scalar<K extends keyof Scalars>(value: unknown, place: Place, type: K, zero: Scalars[K]): Scalars[K] {
  if (value === undefined || value === null) return zero
  if (typeof value !== type) throw wrong(place, `a ${type}`, value)
  return value as Scalars[K]
}

function wrong(place: Place, what: string, value: unknown): LadingError {
  const type = Array.isArray(value) ? 'list' : isRecord(value) ? 'map' : typeof value
  return problem(place, `${place.path === '' ? 'the content' : place.path} must be ${what}, not a ${type}`)
}

function problem(place: Place, message: string, key?: string): LadingError {
  const field = key === undefined ? place.path : at(place, key).path
  return new LadingError('kustomize.invalid', `${place.file}: ${message}`, { file: place.file, field })
}

function at(place: Place, name: string): Place {
  return { ...place, path: place.path === '' ? name : `${place.path}.${name}` }
}
