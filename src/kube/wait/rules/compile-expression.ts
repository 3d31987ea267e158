import { createRequire } from 'node:module'
import type * as cel from '@marcbachmann/cel-js'
import { LadingError } from '../../../core/index.ts'

const maxExpressionLength = 4096
const maxQuotedLength = 200

// Most commands have no rule, and the language is a fifth of what this room costs to start: it is loaded with the first.
let anyVariable: cel.Environment | undefined

/**
 * Compiles a CEL expression that gives a bool; a broken one throws `cel.invalid` with its place. With `variables` it may name no others;
 * without, every variable may be named, for not every kind keeps to spec and status.
 */
export function compileExpression(expression: string, place: string, variables?: readonly string[]): cel.ParseResult {
  const invalid = (why: string, offset?: number, cause?: unknown): LadingError =>
    new LadingError('cel.invalid', `${place}: ${why}`, { expression, place, offset }, { cause })
  if (typeof expression !== 'string') throw invalid('the expression must be a string: quote it')
  if (expression.trim() === '') throw invalid('the expression is empty')
  if (expression.length > maxExpressionLength) {
    throw invalid(`the expression is longer than ${maxExpressionLength} characters`)
  }
  const refuse = (error: unknown): LadingError => {
    const offset = offsetOf(error)
    return invalid(`${mistakeIn(error, variables)}${pointAt(expression, offset)}`, offset, error)
  }
  let parsed: cel.ParseResult
  try {
    parsed = environmentOf(variables).parse(expression)
  } catch (error) {
    throw refuse(error)
  }
  const check = parsed.check()
  if (check.error !== undefined) throw refuse(check.error)
  if (check.type !== 'bool' && check.type !== 'dyn') {
    throw invalid(`the expression gives ${check.type}, not bool${pointAt(expression)}`)
  }
  return parsed
}

/** What CEL says is wrong, without its drawing of the place. */
export function summaryOf(error: unknown, otherwise = 'the expression cannot be read'): string {
  const summary = (error as { summary?: unknown }).summary
  return typeof summary === 'string' ? summary : otherwise
}

function environmentOf(variables: readonly string[] | undefined): cel.Environment {
  if (variables === undefined) return (anyVariable ??= newEnvironment(true))
  const environment = newEnvironment(false)
  for (const name of variables) {
    // A field may be called as a type of the language is, such as `type` or `string`, or by a word that CEL reserves.
    try {
      environment.registerVariable(name, 'dyn')
    } catch {
      continue
    }
  }
  return environment
}

function newEnvironment(unlistedVariablesAreDyn: boolean): cel.Environment {
  const { Environment } = createRequire(import.meta.url)('@marcbachmann/cel-js') as typeof cel
  return new Environment({
    unlistedVariablesAreDyn,
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 1000, maxDepth: 64, maxListElements: 256, maxMapEntries: 256, maxCallArguments: 16 },
  })
}

function mistakeIn(error: unknown, variables: readonly string[] = []): string {
  const { code, node } = error as { code?: string; node?: { args?: unknown } }
  const summary = summaryOf(error)
  if (summary === 'Unexpected token: EOF') return 'the expression is not complete'
  if (code !== 'unknown_variable' || typeof node?.args !== 'string') return summary
  return `${node.args} is not a field of the object (the expression can use ${variables.join(', ')})`
}

function pointAt(expression: string, offset?: number): string {
  const quoted = expression.length > maxQuotedLength ? `${expression.slice(0, maxQuotedLength)}…` : expression
  return `${offset === undefined ? '' : ` at character ${offset + 1}`}: ${quoted}`
}

function offsetOf(error: unknown): number | undefined {
  return (error as { range?: { start: number } }).range?.start
}
