import { EvaluationError, type ParseResult } from '@marcbachmann/cel-js'
import { RE2JS } from 're2js'

const weightKey = Symbol('weight')

/** What one evaluation gave, and what it cost. */
export interface Metered {
  readonly value?: unknown
  readonly cost: number
  /** Whether it was ended because it cost more than it may. */
  readonly exceeded: boolean
  readonly error?: EvaluationError
}

/**
 * Evaluates an expression and counts what it costs, about as the API server's CEL does: one for each variable, field and call, more for
 * literals and long strings. An expression that costs more than `limit` is ended.
 */
export function evaluateMetered(run: ParseResult, context: Record<string, unknown>, limit: number): Metered {
  const meter = new Meter(limit)
  const root = run.ast as unknown as Node
  // The library calls the root itself and everything below it through the evaluator.
  const enter: Node['evaluate'] = (evaluator, node, scope) => {
    evaluator.run = (below, inner) => meter.run(evaluator, below, inner)
    Reflect.deleteProperty(node, 'evaluate')
    return evaluator.run(node, scope)
  }
  root.evaluate = enter
  try {
    const value = run(context) as unknown
    return meter.exceeded ? { cost: meter.spent, exceeded: true } : { value, cost: meter.spent, exceeded: false }
  } catch (error) {
    if (meter.exceeded) return { cost: meter.spent, exceeded: true }
    if (!(error instanceof EvaluationError)) throw error
    return { cost: meter.spent, exceeded: false, error }
  }
}

/** What the library calls a node of an expression, as far as it is needed here. */
interface Node {
  readonly op: string
  readonly args: unknown
  readonly meta: { readonly alternate?: Node }
  evaluate(evaluator: Evaluator, node: Node, scope: unknown): unknown
  /** Kept here, since looking it up elsewhere would take longer than most nodes do. */
  [weightKey]?: Weight
}

/** What a node costs by itself, and what of its operands adds to that. */
interface Weight {
  readonly fixed: number
  readonly by?: 'length' | 'items' | 'product'
  /** The call of a regular expression. */
  readonly matches?: Node
}

interface Evaluator {
  run(node: Node, scope: unknown): unknown
}

/** Thrown where the limit is reached; one for all, since `all` and `exists` go on past errors and meet it again for each item. */
const limitReached = new Error('operation cancelled: actual cost limit exceeded')

/** Strings cost a tenth of what each of their characters would. */
const perCharacter = 0.1

class Meter {
  spent = 0
  readonly #limit: number
  readonly #patterns = new Map<string, RE2JS>()
  /** The length of all strings and lists that the operation at hand was given, and of strings multiplied. */
  #length = 0
  #product = 1

  constructor(limit: number) {
    this.#limit = limit
  }

  get exceeded(): boolean {
    return this.spent > this.#limit
  }

  run(evaluator: Evaluator, node: Node, scope: unknown): unknown {
    if (this.spent > this.#limit) throw limitReached
    const length = this.#length
    const product = this.#product
    this.#length = 0
    this.#product = 1
    const weight = node[weightKey] ?? weigh(node)
    const value =
      weight.matches === undefined
        ? node.evaluate(evaluator, node, scope)
        : this.#matches(evaluator, weight.matches, scope)
    this.spent += weight.fixed
    if (weight.by !== undefined) this.spent += variableCost(weight.by, this.#length, this.#product)
    if (this.spent > this.#limit) throw limitReached
    const size = typeof value === 'string' || typeof value === 'object' ? sizeOf(value) : 0
    this.#length = length + size
    this.#product = size === 0 ? product : product * Math.ceil(size * perCharacter)
    return value
  }

  /** Regular expressions take linear time, as in Go; the library's own may take for ever. */
  #matches(evaluator: Evaluator, node: Node, scope: unknown): unknown {
    const [, receiver, [pattern]] = node.args as [string, Node, [Node]]
    const [text, expression] = [evaluator.run(receiver, scope), evaluator.run(pattern, scope)]
    if (typeof text !== 'string' || typeof expression !== 'string') return node.evaluate(evaluator, node, scope)
    let compiled = this.#patterns.get(expression)
    if (compiled === undefined) this.#patterns.set(expression, (compiled = compilePattern(expression)))
    return compiled.matcher(text).find()
  }
}

function weigh(node: Node): Weight {
  const real = node.meta.alternate ?? node
  if (real.op === 'comprehension') weighItems(real)
  return (node[weightKey] = { ...weightOf(real), ...(isMatches(real) && { matches: real }) })
}

/** What the loop itself costs for each item: how `all` and `exists` are spelt out says how often the result so far is read. */
function weighItems(comprehension: Node): void {
  const { step, kind, init, condition } = comprehension.args as Loop
  if (kind !== 'quantifier' || condition === undefined) return
  const own = weigh(step)
  step[weightKey] = { ...own, fixed: own.fixed + (init.args === true ? 3 : 4) }
}

interface Loop {
  readonly step: Node
  readonly kind?: string
  readonly init: Node
  readonly condition?: unknown
}

function weightOf({ op, args }: Node): Weight {
  if (op !== 'call' && op !== 'rcall') return weights.get(op) ?? { fixed: 1 }
  if (nameOf(args) === 'size') return { fixed: 1 }
  return { fixed: 0, by: op === 'rcall' && productCalls.has(nameOf(args)) ? 'product' : 'length' }
}

/** All that costs something else than one: variables, fields and the like do not. */
const weights = new Map<string, Weight>([
  ...['value', '?:', '&&', '||'].map((op): [string, Weight] => [op, { fixed: 0 }]),
  ...['+', '==', '!=', '<', '<=', '>', '>='].map((op): [string, Weight] => [op, { fixed: 0, by: 'length' }]),
  ['in', { fixed: 0, by: 'items' }],
  ['list', { fixed: 10 }],
  ['map', { fixed: 30 }],
  // A list of one item is made and added to the result so far.
  ['accuPush', { fixed: 12 }],
])

const productCalls = new Set(['contains', 'matches', 'indexOf', 'lastIndexOf', 'replace'])

function nameOf(args: unknown): string {
  return (args as [string])[0]
}

function variableCost(by: 'length' | 'items' | 'product', length: number, product: number): number {
  switch (by) {
    case 'length':
      return length <= 10 ? 1 : Math.ceil(length * perCharacter)
    case 'items':
      return Math.max(1, length)
    case 'product':
      return product
  }
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array ? value.length : 0
}

function isMatches({ op, args }: Node): boolean {
  return (
    op === 'rcall' &&
    Array.isArray(args) &&
    nameOf(args) === 'matches' &&
    Array.isArray(args[2]) &&
    args[2].length === 1
  )
}

function compilePattern(text: string): RE2JS {
  try {
    return RE2JS.compile(text)
  } catch (error) {
    throw new EvaluationError(`invalid regular expression: ${(error as Error).message}`)
  }
}
