import { isRecord, LadingError, parseJson } from '../../../core/index.ts'
import { Evaluation } from '../../helm/schema/evaluate.ts'
import { Patterns } from '../../helm/schema/patterns.ts'
import { schemaDocument } from '../../helm/schema/schema-document.ts'
import type { SchemaProblem } from '../../helm/schema/schema-problem.ts'
import type { ValueIssue } from '../child/messages.ts'

type Values = Readonly<Record<string, unknown>>

/** Values with the defaults of a JSON Schema, and what does not fit it. */
export interface SchemaValues {
  readonly values: Values
  readonly issues: readonly ValueIssue[]
}

/** Holds values to a JSON Schema and fills in its defaults. */
export function schemaValues(text: string, given: Values, path: string): SchemaValues {
  const schema = parseJson(text)
  if (!isRecord(schema)) {
    throw new LadingError('schema.invalid', `${path}: values is no schema of zod and no JSON Schema`, { file: path })
  }
  const values = withDefaults(given, schema, schema) as Values
  const document = schemaDocument(schema, () => undefined)
  const { problems } = new Evaluation(document, new Patterns()).run(document.root, values, [])
  return { values, issues: problems.flatMap(issuesOf) }
}

function issuesOf({ path, message, causes }: SchemaProblem): ValueIssue[] {
  if (causes.length > 0) return causes.flatMap(issuesOf)
  return [{ path: path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)), message }]
}

const maxDepth = 100

/** Fills in what properties have as `default`, in maps that are there or have defaults themselves. */
function withDefaults(value: unknown, given: unknown, root: Values, depth = 0): unknown {
  const schema = resolved(given, root)
  if (!isRecord(schema) || depth > maxDepth) return value
  const current = value === undefined ? schema['default'] : value
  const { properties } = schema
  if (!isRecord(properties) || (current !== undefined && !isRecord(current))) return current
  const filled = { ...current }
  for (const [key, below] of Object.entries(properties)) {
    const known = Object.hasOwn(filled, key) ? filled[key] : undefined
    const found = withDefaults(known, below, root, depth + 1)
    if (found !== undefined) Object.defineProperty(filled, key, { value: found, ...plain })
  }
  return current === undefined && Object.keys(filled).length === 0 ? undefined : filled
}

const plain = { enumerable: true, configurable: true, writable: true }

function resolved(schema: unknown, root: Values): unknown {
  const pointer = isRecord(schema) ? schema['$ref'] : undefined
  if (typeof pointer !== 'string' || !pointer.startsWith('#/')) return schema
  const steps = pointer.slice(2).split('/')
  return steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, step) => (isRecord(at) && Object.hasOwn(at, step) ? at[step] : undefined), root)
}
