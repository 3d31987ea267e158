import type { Patterns } from './patterns.ts'
import type { Schema, SchemaDocument } from './schema-document.ts'
import type { SchemaProblem } from './schema-problem.ts'

/** What one evaluation found, and which properties and items of the value it looked at. */
export interface Outcome {
  readonly problems: SchemaProblem[]
  readonly seen: Set<string>
}

/** What keywords ask of the evaluation that they are part of. */
export interface Evaluator {
  readonly document: SchemaDocument
  readonly patterns: Patterns
  /** Holds another value, that is part of the current one, against a schema. */
  child(schema: Schema, value: unknown, path: readonly string[]): SchemaProblem | undefined
  /** Holds a value against a schema. */
  run(schema: Schema, value: unknown, path: readonly string[]): Outcome
}

/** One value under evaluation. */
export interface Frame {
  readonly schema: Readonly<Record<string, unknown>>
  readonly value: unknown
  readonly path: readonly string[]
  readonly outcome: Outcome
  readonly evaluation: Evaluator
}

/** Several problems as one. */
export function joined(problems: readonly SchemaProblem[], path: readonly string[]): SchemaProblem | undefined {
  if (problems.length <= 1) return problems[0]
  return { path, message: 'validation failed', causes: problems, group: true }
}
