import { isRecord } from '../../../core/index.ts'
import type { OpenApiDocument } from '../../../schema/index.ts'

/** All documents as one of OpenAPI v2; only older clients read it, for types, so that it carries no paths. */
export function swaggerDocument(version: string, documents: readonly OpenApiDocument[]): object {
  const definitions: Record<string, unknown> = {}
  for (const { components } of documents) {
    for (const [name, schema] of Object.entries(components.schemas)) definitions[name] ??= toSwagger(schema)
  }
  const sorted = Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))
  return { swagger: '2.0', info: { title: 'Kubernetes', version }, paths: {}, definitions: Object.fromEntries(sorted) }
}

/** Version 2 knows neither alternatives nor null, and has its definitions elsewhere. */
function toSwagger(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSwagger)
  if (!isRecord(value)) return value
  const { allOf, oneOf: _one, anyOf: _any, not: _not, nullable: _null, ...rest } = value
  const only: unknown = Array.isArray(allOf) ? allOf[0] : undefined
  const flat = isRecord(only) ? { ...rest, ...only } : rest
  return Object.fromEntries(Object.entries(flat).map(([key, field]) => [key, toSwaggerField(key, field)]))
}

function toSwaggerField(key: string, field: unknown): unknown {
  if (key === '$ref' && typeof field === 'string') return field.replace('#/components/schemas/', '#/definitions/')
  if (key === 'properties' && isRecord(field)) {
    return Object.fromEntries(Object.entries(field).map(([name, property]) => [name, toSwagger(property)]))
  }
  return key === 'items' || key === 'additionalProperties' ? toSwagger(field) : field
}
