import type { ValueIssue } from './messages.ts'

/** What a schema made of values. */
export type ParsedValues = { readonly value: unknown } | { readonly issues: readonly ValueIssue[] }

/** Whether a schema is one of the Standard Schema specification, as those of zod are. */
export function isStandardSchema(schema: unknown): schema is { readonly '~standard': Standard } {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false
  return '~standard' in schema && typeof (schema['~standard'] as Partial<Standard>).validate === 'function'
}

interface Standard {
  validate(value: unknown): Outcome | Promise<Outcome>
}

type Outcome = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly Issue[] }

interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[]
}

/** Parses values by a schema; see https://standardschema.dev. */
export async function parseValues(schema: { readonly '~standard': Standard }, values: unknown): Promise<ParsedValues> {
  const outcome = await schema['~standard'].validate(values)
  if (outcome.issues === undefined) return { value: outcome.value }
  return {
    issues: outcome.issues.map(({ message, path = [] }) => ({
      message,
      path: path.map((step) => stepOf(typeof step === 'object' ? step.key : step)),
    })),
  }
}

function stepOf(step: PropertyKey): string | number {
  return typeof step === 'number' ? step : String(step)
}
