import type { RawSchema } from './raw-schema.ts'
import type { TypeLookup } from './schema-node.ts'

/** An OpenAPI v3 document as `/openapi/v3/apis/GROUP/VERSION` serves it; whoever serves it adds the paths. */
export interface OpenApiDocument {
  readonly openapi: '3.0.0'
  readonly info: { readonly title: 'Kubernetes'; readonly version: string }
  readonly paths: Readonly<Record<string, unknown>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

/** The document that holds the named types and everything that they refer to. */
export function openapiDocument(version: string, roots: readonly string[], lookup: TypeLookup): OpenApiDocument {
  const schemas: Record<string, unknown> = {}
  const open = [...roots]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (Object.hasOwn(schemas, name)) continue
    const schema = lookup(name)
    if (schema !== undefined) schemas[name] = expand(schema, open)
  }
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version }, paths: {}, components: { schemas: sorted } }
}

/** Writes references as OpenAPI does: full, and inside `allOf` where something stands beside them. */
function expand(schema: RawSchema, found: string[]): Record<string, unknown> {
  const { $ref, properties, items, additionalProperties, ...rest } = schema
  const expanded: Record<string, unknown> = { ...rest }
  if (properties !== undefined && Object.keys(properties).length > 0) {
    const fields = Object.entries(properties).map(([name, field]) => [name, expand(field, found)] as const)
    expanded['properties'] = Object.fromEntries(fields)
  }
  if (items !== undefined) expanded['items'] = expand(items, found)
  if (additionalProperties !== undefined) {
    const free = typeof additionalProperties === 'boolean'
    expanded['additionalProperties'] = free ? additionalProperties : expand(additionalProperties, found)
  }
  if ($ref === undefined) return expanded
  found.push($ref)
  const reference = { $ref: `#/components/schemas/${$ref}` }
  return Object.keys(expanded).length === 0 ? reference : { ...expanded, allOf: [reference] }
}
