import { isLadingError, isRecord } from '../../../core/index.ts'
import { parseYamlValue } from '../../../core/yaml/index.ts'

/** What a linter looks at in a document. */
export interface LintDocument {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly value: Readonly<Record<string, unknown>>
}

/** Reads documents one by one, as Helm's linter does: a sentence ends it where one cannot be read; empty ones are left out. */
export function* lintDocuments(text: string): Generator<LintDocument | string> {
  for (const part of text.split(/\n---[^\n]*(?:\n|$)/)) {
    const found = readDocument(part)
    if (found !== undefined) yield found
    if (typeof found === 'string') return
  }
}

function readDocument(text: string): LintDocument | string | undefined {
  let value: unknown
  try {
    value = parseYamlValue(text.replace(/^---[^\n]*\n/, ''), { lenient: true })
  } catch (error) {
    if (isLadingError(error)) return error.message
    throw error
  }
  if (value === null || value === undefined) return undefined
  if (!isRecord(value)) return `cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into an object`
  const metadata = value['metadata'] ?? {}
  if (!isRecord(metadata)) return 'metadata is no object'
  const fields = {
    apiVersion: value['apiVersion'],
    kind: value['kind'],
    name: metadata['name'],
    namespace: metadata['namespace'],
  }
  const wrong = Object.entries(fields).find(([, field]) => typeof field === 'object' && field !== null)
  if (wrong !== undefined) return `cannot unmarshal ${typeof wrong[1]} into ${wrong[0]} of type string`
  return { apiVersion: textOf(fields.apiVersion), kind: textOf(fields.kind), name: textOf(fields.name), value }
}

// Where a text is expected, a number or a truth value becomes one.
function textOf(field: unknown): string {
  if (typeof field === 'string') return field
  return typeof field === 'number' || typeof field === 'bigint' || typeof field === 'boolean' ? `${field}` : ''
}
