import { isRecord, stringifyJson } from '../../core/index.ts'
import { type RawSchema, type SchemaNode, validateValue } from '../../schema/index.ts'
import { invalidValue, required } from '../api/write/validate-meta.ts'
import type { Cause } from '../status-error.ts'
import { compileRule, rulesOf } from './cel-rules.ts'

/** What keeps a schema from being structural, or from being accepted at all; `path` is where the schema stands. */
export function validateStructural(schema: RawSchema, path: string): Cause[] {
  const causes: Cause[] = []
  if (schema.type === undefined || schema.type === '') {
    causes.push(required(`${path}.type`, 'must not be empty at the root'))
  } else if (schema.type !== 'object') {
    causes.push(invalidValue(`${path}.type`, schema.type, 'must be object at the root'))
  }
  const metadata = schema.properties?.['metadata']
  const stray = Object.keys(metadata?.properties ?? {}).filter((name) => name !== 'name' && name !== 'generateName')
  if (stray.length > 0) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified'
    causes.push(forbidden(`${path}.properties[metadata]`, why))
  }
  validateBelow(schema, path, causes)
  return causes
}

function validateNode(schema: RawSchema, path: string, causes: Cause[]): void {
  const free = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true
  if (schema.$ref !== undefined) causes.push(forbidden(`${path}.$ref`, '$ref is not supported'))
  else if ((schema.type === undefined || schema.type === '') && !free) {
    causes.push(required(`${path}.type`, 'must not be empty for specified object fields'))
  } else if (schema.type !== undefined && schema.type !== '' && !types.includes(schema.type)) {
    causes.push(unsupported(`${path}.type`, schema.type, types))
  }
  validateBelow(schema, path, causes)
}

function validateBelow(schema: RawSchema, path: string, causes: Cause[]): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (isRecord(field)) validateNode(field, `${path}.properties[${name}]`, causes)
  }
  if (isRecord(schema.items)) validateNode(schema.items, `${path}.items`, causes)
  else if (schema.type === 'array') causes.push(required(`${path}.items`, 'must be specified'))
  if (isRecord(schema.additionalProperties)) {
    validateNode(schema.additionalProperties, `${path}.additionalProperties`, causes)
  }
  validateMarks(schema, path, causes)
  const intOrString = schema['x-kubernetes-int-or-string'] === true
  for (const junctor of ['anyOf', 'oneOf', 'allOf'] as const) {
    for (const [index, part] of (schema[junctor] ?? []).entries()) {
      validatePart(part, `${path}.${junctor}[${index}]`, intOrString, causes)
    }
  }
  if (schema.not !== undefined) validatePart(schema.not, `${path}.not`, false, causes)
}

function validateMarks(schema: RawSchema, path: string, causes: Cause[]): void {
  if (schema['uniqueItems'] === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    causes.push(forbidden(`${path}.uniqueItems`, why))
  }
  if (schema['x-kubernetes-list-type'] === 'map' && (schema['x-kubernetes-list-map-keys'] ?? []).length === 0) {
    causes.push(required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'))
  }
  for (const [index, rule] of rulesOf(schema).entries()) {
    const at = `${path}.x-kubernetes-validations[${index}].rule`
    if (rule.rule.trim() === '') causes.push(required(at, 'rule is not specified'))
    else if (compileRule(rule.rule) === 'malformed') causes.push(invalidValue(at, rule, 'compilation failed'))
  }
}

/** Inside of junctors only values are restricted: what describes the structure belongs outside. */
function validatePart(part: RawSchema, path: string, intOrString: boolean, causes: Cause[]): void {
  for (const word of ['type', 'default', 'additionalProperties', 'nullable', 'description', 'title'] as const) {
    if (part[word] === undefined || (word === 'type' && intOrString)) continue
    causes.push(forbidden(`${path}.${word}`, 'must be empty to be structural'))
  }
  for (const [name, field] of Object.entries(part.properties ?? {})) {
    validatePart(field, `${path}.properties[${name}]`, false, causes)
  }
  if (part.items !== undefined) validatePart(part.items, `${path}.items`, false, causes)
}

/** The defaults of a schema that do not fit it. */
export function wrongDefaults(node: SchemaNode, path: string): Cause[] {
  const own = node.raw.default === undefined ? [] : validateValue(node.raw.default, node)
  const causes = own.map(({ reason, message, path: at }) => ({
    reason,
    message,
    field: `${path}.default${at === '' ? '' : `.${at}`}`,
  }))
  const below = node.fieldNames.flatMap((name) => {
    const field = node.field(name)
    const builtin = node.raw.properties?.[name]?.$ref !== undefined
    return field === undefined || builtin ? [] : wrongDefaults(field, `${path}.properties[${name}]`)
  })
  const items = node.shape === 'list' && node.raw.items !== undefined ? node.items() : undefined
  return [...causes, ...below, ...(items === undefined ? [] : wrongDefaults(items, `${path}.items`))]
}

/** A cause for a value that is none of the possible ones. */
export function unsupported(field: string, value: unknown, values: readonly string[]): Cause {
  const supported = values.map((each) => stringifyJson(each)).join(', ')
  const message = `Unsupported value: ${stringifyJson(value)}: supported values: ${supported}`
  return { reason: 'FieldValueNotSupported', message, field }
}

function forbidden(field: string, why: string): Cause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field }
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']
