import { isRecord, LadingError } from '../../../core/index.ts'

type Fields = Readonly<Record<string, unknown>>

/** A schema of values as JSON Schema, and the defaults that it gives. */
export interface ReadSchema {
  readonly schema: Fields
  readonly defaults: Record<string, unknown>
}

/** Reads a schema, JSON Schema or Sherpack's own; told apart as Sherpack does. */
export function readSchema(value: Fields, file: string): ReadSchema {
  const schema = isJsonSchema(value, file) ? value : fromSherpack(value, file)
  const defaults = defaultsOf(schema, 0)
  return { schema, defaults: isRecord(defaults) ? defaults : {} }
}

function isJsonSchema(value: Fields, file: string): boolean {
  if (file.endsWith('.json') || '$schema' in value || '$id' in value) return true
  const { schemaVersion, type } = value
  return !(typeof schemaVersion === 'string' && schemaVersion.startsWith('sherpack/')) && type === 'object'
}

function fromSherpack(value: Fields, file: string): Fields {
  const properties = value['properties']
  if (!isRecord(properties)) throw invalid(file, 'properties', 'is missing')
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    ...propertiesOf(properties, file, 'properties'),
  }
}

function propertiesOf(properties: Fields, file: string, path: string): Fields {
  const converted: Record<string, unknown> = {}
  const required: string[] = []
  for (const [name, property] of Object.entries(properties)) {
    const at = `${path}.${name}`
    if (!isRecord(property)) throw invalid(file, at, 'is no map')
    converted[name] = propertyOf(property, file, at)
    if (property['required'] === true) required.push(name)
  }
  return { properties: converted, ...(required.length === 0 ? {} : { required }) }
}

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'any']
const renamed: Readonly<Record<string, string>> = {
  description: 'description',
  default: 'default',
  enumValues: 'enum',
  pattern: 'pattern',
  min: 'minimum',
  max: 'maximum',
  minLength: 'minLength',
  maxLength: 'maxLength',
  minItems: 'minItems',
  maxItems: 'maxItems',
}

function propertyOf(property: Fields, file: string, path: string): Fields {
  const { type, properties, items } = property
  if (typeof type !== 'string' || !types.includes(type))
    throw invalid(file, `${path}.type`, `is none of ${types.join(', ')}`)
  if (type === 'any') return {}
  const kept = Object.entries(renamed).filter(([name]) => property[name] !== undefined && property[name] !== null)
  return {
    type,
    ...Object.fromEntries(kept.map(([name, keyword]) => [keyword, property[name]])),
    ...(isRecord(properties) ? propertiesOf(properties, file, `${path}.properties`) : {}),
    ...(isRecord(items) ? { items: propertyOf(items, file, `${path}.items`) } : {}),
  }
}

function defaultsOf(schema: unknown, depth: number): unknown {
  if (!isRecord(schema) || depth > 64) return undefined
  if (schema['default'] !== undefined) return schema['default']
  const { type, properties } = schema
  if (type !== 'object' || !isRecord(properties)) return undefined
  const found = Object.entries(properties).map(([name, property]) => [name, defaultsOf(property, depth + 1)] as const)
  const given = found.filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

function invalid(file: string, field: string, problem: string): LadingError {
  return new LadingError('schema.invalid', `${file}: ${field} ${problem}`, { file, field })
}
