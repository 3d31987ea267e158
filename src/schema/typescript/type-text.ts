import { compareText, isRecord, stringifyJson } from '../../core/index.ts'
import type { RawSchema } from '../kinds/raw-schema.ts'

/** How schemas become TypeScript. */
export interface TypeTextOptions {
  /** The TypeScript name of a type that `$ref` names. */
  readonly reference: (typeName: string) => string
  /** Whether a field with a default may be left out although it is required, as in custom resources. */
  readonly defaultsFillRequired: boolean
  /** Whether descriptions and defaults become doc comments. */
  readonly descriptions: boolean
  /** The name of the type of a whole object within another one. */
  readonly embeddedResource: () => string
}

/** Writes the TypeScript type of a schema; lines after the first begin with `indent`. */
export function typeText(schema: RawSchema, options: TypeTextOptions, indent = ''): string {
  const text = bareType(schema, options, indent)
  return schema.nullable === true && text !== 'unknown' && !/(?:^|\| )null$/.test(text) ? `${text} | null` : text
}

/** Writes the fields of a struct, one or more lines each, by name: a cluster and a file give the same. */
export function fieldLines(
  schema: RawSchema,
  options: TypeTextOptions,
  indent: string,
  except: readonly string[] = [],
): string[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const lines: string[] = []
  for (const [name, field] of Object.entries(schema.properties ?? {}).sort(([a], [b]) => compareText(a, b))) {
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
  const values = literalsOf(schema)
  if (values !== undefined) return values
  if (isIntOrString(schema)) return 'number | string'
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
  // The bars within the braces of a struct need no parentheses.
  const isStruct = item.startsWith('{') && item.endsWith('}')
  return !isStruct && / [|&] /.test(item) ? `(${item})[]` : `${item}[]`
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
  const base = options.embeddedResource()
  return own.length === 0 ? base : `${base} & ${block(schema, options, indent, identity)}`
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

/** The values of an enum as literals; undefined when one has no literal, or when the enum is that of a list or map. */
function literalsOf(schema: RawSchema): string | undefined {
  if (schema.type === 'array' || schema.type === 'object') return undefined
  const values = enumOf(schema)
  if (values === undefined || values.length === 0) return undefined
  const texts = values.map((value) => {
    if (typeof value === 'string') return quote(value)
    return value === null || typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined
  })
  return texts.includes(undefined) ? undefined : [...new Set(texts)].join(' | ')
}

function fieldComment(field: RawSchema, options: TypeTextOptions, indent: string): string[] {
  if (!options.descriptions) return []
  const parts: string[] = []
  if (typeof field['description'] === 'string') parts.push(field['description'].trim())
  const { default: value } = field
  if (options.defaultsFillRequired && value !== undefined) parts.push(`@default ${stringifyJson(value)}`)
  return docComment(parts.join('\n'), indent)
}
