import { parse, TomlDate, TomlError } from 'smol-toml'
import { GoError, GoInt, type GoValue } from '../../../gotemplate/value.ts'
import { define, type FunctionFamily } from '../define-function.ts'
import type { FunctionEnvironment } from '../environment.ts'
import { GoTime } from '../date/go-time.ts'
import { errorMap, quietly } from './json-functions.ts'
import { newMap } from '../dicts/make-value.ts'
import { writeToml } from './write-toml.ts'

/** TOML as Helm has it; `toToml` gives the error's text where a value has no TOML. */
export function tomlFunctions(environment: FunctionEnvironment): FunctionFamily {
  const { depth } = environment.limits
  return {
    toToml: define(['any'], (value) =>
      // Of nil Go's writer does not fail but panics, and that ends the template.
      value === null || value === undefined
        ? writeToml(value, depth)
        : quietly(
            () => writeToml(value, depth),
            (error) => error.message,
          ),
    ),
    mustToToml: define(['any'], (value) => writeToml(value, depth)),
    fromToml: define(['string'], (text) => quietly(() => readToml(text, depth), errorMap)),
  }
}

function readToml(text: string, depth: number): GoValue {
  try {
    return fromToml(parse(text, { integersAsBigInt: true, maxDepth: depth }))
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason = ''] = error.message.split('\n')
    throw new GoError(`toml: line ${error.line}: ${reason.replace(/^Invalid TOML document: /, '')}`)
  }
}

function fromToml(value: unknown): GoValue {
  if (typeof value === 'bigint') return new GoInt(value, 'int64')
  if (value instanceof TomlDate) return readDate(value)
  if (Array.isArray(value)) return value.map(fromToml)
  if (typeof value !== 'object' || value === null) return value as GoValue
  const map = newMap()
  for (const [key, item] of Object.entries(value)) map[key] = fromToml(item)
  return map
}

function readDate(date: TomlDate): GoTime {
  const offset = /([+-])(\d\d):(\d\d)$/.exec(date.toISOString())
  const seconds = offset === null ? 0 : (Number(offset[2]) * 60 + Number(offset[3])) * (offset[1] === '-' ? -60 : 60)
  return new GoTime(BigInt(date.getTime()) * 1_000_000n, { name: seconds === 0 ? 'UTC' : '', offset: () => seconds })
}
