import { createContext, Script } from 'node:vm'
import type * as cel from '@marcbachmann/cel-js'
import { formatRef, isRecord, type KubeObject, LadingError, refOf, toLadingError } from '../../../core/index.ts'
import { computeStatus, guardStatus, type ObjectStatus } from '../../../schema/index.ts'
import { compileExpression, summaryOf } from './compile-expression.ts'
import { mayStillCome } from './missing-field.ts'
import { ruleVariables } from './rule-variables.ts'

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
export type RuleStatus = (object: KubeObject) => ObjectStatus | undefined

/** Names an object's own CEL expression for being ready. */
export const readyWhenAnnotation = 'lading.dev/ready-when'
/** Names an object's own CEL expression for having failed. */
export const failedWhenAnnotation = 'lading.dev/failed-when'

// An expression with nested loops or a bad regular expression could run for years; a busy machine may need a second.
const evaluationMs = 2_000

/** Compiles rules; the function that it returns reads the objects' own annotations too; a broken rule throws `cel.invalid`. */
export function compileRules(rules: readonly ReadinessRule[]): RuleStatus {
  const compiled = rules.map((rule, index) => ({ rule, steps: compileRule(rule, `rules[${index}]`) }))
  const own = new Map<string, Step>()
  return (object) => {
    const steps = annotatedSteps(object, own)
    if (steps.length > 0) return statusBy(steps, object)
    const match = compiled.find(({ rule }) => speaksAbout(rule, object))
    return match === undefined ? undefined : statusBy(match.steps, object)
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

/** What is wrong with the expressions in an object's annotations; a variable that is not one of its fields is a mistake. */
export function ruleMistakes(object: KubeObject): LadingError[] {
  const annotations: Readonly<Record<string, unknown>> = object.metadata.annotations ?? {}
  return [failedWhenAnnotation, readyWhenAnnotation].flatMap((annotation) => {
    const expression = annotations[annotation]
    if (expression === undefined || expression === null) return []
    try {
      compileExpression(expression as string, placeOf(object, annotation), ruleVariables(object))
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
  return { status, expression, evaluate: compileExpression(expression, place) }
}

function statusBy(steps: readonly Step[], object: KubeObject): ObjectStatus {
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
