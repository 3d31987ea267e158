import { stringifyJson } from '../../../core/index.ts'
import type { Frame } from './frame.ts'
import { formatProblem } from './formats.ts'
import { exactNumber, isMultiple } from './exact-number.ts'
import { sameJson, typeOf } from './json-value.ts'
import { quoted, type SchemaProblem } from './schema-problem.ts'

/** Keywords that any value has to meet first: type, const, enum, format. The first that fails is the only one told. */
export function evaluateValue(frame: Frame): SchemaProblem | undefined {
  const message = typeProblem(frame) ?? constProblem(frame) ?? enumProblem(frame) ?? formatMismatch(frame)
  return message === undefined ? undefined : { path: frame.path, message, causes: [] }
}

function typeProblem({ schema, value }: Frame): string | undefined {
  const { type } = schema
  if (type === undefined) return undefined
  const wanted = (Array.isArray(type) ? type : [type]) as unknown[]
  const got = typeOf(value)
  if (wanted.includes(got)) return undefined
  if (got === 'number' && wanted.includes('integer') && isInteger(value)) return undefined
  // The validator lists the types of its bit set, not in the order they were written in.
  const order = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']
  return `got ${got}, want ${order.filter((each) => wanted.includes(each)).join(' or ')}`
}

function isInteger(value: unknown): boolean {
  const number = exactNumber(value)
  return number !== undefined && isMultiple(number, { digits: 1n, places: 0 })
}

function constProblem({ schema, value, evaluation }: Frame): string | undefined {
  if (!('const' in schema) || evaluation.document.draft === 4 || sameJson(value, schema['const'])) return undefined
  const wanted = schema['const']
  return isPrimitive(wanted) ? `value must be ${display(wanted)}` : `'const' failed`
}

function enumProblem({ schema, value }: Frame): string | undefined {
  const wanted: unknown = schema['enum']
  if (!Array.isArray(wanted) || wanted.some((each) => sameJson(value, each))) return undefined
  if (!wanted.every(isPrimitive)) return `'enum' failed`
  if (wanted.length === 1) return `value must be ${display(wanted[0])}`
  return `value must be one of ${wanted.map(display).join(', ')}`
}

function formatMismatch({ schema, value, evaluation }: Frame): string | undefined {
  // From 2019-09 on a format only describes.
  if (typeof schema['format'] !== 'string' || evaluation.document.draft >= 2019) return undefined
  const problem = formatProblem(schema['format'], value)
  return problem === undefined ? undefined : `${display(value)} is not valid ${schema['format']}: ${problem}`
}

function isPrimitive(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function display(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  return value === null ? '<nil>' : stringifyJson(value)
}
