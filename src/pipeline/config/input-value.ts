import { isLadingError, isRecord, LadingError } from '../../core/index.ts'
import { parseYamlValue } from '../../core/yaml/index.ts'
import type { ComponentInput } from './component.ts'

/** The types that an input can have. */
export const inputTypes = ['string', 'number', 'bool', 'map', 'list'] as const

/** What an input is. */
export type InputType = (typeof inputTypes)[number]

/** The value of an input, as JSON has it; an integer that a double cannot hold is a bigint. */
export type InputValue = string | number | bigint | boolean | readonly unknown[] | Readonly<Record<string, unknown>>

/** The type of an input: the one that it names, else that of its default, else a string. */
export function inputType({ type, default: fallback }: ComponentInput): InputType {
  return type ?? (fallback === undefined ? 'string' : typeOfValue(fallback))
}

/** The type of a value. */
export function typeOfValue(value: InputValue): InputType {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'number' || typeof value === 'bigint') return 'number'
  if (typeof value === 'boolean') return 'bool'
  return Array.isArray(value) ? 'list' : 'map'
}

/** Reads what was given for an input: text, as a command line has it, or a value of the input's own type. Never repeats it in an error. */
export function readInput(name: string, type: InputType, given: InputValue): InputValue {
  const value = typeof given === 'string' ? readText(type, given) : typeOfValue(given) === type ? given : undefined
  if (value !== undefined) return value
  throw new LadingError('config.invalid', `the value of the input ${name} must be ${article[type]}`, { input: name })
}

const article: Readonly<Record<InputType, string>> = {
  string: 'a string',
  number: 'a number',
  bool: 'true or false',
  map: 'a map, in JSON or YAML',
  list: 'a list, in JSON or YAML',
}

function readText(type: InputType, text: string): InputValue | undefined {
  switch (type) {
    case 'string':
      return text
    case 'number':
      return readNumber(text)
    case 'bool':
      return text === 'true' || text === 'false' ? text === 'true' : undefined
    case 'map':
    case 'list': {
      const value = readYaml(text)
      return type === 'map' ? (isRecord(value) ? value : undefined) : Array.isArray(value) ? value : undefined
    }
  }
}

function readNumber(text: string): number | bigint | undefined {
  const number = Number(text)
  if (!/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text) || !Number.isFinite(number)) return undefined
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number
}

function readYaml(text: string): unknown {
  try {
    return parseYamlValue(text)
  } catch (error) {
    if (isLadingError(error)) return undefined
    throw error
  }
}
