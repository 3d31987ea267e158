import { isRecord, stringifyJson } from '../../core/index.ts'
import type { RawSchema } from '../raw-schema.ts'

/** How schemas become TypeScript. */
export interface TypeTextOptions {
  /** The TypeScript name of a type that `$ref` names. */
  readonly reference: (typeName: string) => string
  /** Whether a field with a default may be left out although it is required, as in custom resources. */
  readonly defaultsFillRequired: boolean
  /** The name of the type that preserves unknown JSON objects with an identity. */
  readonly embeddedResource: string
}

/** Writes the TypeScript type of a schema; lines after the first begin with `indent`. */
export function typeText(schema: RawSchema, options: TypeTextOptions, indent = ''): string {
  const text = bareType(schema, options, indent)
  return schema.nullable === true && text !== 'unknown' && !/(?:^|\| )null$/.test(text) ? `${text} | null` : text
}

/** Writes the fields of a struct, one or more lines each, in the schema's own order or by name where it is sorted. */
export function fieldLines(
  schema: RawSchema,
  options: TypeTextOptions,
  indent: string,
  except: readonly string[] = [],
): string[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const lines: string[] = []
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (except.includes(name) || !isRecord(field)) continue
    const filled = options.defaultsFillRequired && field.default !== undefined
    const mark = required.has(name) && !filled ? '' : '?'
    lines.push(...fieldComment(field, options, indent))
    lines.push(`${indent}${propertyName(name)}${mark}: ${typeText(field, options, indent)}`)
  }
  if (preservesUnknown(schema)) lines.push(`${indent}[field: string]: unknown`)
  return lines
}

/** A documentation comment of one or more lines; none for an empty text. */
export function docComment(text: string, indent: string): string[] {
  const lines = text
    .replaceAll('*/', '*\\/')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trimEnd())
  while (lines.at(-1) === '') lines.pop()
  while (lines[0] === '') lines.shift()
  if (lines.length === 0) return []
  if (lines.length === 1) return [`${indent}/** ${lines[0]?.trim()} */`]
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`]
}

/** A string as a TypeScript literal. */
export function quote(text: string): string {
  return /^[ -~]*$/.test(text) && !/['"\\]/.test(text) ? `'${text}'` : stringifyJson(text)
}

/** A field's name, in quotes where TypeScript needs them. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quote(name)
}

function bareType(schema: RawSchema, options: TypeTextOptions, indent: string): string {
  if (schema.$ref !== undefined) return options.reference(schema.$ref)
  if (isIntOrString(schema)) return 'number | string'
  const values = enumOf(schema)
  if (values !== undefined) return literals(values, schema)
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return listType(schema.items, options, indent)
    case 'object':
      return objectType(schema, options, indent)
    default:
      return schema.properties === undefined ? 'unknown' : objectType(schema, options, indent)
  }
}

function listType(items: RawSchema | undefined, options: TypeTextOptions, indent: string): string {
  const item = isRecord(items) ? typeText(items, options, indent) : 'unknown'
  return item.includes(' | ') && !/^[{[(][^|]*$/.test(item) && !isOneBlock(item) ? `(${item})[]` : `${item}[]`
}

// A struct whose fields are unions needs no parentheses: the bars are within its braces.
function isOneBlock(text: string): boolean {
  return text.startsWith('{') && text.endsWith('}')
}

function objectType(schema: RawSchema, options: TypeTextOptions, indent: string): string {
  if (schema['x-kubernetes-embedded-resource'] === true) return embeddedType(schema, options, indent)
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0)
    return block(schema, options, indent)
  const { additionalProperties } = schema
  const value = isRecord(additionalProperties) ? typeText(additionalProperties, options, indent) : 'unknown'
  return `Record<string, ${value}>`
}

function embeddedType(schema: RawSchema, options: TypeTextOptions, indent: string): string {
  const { properties = {} } = schema
  const own = Object.keys(properties).filter((name) => !identity.includes(name))
  if (own.length === 0) return options.embeddedResource
  return `${options.embeddedResource} & ${block(schema, options, indent, identity)}`
}

const identity = ['apiVersion', 'kind', 'metadata']

function block(schema: RawSchema, options: TypeTextOptions, indent: string, except: readonly string[] = []): string {
  return `{\n${fieldLines(schema, options, `${indent}  `, except).join('\n')}\n${indent}}`
}

function preservesUnknown(schema: RawSchema): boolean {
  const { additionalProperties } = schema
  return (
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    additionalProperties === true ||
    isRecord(additionalProperties)
  )
}

function isIntOrString(schema: RawSchema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string') return true
  if (schema.type !== undefined) return false
  const types = new Set((schema.anyOf ?? schema.oneOf ?? []).map(({ type }) => type))
  return types.size === 2 && types.has('integer') && types.has('string')
}

/** Generators write one enum for each marker, as `allOf`: a value has to be in all of them. */
function enumOf(schema: RawSchema): readonly unknown[] | undefined {
  const lists = [schema.enum, ...(schema.allOf ?? []).map((part) => part.enum)].filter(Array.isArray)
  const [first, ...rest] = lists
  if (first === undefined) return undefined
  return first.filter((value) => rest.every((list) => list.includes(value)))
}

function literals(values: readonly unknown[], schema: RawSchema): string {
  const texts = values.map((value) => {
    if (typeof value === 'string') return quote(value)
    if (value === null || typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value)
    return undefined
  })
  // A value that has no literal (a fraction, an object) leaves the type of the whole.
  if (texts.includes(undefined) || texts.length === 0)
    return schema.type === 'integer' ? 'number' : (scalarOf(schema) ?? 'unknown')
  return [...new Set(texts)].join(' | ')
}

function scalarOf(schema: RawSchema): string | undefined {
  const { type } = schema
  if (type === 'number') return 'number'
  return type === 'string' || type === 'boolean' ? type : undefined
}

function fieldComment(field: RawSchema, options: TypeTextOptions, indent: string): string[] {
  const parts: string[] = []
  if (typeof field['description'] === 'string') parts.push(field['description'].trim())
  const { default: value } = field
  if (options.defaultsFillRequired && value !== undefined) parts.push(`@default ${stringifyJson(value)}`)
  return docComment(parts.join('\n'), indent)
}
