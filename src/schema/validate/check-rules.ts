import { createRequire } from 'node:module'
import type * as re2 from 're2js'
import { isRecord } from '../../core/index.ts'
import { type Finding, invalidValue, jsonType, missing, show, wrongType } from './finding.ts'
import { fitsFormat } from './formats.ts'
import { propertyOf, type RawSchema } from '../kinds/raw-schema.ts'

/** Checks the value rules of a schema (ranges, lengths, patterns, enum, junctors), not the structure below it. */
export function checkRules(value: unknown, schema: RawSchema, path: string, findings: Finding[]): void {
  if (schema.enum !== undefined && !schema.enum.some((allowed) => show(allowed) === show(value))) {
    const supported = schema.enum.map(show).join(', ')
    const message = `Unsupported value: ${show(value)}: supported values: ${supported}`
    findings.push({ path, reason: 'FieldValueNotSupported', message })
  }
  if (typeof value === 'number' || typeof value === 'bigint') checkNumber(value, schema, path, findings)
  else if (typeof value === 'string') checkText(value, schema, path, findings)
  else if (Array.isArray(value)) checkCount(value.length, 'Items', schema, path, findings)
  else if (isRecord(value)) checkCount(Object.keys(value).length, 'Properties', schema, path, findings)
  checkJunctors(value, schema, path, findings)
}

// As in the API server values are int64 and limits of a schema are float64; JavaScript compares the two exactly.
function checkNumber(value: number | bigint, schema: RawSchema, path: string, findings: Finding[]): void {
  const { exclusiveMinimum, exclusiveMaximum } = schema as Record<string, unknown>
  const [minimum, maximum, multipleOf] = (['minimum', 'maximum', 'multipleOf'] as const).map((name) =>
    limitOf(schema[name]),
  )
  if (minimum !== undefined && (exclusiveMinimum === true ? value <= minimum : value < minimum)) {
    const rule = exclusiveMinimum === true ? 'greater than' : 'greater than or equal to'
    findings.push(invalidValue(path, value, `should be ${rule} ${minimum}`))
  }
  if (maximum !== undefined && (exclusiveMaximum === true ? value >= maximum : value > maximum)) {
    const rule = exclusiveMaximum === true ? 'less than' : 'less than or equal to'
    findings.push(invalidValue(path, value, `should be ${rule} ${maximum}`))
  }
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    findings.push(invalidValue(path, value, `should be a multiple of ${multipleOf}`))
  }
}

function limitOf(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}

function isMultiple(value: number | bigint, of: number): boolean {
  if (typeof value === 'bigint' && Number.isInteger(of) && of !== 0) return value % BigInt(of) === 0n
  return Number.isInteger(Number(value) / of)
}

function checkText(value: string, schema: RawSchema, path: string, findings: Finding[]): void {
  const { minLength, maxLength, pattern, format } = schema as Record<string, unknown>
  const length = Array.from(value).length
  // Of the three only the first that is broken is told.
  if (typeof maxLength === 'number' && length > maxLength) {
    const message = `Too long: may not be more than ${maxLength} bytes`
    findings.push({ path, reason: 'FieldValueTooLong', message })
  } else if (typeof minLength === 'number' && length < minLength) {
    findings.push(invalidValue(path, value, `should be at least ${minLength} chars long`))
  } else if (typeof pattern === 'string' && matchesPattern(value, pattern, schema) === false) {
    findings.push(invalidValue(path, value, `should match '${pattern}'`))
  }
  if (typeof format === 'string' && !fitsFormat(value, format)) {
    const message = `Invalid value: ${show(value)}: ${path} in body must be of type ${format}: ${show(value)}`
    findings.push({ path, reason: 'FieldValueTypeInvalid', message })
  }
}

const compiled = new WeakMap<RawSchema, re2.RE2JS | null>()

/** Whether a pattern is found in a text, as Go's regular expressions find it; what is no such pattern is left to the API server. */
function matchesPattern(text: string, pattern: string, schema: RawSchema): boolean | undefined {
  let expression = compiled.get(schema)
  if (expression === undefined) compiled.set(schema, (expression = compilePattern(pattern)))
  return expression?.matcher(text).find()
}

// Pattern and text both come from others: RE2 takes linear time over any. Few kinds have patterns, so it is loaded with the first.
function compilePattern(pattern: string): re2.RE2JS | null {
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof re2
  try {
    return RE2JS.compile(pattern)
  } catch {
    return null
  }
}

function checkCount(
  count: number,
  what: 'Items' | 'Properties',
  schema: RawSchema,
  path: string,
  findings: Finding[],
): void {
  const [min, max] = [schema[`min${what}`], schema[`max${what}`]]
  if (typeof max === 'number' && count > max) {
    const message = `Too many: ${count}: must have at most ${max} items`
    findings.push({ path, reason: 'FieldValueTooMany', message })
  }
  if (typeof min === 'number' && count < min) {
    findings.push(invalidValue(path, count, `should have at least ${min} ${what.toLowerCase()}`))
  }
}

function checkJunctors(value: unknown, schema: RawSchema, path: string, findings: Finding[]): void {
  for (const part of schema.allOf ?? []) findings.push(...checkWhole(value, part, path))
  const { anyOf, oneOf, not } = schema
  if (anyOf !== undefined && !anyOf.some((part) => matches(value, part, path))) {
    findings.push(unmatched(path, 'must validate at least one schema (anyOf)'))
  }
  const valid = oneOf?.filter((part) => matches(value, part, path)).length ?? 1
  if (valid !== 1) {
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
    findings.push(unmatched(path, `must validate one and only one schema (oneOf). ${found}`))
  }
  if (not !== undefined && matches(value, not, path)) {
    findings.push(unmatched(path, 'must not validate the schema (not)'))
  }
}

function unmatched(path: string, rule: string): Finding {
  return { path, reason: 'FieldValueInvalid', message: `Invalid value: "": "${path}" ${rule}` }
}

function matches(value: unknown, schema: RawSchema, path: string): boolean {
  return checkWhole(value, schema, path).length === 0
}

/** A schema inside a junctor restricts values; it never makes fields known, so unknown ones do not count here. */
function checkWhole(value: unknown, schema: RawSchema, path: string): Finding[] {
  const findings: Finding[] = []
  const type = jsonType(value)
  if (schema.type !== undefined && schema.type !== type && !(schema.type === 'number' && type === 'integer')) {
    return [wrongType(path, value, schema.type)]
  }
  checkRules(value, schema, path, findings)
  if (isRecord(value)) {
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`)
    for (const name of schema.required ?? []) if (value[name] === undefined) findings.push(missing(at(name)))
    for (const [name, entry] of Object.entries(value)) {
      const field = propertyOf(schema, name)
      if (field !== undefined) findings.push(...checkWhole(entry, field, at(name)))
    }
  } else if (Array.isArray(value) && schema.items !== undefined) {
    for (const [index, item] of value.entries()) findings.push(...checkWhole(item, schema.items, `${path}[${index}]`))
  }
  return findings
}
