import { isRecord, LadingError } from '../../../core/index.ts'
import { evaluateArray } from './evaluate-array.ts'
import { evaluateCombined } from './evaluate-combined.ts'
import { evaluateObject } from './evaluate-object.ts'
import { evaluateNumber, evaluateText } from './evaluate-scalar.ts'
import { evaluateValue } from './evaluate-value.ts'
import { type Evaluator, type Frame, joined, type Outcome } from './frame.ts'
import type { Patterns } from './patterns.ts'
import type { Schema, SchemaDocument } from './schema-document.ts'
import type { SchemaProblem } from './schema-problem.ts'

const maxDepth = 300
const maxSteps = 300_000

/** Evaluates values against a schema, in bounded depth and work whatever the schema refers to. */
export class Evaluation implements Evaluator {
  readonly document: SchemaDocument
  readonly patterns: Patterns
  /** Schemas that are being held against the same value: meeting one again would never end. */
  #open: Schema[] = []
  #depth = 0
  #steps = 0

  constructor(document: SchemaDocument, patterns: Patterns) {
    this.document = document
    this.patterns = patterns
  }

  child(schema: Schema, value: unknown, path: readonly string[]): SchemaProblem | undefined {
    const open = this.#open
    this.#open = []
    const { problems } = this.run(schema, value, path)
    this.#open = open
    return joined(problems, path)
  }

  run(schema: Schema, value: unknown, path: readonly string[]): Outcome {
    const outcome: Outcome = { problems: [], seen: new Set() }
    if (typeof schema === 'boolean') {
      if (!schema) outcome.problems.push({ path, message: 'false schema', causes: [] })
      return outcome
    }
    if (!isRecord(schema)) {
      const place = path.length === 0 ? 'a part of it' : `what is said of /${path.join('/')}`
      throw new LadingError('schema.invalid', `values.schema.json: ${place} is neither a map nor a boolean`)
    }
    if (this.#open.includes(schema)) {
      outcome.problems.push({ path, message: 'the schema refers to itself without end', causes: [] })
      return outcome
    }
    if (++this.#steps > maxSteps || this.#depth >= maxDepth) {
      throw new LadingError(
        'schema.invalid',
        'values.schema.json takes too long to evaluate: it refers to itself too often',
      )
    }
    this.#open.push(schema)
    this.#depth++
    evaluateFrame({ schema, value, path, outcome, evaluation: this })
    this.#depth--
    this.#open.pop()
    return outcome
  }
}

function evaluateFrame(frame: Frame): void {
  const { schema, outcome, evaluation } = frame
  const isOld = evaluation.document.draft < 2019
  if (isOld && typeof schema['$ref'] === 'string') {
    followReference(frame, schema['$ref'])
    return
  }
  const problem = evaluateValue(frame)
  if (problem !== undefined) {
    outcome.problems.push(problem)
    return
  }
  for (const keyword of ['$ref', '$recursiveRef', '$dynamicRef']) {
    const reference = schema[keyword]
    if (!isOld && typeof reference === 'string') followReference(frame, reference)
  }
  evaluateObject(frame)
  evaluateArray(frame)
  evaluateText(frame)
  evaluateNumber(frame)
  evaluateCombined(frame)
}

function followReference({ schema, value, path, outcome, evaluation }: Frame, reference: string): void {
  const { problems, seen } = evaluation.run(evaluation.document.resolve(reference, schema), value, path)
  for (const each of seen) outcome.seen.add(each)
  if (problems.length > 0) {
    outcome.problems.push({ path, message: 'validation failed', causes: problems, reference: true })
  }
}
