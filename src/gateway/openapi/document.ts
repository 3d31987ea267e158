import { z } from 'zod'
import { problemSchema } from '../http/problem.ts'
import type { Answer, Route } from '../http/route.ts'

type JsonSchema = Record<string, unknown>

/** The OpenAPI 3.1 document of routes, as JSON text; the same routes always give the same text. */
export function openApiDocument(routes: readonly Route[]): string {
  const components: Record<string, unknown> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  const schemaOf: SchemaOf = (schema, io) => {
    const found = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
    const {
      $schema: _,
      $defs = {},
      ...own
    } = JSON.parse(JSON.stringify(found).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema
    for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
      components[name] = withoutId(definition)
    }
    const id = schema.meta()?.id
    if (id === undefined || '$ref' in own) return withoutId(own)
    components[id] = withoutId(own)
    return { $ref: `#/components/schemas/${id}` }
  }
  for (const route of routes) {
    const operations = (paths[route.path] ??= {})
    operations[route.method.toLowerCase()] = operationOf(route, schemaOf)
  }
  return JSON.stringify(
    {
      openapi: '3.1.0',
      info: { title: 'Lading', version: '1', description: 'Deployments and releases on Kubernetes.' },
      security: [{ bearer: [] }],
      paths,
      components: {
        schemas: components,
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      },
    },
    undefined,
    2,
  )
}

type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema

function operationOf(route: Route, schemaOf: SchemaOf): JsonSchema {
  const responses = Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]) => [status, responseOf(answer, schemaOf)]),
  )
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    parameters: [...parametersOf(route.params, 'path', schemaOf), ...parametersOf(route.query, 'query', schemaOf)],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: { required: true, content: { 'application/json': { schema: schemaOf(route.body, 'input') } } },
        }),
    ...(route.access === 'public' ? { security: [] } : {}),
    responses: { ...responses, default: responseOf(problemAnswer, schemaOf) },
  }
}

const problemAnswer: Answer = {
  description: 'The request was refused or failed; `code` says why.',
  schema: problemSchema,
  contentType: 'application/problem+json',
}

function responseOf(
  { description, schema, contentType = 'application/json', headers = {} }: Answer,
  schemaOf: SchemaOf,
): JsonSchema {
  return {
    description,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]),
    ),
    ...(schema === undefined ? {} : { content: { [contentType]: { schema: schemaOf(schema, 'output') } } }),
  }
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query', schemaOf: SchemaOf): JsonSchema[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...own }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: own,
  }))
}

/** A component is known by its place in the document. */
function withoutId({ id: _, ...schema }: JsonSchema): JsonSchema {
  return schema
}
