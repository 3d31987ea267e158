/** An OpenAPI schema, as loose as it comes. */
export type RawSchema = Record<string, unknown>

const dropped = new Set(['description', 'example', 'externalDocs', 'title'])
const refPrefix = '#/components/schemas/'

/** A schema without prose: keys sorted, `allOf` around a single reference flattened, references as bare names. */
export function compactSchema(schema: RawSchema): RawSchema {
  const flat: RawSchema = {}
  for (const [key, value] of Object.entries(schema)) {
    if (!dropped.has(key)) Object.assign(flat, compactEntry(key, value))
  }
  return Object.fromEntries(Object.entries(flat).sort(byKey))
}

function compactEntry(key: string, value: unknown): RawSchema {
  switch (key) {
    case '$ref':
      return { $ref: (value as string).slice(refPrefix.length) }
    case 'allOf': {
      const [only, ...rest] = value as RawSchema[]
      if (only === undefined || rest.length > 0) throw new Error('allOf of more than one schema')
      return compactSchema(only)
    }
    case 'items':
    case 'additionalProperties':
    case 'not':
      return { [key]: typeof value === 'boolean' ? value : compactSchema(value as RawSchema) }
    case 'oneOf':
    case 'anyOf':
      return { [key]: (value as RawSchema[]).map(compactSchema) }
    case 'properties': {
      const fields = Object.entries(value as Record<string, RawSchema>).sort(byKey)
      return { properties: Object.fromEntries(fields.map(([name, field]) => [name, compactSchema(field)])) }
    }
    default:
      return { [key]: value }
  }
}

/** The names of the types that a compact schema refers to. */
export function referencedBy(schema: RawSchema, found = new Set<string>()): Set<string> {
  const { $ref, items, additionalProperties, properties } = schema as {
    $ref?: string
    items?: RawSchema
    additionalProperties?: RawSchema | boolean
    properties?: Record<string, RawSchema>
  }
  if ($ref !== undefined) found.add($ref)
  if (items !== undefined) referencedBy(items, found)
  if (typeof additionalProperties === 'object') referencedBy(additionalProperties, found)
  for (const field of Object.values(properties ?? {})) referencedBy(field, found)
  return found
}

/** The file that a type is kept in: its name without the last part, `api.apps.v1` for `io.k8s.api.apps.v1.Deployment`. */
export function packageOf(typeName: string): string {
  return typeName.slice(0, typeName.lastIndexOf('.')).replace(/^io\.k8s\./, '')
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}
