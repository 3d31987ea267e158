import { isDeepStrictEqual } from 'node:util'
import { isLadingError, isRecord, parseJson, stringifyJson } from '../../../core/index.ts'
import { parseYamlValue, writeYaml } from '../../../core/yaml/index.ts'
import { parseConstraint, satisfies } from '../../helm/semver/constraint.ts'
import { parseVersion } from '../../helm/semver/version.ts'
import { mergeOver } from '../merge-over.ts'
import type { FilterTable } from './filter.ts'
import { list, map, number, plain, TemplateFailure, text } from './value.ts'

/** Filters that work on data, by the names that Sherpack gives them. */
export const dataFilters: FilterTable = {
  toyaml: (value) => writeYaml(plain(value)).trimEnd(),
  tojson: (value) => stringifyJson(plain(value)),
  tojson_pretty: (value) => stringifyJson(plain(value), 2),
  fromjson: (value) => parsed(text(value, 'fromjson'), 'fromjson', (json) => parseJson(json)),
  fromyaml: (value) => parsed(text(value, 'fromyaml'), 'fromyaml', (yaml) => parseYamlValue(yaml)),
  required: (value, message) => required(value, message),
  empty: (value) => isEmpty(value),
  haskey: (value, key) => value instanceof Map && value.get(text(key, 'haskey')) !== undefined,
  keys: (value) => [...map(value, 'keys').keys()],
  values: (value) => [...map(value, 'values').values()].map(plain),
  merge: (base, overlay) => merged(plain(base), plain(overlay)),
  pick: (value, ...keys) => chosen(map(value, 'pick'), (key) => keys.includes(key)),
  omit: (value, ...keys) => chosen(map(value, 'omit'), (key) => !keys.includes(key)),
  append: (value, item) => [...list(value, 'append'), item].map(plain),
  prepend: (value, item) => [item, ...list(value, 'prepend')].map(plain),
  concat: (value, other) => [...list(value, 'concat'), ...list(other, 'concat')].map(plain),
  without: (value, ...excluded) =>
    list(value, 'without')
      .filter((item) => !excluded.some((each) => isDeepStrictEqual(each, item)))
      .map(plain),
  compact: (value) =>
    list(value, 'compact')
      .filter((item) => !isEmpty(item))
      .map(plain),
  int: (value) => Math.trunc(numberOf(value, 'int')),
  float: (value) => numberOf(value, 'float'),
  abs: (value) => Math.abs(number(value, 'abs')),
  floor: (value) => Math.floor(number(value, 'floor')),
  ceil: (value) => Math.ceil(number(value, 'ceil')),
  semver_match: (version, range) => matchesVersion(text(version, 'semver_match'), text(range, 'semver_match')),
}

function parsed(value: string, what: string, read: (value: string) => unknown): unknown {
  try {
    return read(value)
  } catch (error) {
    if (error instanceof SyntaxError || isLadingError(error)) throw new TemplateFailure(`${what}: ${error.message}`)
    throw error
  }
}

function required(value: unknown, message: unknown): unknown {
  if (value !== undefined && value !== null && value !== '') return plain(value)
  const usual = value === '' ? 'required value is empty' : 'required value is missing'
  throw new TemplateFailure(message === undefined ? usual : text(message, 'required'))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return value instanceof Map && value.size === 0
}

function merged(base: unknown, overlay: unknown): unknown {
  return isRecord(base) && isRecord(overlay) ? mergeOver(base, overlay) : overlay
}

function chosen(value: ReadonlyMap<string, unknown>, wanted: (key: string) => boolean): unknown {
  return plain(new Map([...value].filter(([key]) => wanted(key))))
}

function numberOf(value: unknown, what: string): number {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string') return number(value, what)
  const found = value.trim() === '' ? Number.NaN : Number(value)
  if (Number.isNaN(found)) throw new TemplateFailure(`${what}: cannot read '${value}' as a number`)
  return found
}

// Rust's ranges: a comma joins, and a version alone means what a caret means.
function matchesVersion(version: string, range: string): boolean {
  const parsedVersion = parseVersion(version)
  if (typeof parsedVersion === 'string') throw new TemplateFailure(`semver_match: '${version}' is no version`)
  const parts = range.split(',').map((part) => part.trim().replace(/^v?(?=\d)/, '^'))
  const constraint = parseConstraint(parts.join(', '))
  if (typeof constraint === 'string') throw new TemplateFailure(`semver_match: '${range}' is no range`)
  return satisfies(parsedVersion, constraint)
}
