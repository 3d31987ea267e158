import { createRequire } from 'node:module'
import { createContext, Script } from 'node:vm'
import type * as cel from '@marcbachmann/cel-js'
import { formatRef, isRecord, type KubeObject, LadingError, refOf, toLadingError } from '../../core/index.ts'
import { computeStatus, guardStatus, type ObjectStatus } from '../../schema/index.ts'
import { mayStillCome } from './missing-field.ts'

/** How to tell the status of one kind, in CEL over the object's top-level fields and `self`, as Flux' healthCheckExprs. */
export interface ReadinessRule {
  /** Every version and group of the kind when absent. */
  readonly apiVersion?: string
  readonly kind: string
  readonly current: string
  readonly failed?: string
  readonly inProgress?: string
}

/** Gives the status of an object by a rule; undefined when none speaks about it. */
export type RuleJudge = (object: KubeObject) => ObjectStatus | undefined

/** Names an object's own CEL expression for being ready. */
export const readyWhenAnnotation = 'lading.dev/ready-when'
/** Names an object's own CEL expression for having failed. */
export const failedWhenAnnotation = 'lading.dev/failed-when'

const maxExpressionLength = 4096
// An expression with nested loops or a bad regular expression could run for years; a busy machine may need a second.
const evaluationMs = 2_000

// Most commands have no rule, and the language is a fifth of what this room costs to start: it is loaded with the first.
let environment: cel.Environment | undefined

function parse(expression: string): cel.ParseResult {
  if (environment === undefined) {
    const { Environment } = createRequire(import.meta.url)('@marcbachmann/cel-js') as typeof cel
    environment = new Environment({
      // Not every kind keeps to spec and status, so any top-level field may be named.
      unlistedVariablesAreDyn: true,
      enableOptionalTypes: true,
      homogeneousAggregateLiterals: false,
      limits: { maxAstNodes: 1000, maxDepth: 64, maxListElements: 256, maxMapEntries: 256, maxCallArguments: 16 },
    })
  }
  return environment.parse(expression)
}

/** Compiles rules and gives their judge, which reads the objects' own annotations too; a broken rule throws `cel.invalid`. */
export function compileRules(rules: readonly ReadinessRule[]): RuleJudge {
  const compiled = rules.map((rule, index) => ({ rule, steps: compileRule(rule, `rules[${index}]`) }))
  const own = new Map<string, Step>()
  return (object) => {
    const steps = annotatedSteps(object, own)
    if (steps.length > 0) return judgeBy(steps, object)
    const match = compiled.find(({ rule }) => speaksAbout(rule, object))
    return match === undefined ? undefined : judgeBy(match.steps, object)
  }
}

interface Step {
  readonly status: 'InProgress' | 'Failed' | 'Current'
  readonly expression: string
  readonly evaluate: cel.ParseResult
}

/** The order is the one of Flux' RFC 0009: being in progress excuses everything, a failure comes before success. */
function compileRule(rule: ReadinessRule, place: string): Step[] {
  const { inProgress, failed, current } = rule
  return [
    ...(inProgress === undefined ? [] : [compile('InProgress', inProgress, `${place}.inProgress`)]),
    ...(failed === undefined ? [] : [compile('Failed', failed, `${place}.failed`)]),
    compile('Current', current, `${place}.current`),
  ]
}

/** What is wrong with the expressions in an object's annotations. */
export function ruleMistakes(object: KubeObject): LadingError[] {
  const annotations: Readonly<Record<string, unknown>> = object.metadata.annotations ?? {}
  return [failedWhenAnnotation, readyWhenAnnotation].flatMap((annotation) => {
    const expression = annotations[annotation]
    if (expression === undefined || expression === null) return []
    try {
      compile('Current', expression as string, placeOf(object, annotation))
      return []
    } catch (error) {
      return [toLadingError(error)]
    }
  })
}

function annotatedSteps(object: KubeObject, known: Map<string, Step>): Step[] {
  const annotations = object.metadata.annotations
  const step = (status: Step['status'], annotation: string): Step[] => {
    const expression = annotations?.[annotation]
    if (expression === undefined) return []
    const key = `${status} ${expression}`
    const compiled = known.get(key) ?? compile(status, expression, placeOf(object, annotation))
    known.set(key, compiled)
    return [compiled]
  }
  return [...step('Failed', failedWhenAnnotation), ...step('Current', readyWhenAnnotation)]
}

