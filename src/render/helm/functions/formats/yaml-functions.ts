import { LadingError } from '../../../../core/index.ts'
import { isGoMap } from '../../../gotemplate/type-name.ts'
import { GoError, GoInt, GoObject, type GoValue } from '../../../gotemplate/value.ts'
import { writeNumber } from '../../../kustomize/write/write-number.ts'
import { writeString } from '../../../kustomize/write/write-scalar.ts'
import { define, type FunctionFamily } from '../define-function.ts'
import { checkDepth, type FunctionEnvironment, type FunctionLimits } from '../environment.ts'
import { asList, asMap, errorMap, quietly } from './json-functions.ts'
import { newMap } from '../dicts/make-value.ts'
import { readFirstDocument } from './read-first-document.ts'
import { isNilCollection } from '../dicts/nil-values.ts'
import { base64Of, jsonLength, jsonValueOf } from './write-json.ts'
import { writeBlockYaml, type YamlStyle } from './write-block-yaml.ts'
import { writePrettyYaml } from './write-pretty-yaml.ts'

/** YAML as Helm has it: written through JSON by go-yaml v2, read by it too, so that every number read is a float. */
export function yamlFunctions(environment: FunctionEnvironment): FunctionFamily {
  const read = (text: string) => readYaml(text, environment)
  const failed = 'error unmarshaling JSON: while decoding JSON: json: '
  return {
    toYaml: define(['any'], (value) => toYaml(value, environment)),
    mustToYaml: define(['any'], (value) => writeYaml(value, environment.limits)),
    toYamlPretty: define(['any'], (value) =>
      quietly(
        () => writePrettyYaml(value, environment.limits.depth),
        () => '',
      ),
    ),
    fromYaml: define(['string'], (text) => quietly(() => asMap(read(text) ?? newMap(), failed), errorMap)),
    fromYamlArray: define(['string'], (text) =>
      quietly(
        () => asList(read(text) ?? [], failed),
        (error) => [error.message],
      ),
    ),
  }
}

// Without the last line break, and nothing at all where a value has no YAML.
function toYaml(value: GoValue, environment: FunctionEnvironment): string {
  try {
    return writeYaml(value, environment.limits)
  } catch (error) {
    if (error instanceof GoError) return ''
    throw error
  }
}

const style: YamlStyle = { indentsLists: false, text: writeString, number: writeNumber }

function writeYaml(value: GoValue, limits: FunctionLimits): string {
  return writeBlockYaml(plain(value, limits, 0), style)
}

// Text goes through a YAML reader on its way, which refuses these.
// oxlint-disable-next-line no-control-regex
const refused = /[\x7f\x80-\x84\x86-\x9f\ufffe\uffff]/
const longestKey = 1024

function plain(value: GoValue, limits: FunctionLimits, depth: number): unknown {
  checkDepth(depth, limits)
  if (value === null || value === undefined || isNilCollection(value)) return null
  if (value instanceof GoInt) return value.value
  if (typeof value === 'number') return plainNumber(value)
  if (typeof value === 'string') return plainText(value)
  if (value instanceof GoObject) return plain(jsonValueOf(value), limits, depth + 1)
  if (Array.isArray(value)) return base64Of(value) ?? value.map((item) => plain(item, limits, depth + 1))
  if (typeof value === 'boolean') return value
  if (!isGoMap(value)) throw new GoError('error marshaling into JSON: json: unsupported type')
  const map = Object.create(null) as Record<string, unknown>
  for (const key of Object.keys(value)) {
    if (key.length > longestKey / 6 && jsonLength(key) > longestKey)
      throw new GoError("yaml: line 1: did not find expected ',' or '}'")
    if (key.includes(nextLine)) throw new GoError("yaml: line 2: could not find expected ':'")
    map[plainText(key)] = plain(value[key], limits, depth + 1)
  }
  return map
}

// A whole number is read back from its decimal digits, of which JSON has the shortest that are enough.
function plainNumber(value: number): number | bigint {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return wholeNumber(BigInt(String(value)), value)
  if (Number.isFinite(value)) return value
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  throw new GoError(`error marshaling into JSON: json: unsupported value: ${name}`)
}

function wholeNumber(digits: bigint, value: number): number | bigint {
  return digits >= -(2n ** 63n) && digits < 2n ** 64n ? digits : value
}

function plainText(text: string): string {
  if (refused.test(text)) throw new GoError('yaml: control characters are not allowed')
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes(nextLine) ? foldNextLines(whole) : whole
}

// JSON leaves U+0085 as it is, and to the YAML reader that is a line break: one becomes a space, of more the first goes.
const nextLine = '\x85'

function foldNextLines(text: string): string {
  return text.replaceAll(/(?<! ) *\x85[ \x85]*/g, (found) => {
    const count = found.split(nextLine).length - 1
    return count === 1 ? ' ' : '\n'.repeat(count - 1)
  })
}

function readYaml(text: string, environment: FunctionEnvironment): GoValue {
  try {
    return fromPlain(readFirstDocument(text, environment.limits.depth))
  } catch (error) {
    if (!(error instanceof LadingError)) throw error
    throw new GoError(`error converting YAML to JSON: yaml: ${error.message}`)
  }
}

function fromPlain(value: unknown): GoValue {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value as GoValue
  if (Array.isArray(value)) return value.map(fromPlain)
  const map = newMap()
  for (const [key, item] of Object.entries(value)) map[key] = fromPlain(item)
  return map
}
