import { isGoMap } from '../../../gotemplate/type-name.ts'
import { GoError, type GoValue } from '../../../gotemplate/value.ts'
import { define, type FunctionFamily } from '../define-function.ts'
import type { FunctionEnvironment } from '../environment.ts'
import { newMap } from '../dicts/make-value.ts'
import { nilList, nilMap } from '../dicts/nil-values.ts'
import { readJson, readJsonPartly } from './read-json.ts'
import { writeJson } from './write-json.ts'

/** JSON as Helm has it: the ones without `must` swallow errors, or put them where the data would be. */
export function jsonFunctions(environment: FunctionEnvironment): FunctionFamily {
  const { depth } = environment.limits
  const html = (value: GoValue) => writeJson(value, { escapesHtml: true, depth })
  const raw = (value: GoValue) => writeJson(value, { escapesHtml: false, depth })
  const pretty = (value: GoValue) => writeJson(value, { escapesHtml: true, indent: '  ', depth })
  return {
    toJson: define(['any'], (value) =>
      quietly(
        () => html(value),
        () => '',
      ),
    ),
    mustToJson: define(['any'], html),
    toPrettyJson: define(['any'], (value) =>
      quietly(
        () => pretty(value),
        () => '',
      ),
    ),
    mustToPrettyJson: define(['any'], pretty),
    toRawJson: define(['any'], raw),
    mustToRawJson: define(['any'], raw),
    mustFromJson: define(['string'], readJson),
    fromJson: define(['string'], (text) => quietly(() => readMap(text), errorMap)),
    fromJsonArray: define(['string'], (text) =>
      quietly(
        () => asList(readJson(text), 'json: '),
        (error) => [error.message],
      ),
    ),
  }
}

function readMap(text: string): GoValue {
  const { value, problem } = readJsonPartly(text)
  const map = asMap(value, 'json: ')
  if (problem !== undefined && isGoMap(map)) map['Error'] = problem.message
  return map
}

/** Runs what may fail as Go's functions do, and says what stands in its place. */
export function quietly(action: () => GoValue, otherwise: (error: GoError) => GoValue): GoValue {
  try {
    return action()
  } catch (error) {
    if (error instanceof GoError) return otherwise(error)
    throw error
  }
}

/** A map that says what went wrong. */
export function errorMap(error: GoError): GoValue {
  const map = newMap()
  map['Error'] = error.message
  return map
}

/** What Go reads into a map. */
export function asMap(value: GoValue, prefix: string): GoValue {
  if (value === null) return nilMap
  if (isGoMap(value)) return value
  throw new GoError(`${prefix}cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`)
}

/** What Go reads into a list. */
export function asList(value: GoValue, prefix: string): GoValue {
  if (value === null) return nilList
  if (Array.isArray(value)) return value
  throw new GoError(`${prefix}cannot unmarshal ${jsonKind(value)} into Go value of type []interface {}`)
}

function jsonKind(value: GoValue): string {
  if (Array.isArray(value)) return 'array'
  if (isGoMap(value)) return 'object'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
