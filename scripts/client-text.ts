/** An OpenAPI document, as far as the client needs it. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface ApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Schema; description?: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>>
}

interface Schema {
  readonly $ref?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly description?: string
}

/** The types of every component and operation of a document, and the table that the client finds requests by. */
export function clientText({ paths, components }: ApiDocument): string {
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .toSorted((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1))
  return [
    '// Written by scripts/generate-client.ts from the OpenAPI document of the gateway.',
    ...Object.entries(components.schemas)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => `/** \`${name}\` of the API. */\nexport type ${name} = ${typeOf(schema, '')}`),
    `/** What each operation takes and gives. */\nexport interface Operations {\n${operations.map(({ operation }) => operationText(operation)).join('\n')}\n}`,
    `/** Where each operation is. */\nexport const operations = {\n${operations
      .map(({ path, method, operation: { operationId, responses } }) => {
        const isStream = Object.values(responses).some(({ content = {} }) => Object.keys(content).some(isStreamed))
        const streamed = isStream ? ', streamed: true' : ''
        return `  ${operationId}: { method: '${method.toUpperCase()}', path: '${path}'${streamed} },`
      })
      .join('\n')}\n} as const\n`,
  ].join('\n\n')
}

function isStreamed(contentType: string): boolean {
  return contentType === 'text/event-stream' || contentType === 'application/jsonl'
}

function operationText({ operationId, summary, parameters, requestBody, responses }: ApiOperation): string {
  const fields = (where: string): string => {
    const found = parameters.filter((one) => one.in === where)
    if (found.length === 0) return ''
    const text = found.map(({ name, required, schema }) => `${key(name)}${required ? '' : '?'}: ${queryType(schema)}`)
    const optional = where === 'query' && found.every(({ required }) => !required)
    return `${where === 'path' ? 'path' : 'query'}${optional ? '?' : ''}: { ${text.join('; ')} }`
  }
  const body = requestBody?.content['application/json']?.schema
  const input = [fields('path'), fields('query'), body === undefined ? '' : `body: ${typeOf(body, '    ')}`]
  const outputs = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => {
      const [type, media] = Object.entries(content ?? {})[0] ?? []
      if (media === undefined) return 'undefined'
      return isStreamed(type ?? '') ? 'AsyncIterable<string>' : typeOf(media.schema, '    ')
    })
  const takes = input.filter((part) => part !== '').join('; ')
  return `  /** ${summary}. */\n  ${operationId}: { input: { ${takes} }; output: ${[...new Set(outputs)].join(' | ')} }`
}

/** Queries are text on the wire; numbers may be given as numbers. */
function queryType(schema: Schema): string {
  const type = typeOf(schema, '')
  return type === 'string' ? 'string | number' : type
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.slice('#/components/schemas/'.length)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `readonly (${typeOf(schema.items ?? {}, indent)})[]`
    case 'object':
      return objectType(schema, indent)
    default:
      return 'unknown'
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const comment = schema.description === undefined ? '' : `${inner}/** ${schema.description} */\n`
    return `${comment}${inner}readonly ${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)}`
  })
  if (typeof additionalProperties === 'object') {
    const rest = lines.length === 0 ? typeOf(additionalProperties, inner) : 'unknown'
    lines.push(`${inner}readonly [name: string]: ${rest}`)
  }
  return lines.length === 0 ? 'Readonly<Record<string, unknown>>' : `{\n${lines.join('\n')}\n${indent}}`
}

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
}
