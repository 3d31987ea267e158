import { isRecord } from '../../../core/index.ts'
import { type Frame, joined, type Outcome } from './frame.ts'
import type { Schema } from './schema-document.ts'
import type { SchemaProblem } from './schema-problem.ts'

/** not, allOf, anyOf, oneOf, if/then/else, and what no other keyword looked at. */
export function evaluateCombined(frame: Frame): void {
  const { schema } = frame
  if (schema['not'] !== undefined && run(frame, schema['not']).problems.length === 0) add(frame, `'not' failed`)
  allOf(frame, listOf(schema['allOf']))
  anyOf(frame, listOf(schema['anyOf']))
  oneOf(frame, listOf(schema['oneOf']))
  ifThenElse(frame)
  if (frame.evaluation.document.draft >= 2019) unevaluated(frame)
}

function allOf(frame: Frame, schemas: readonly unknown[]): void {
  const causes = schemas.flatMap((schema) => failure(frame, take(frame, run(frame, schema))))
  if (causes.length > 0) add(frame, `'allOf' failed`, causes)
}

function anyOf(frame: Frame, schemas: readonly unknown[]): void {
  if (schemas.length === 0) return
  const causes: SchemaProblem[] = []
  let matched = false
  for (const schema of schemas) {
    const outcome = take(frame, run(frame, schema))
    if (outcome.problems.length === 0) matched = true
    causes.push(...failure(frame, outcome))
  }
  if (!matched) add(frame, `'anyOf' failed`, causes)
}

function oneOf(frame: Frame, schemas: readonly unknown[]): void {
  if (schemas.length === 0) return
  const outcomes = schemas.map((schema) => run(frame, schema))
  const matched = [...outcomes.keys()].filter((index) => outcomes[index]!.problems.length === 0)
  if (matched.length === 0) {
    add(
      frame,
      `'oneOf' failed, none matched`,
      outcomes.flatMap((outcome) => failure(frame, outcome)),
    )
  } else if (matched.length > 1) {
    add(frame, `'oneOf' failed, subschemas ${matched[0]}, ${matched[1]} matched`)
  } else {
    take(frame, outcomes[matched[0]!]!)
  }
}

function ifThenElse(frame: Frame): void {
  const { schema, outcome, evaluation } = frame
  if (schema['if'] === undefined || evaluation.document.draft < 7) return
  const holds = take(frame, run(frame, schema['if'])).problems.length === 0
  const next = schema[holds ? 'then' : 'else']
  if (next === undefined) return
  outcome.problems.push(...failure(frame, take(frame, run(frame, next))))
}

function unevaluated(frame: Frame): void {
  const { schema, value, path, outcome, evaluation } = frame
  const keyword = Array.isArray(value) ? 'unevaluatedItems' : isRecord(value) ? 'unevaluatedProperties' : undefined
  if (keyword === undefined || schema[keyword] === undefined) return
  for (const [name, item] of Object.entries(value as object)) {
    if (outcome.seen.has(name)) continue
    outcome.seen.add(name)
    const problem = evaluation.child(schema[keyword] as Schema, item, [...path, name])
    if (problem !== undefined) outcome.problems.push(problem)
  }
}

function run({ value, path, evaluation }: Frame, schema: unknown): Outcome {
  return evaluation.run(schema as Schema, value, path)
}

// What a schema that fails has looked at does not count.
function take(frame: Frame, outcome: Outcome): Outcome {
  if (outcome.problems.length === 0) for (const each of outcome.seen) frame.outcome.seen.add(each)
  return outcome
}

function failure({ path }: Frame, { problems }: Outcome): SchemaProblem[] {
  const problem = joined(problems, path)
  return problem === undefined ? [] : [problem]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function add({ path, outcome }: Frame, message: string, causes: readonly SchemaProblem[] = []): void {
  outcome.problems.push({ path, message, causes })
}