function compile(status: Step['status'], expression: string, place: string): Step {
  const invalid = (why: string, offset?: number, cause?: unknown): LadingError =>
    new LadingError(
      'cel.invalid',
      `${place}: ${why}`,
      { expression, place, ...(offset !== undefined && { offset }) },
      { cause },
    )
  if (typeof expression !== 'string') throw invalid('the expression must be a string: quote it')
  if (expression.trim() === '') throw invalid('the expression is empty')
  if (expression.length > maxExpressionLength) {
    throw invalid(`the expression is longer than ${maxExpressionLength} characters`)
  }
  let evaluate: cel.ParseResult
  try {
    evaluate = parse(expression)
  } catch (error) {
    throw invalid(summaryOf(error), offsetOf(error), error)
  }
  const check = evaluate.check()
  if (check.error !== undefined) throw invalid(summaryOf(check.error), offsetOf(check.error), check.error)
  if (check.type !== 'bool' && check.type !== 'dyn') throw invalid(`the expression gives ${check.type}, not bool`)
  return { status, expression, evaluate }
}

function judgeBy(steps: readonly Step[], object: KubeObject): ObjectStatus {
  const guard = guardStatus(object)
  if (guard !== undefined) return guard
  const fields = celFields(object)
  let missing = ''
  for (const step of steps) {
    const outcome = evaluate(step, fields)
    if (outcome.error !== undefined) return evaluationFailed(step, outcome.error)
    if (outcome.holds) return tell(step, object)
    missing = outcome.missing === undefined ? '' : ` (${outcome.missing})`
  }
  // A failure rule alone leaves it to the usual rules to tell when the object is ready.
  if (steps.every((each) => each.status === 'Failed')) return computeStatus(object)
  return { status: 'InProgress', reason: 'RuleNotMet', message: `its readiness rule does not hold yet${missing}` }
}

function evaluationFailed({ expression }: Step, why: string): ObjectStatus {
  const message = `its readiness rule cannot be evaluated (${expression}): ${why}`
  return { status: 'Failed', reason: 'RuleError', message }
}

function tell(step: Step, object: KubeObject): ObjectStatus {
  const said = computeStatus(object).message
  switch (step.status) {
    case 'Current':
      return { status: 'Current', message: 'its readiness rule holds' }
    case 'Failed':
      return { status: 'Failed', reason: 'RuleFailed', message: `its failure rule holds (${step.expression}): ${said}` }
    case 'InProgress':
      return { status: 'InProgress', reason: 'RuleInProgress', message: 'its in-progress rule holds' }
  }
}

/** What one look at an expression gave. */
interface Outcome {
  readonly holds: boolean
  /** What is not there yet. */
  readonly missing?: string
  /** Why the expression cannot be evaluated, and never will be. */
  readonly error?: string
}

/** What a controller has not written yet is "not yet"; any other error would be waited out in vain. */
function evaluate({ expression, evaluate: run }: Step, fields: Record<string, unknown>): Outcome {
  try {
    const value = inTime(() => run(fields))
    if (typeof value === 'boolean') return { holds: value }
    return value === null ? { holds: false } : { holds: false, error: 'the expression does not give true or false' }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new LadingError('cel.invalid', `the expression takes longer than ${evaluationMs} ms`, { expression })
    }
    const why = summaryOf(error, 'the expression cannot be evaluated')
    return mayStillCome(error, fields) ? { holds: false, missing: why } : { holds: false, error: why }
  }
}

const sandbox: { run: () => unknown } = createContext({ run: () => undefined }) as { run: () => unknown }
const runner = new Script('run()')

/** The virtual machine's own clock ends even a regular expression that never would. */
function inTime(run: () => unknown): unknown {
  sandbox.run = run
  try {
    return runner.runInContext(sandbox, { timeout: evaluationMs })
  } finally {
    sandbox.run = () => undefined
  }
}

/** The object as CEL sees it: whole numbers are `int`, and nothing of JavaScript's own objects shows through. */
function celFields(object: KubeObject): Record<string, unknown> {
  const fields = Object.assign(Object.create(null) as Record<string, unknown>, toCel(object))
  fields['self'] ??= { ...fields }
  return fields
}

function toCel(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(toCel)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).filter(([key]) => key !== 'managedFields')
  return Object.fromEntries(entries.map(([key, inner]) => [key, toCel(inner)]))
}

function speaksAbout(rule: ReadinessRule, object: KubeObject): boolean {
  return rule.kind === object.kind && (rule.apiVersion === undefined || rule.apiVersion === object.apiVersion)
}

function placeOf(object: KubeObject, annotation: string): string {
  return `${formatRef(refOf(object))}: annotation ${annotation}`
}

function summaryOf(error: unknown, otherwise = 'the expression cannot be read'): string {
  const summary = (error as { summary?: unknown }).summary
  return typeof summary === 'string' ? summary : otherwise
}

function offsetOf(error: unknown): number | undefined {
  return (error as { range?: { start: number } }).range?.start
}
