import { isDeepStrictEqual } from 'node:util'
import { Environment, type ParseResult } from '@marcbachmann/cel-js'
import { isRecord, stringifyJson } from '../../core/index.ts'
import type { RawSchema, SchemaNode } from '../../schema/index.ts'
import type { Cause } from '../status-error.ts'
import { evaluateMetered } from './cel-meter.ts'
import { celValue } from './cel-value.ts'
import { inTime } from './in-time.ts'

/** One entry of `x-kubernetes-validations`. */
export interface CelRule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
  readonly fieldPath?: string
  readonly optionalOldSelf?: boolean
}

/** The rules that a schema carries at one place. */
export function rulesOf(schema: RawSchema): CelRule[] {
  const rules = schema['x-kubernetes-validations']
  if (!Array.isArray(rules)) return []
  return rules.filter(isRecord).map((rule) => ({ ...rule, rule: typeof rule['rule'] === 'string' ? rule['rule'] : '' }))
}

/** Whether any place of a schema carries rules. */
export function hasRules(schema: RawSchema): boolean {
  if (rulesOf(schema).length > 0) return true
  const { items, properties, additionalProperties } = schema
  const below = [items, additionalProperties, ...Object.values(properties ?? {})]
  return below.some((child) => typeof child === 'object' && hasRules(child))
}

/**
 * A rule ready to run; `malformed` when it is no CEL, `unknown` when it asks for functions that this server does not have
 * (Kubernetes' own libraries for quantities, IPs, URLs, formats): such a rule is not enforced.
 */
export function compileRule(rule: string): ParseResult | 'malformed' | 'unknown' {
  try {
    const parsed = environment.parse(rule)
    return parsed.check().valid ? parsed : 'unknown'
  } catch {
    return 'malformed'
  }
}

/** How much checking one object may cost (as in Kubernetes: each rule, and all rules together) and how long it may take. */
export interface RuleLimits {
  readonly perRule: number
  readonly perObject: number
  readonly timeMs: number
}

const kubernetesLimits: RuleLimits = { perRule: 1_000_000, perObject: 10_000_000, timeMs: 10_000 }

/** What the rules of a type refuse in a value; `old` is the value that it takes the place of, where there is one. */
export function checkRules(
  node: SchemaNode,
  value: unknown,
  old: unknown,
  path: string,
  limits: RuleLimits = kubernetesLimits,
): Cause[] {
  const check: Check = { causes: [], path, budget: limits.perObject, perRule: limits.perRule }
  if (!inTime(() => walk(node, value, old, path, check), limits.timeMs)) {
    const why = 'validation failed due to running out of time, no further validation rules will be run'
    check.causes.push(endedCause(check.path, value, why))
  }
  return check.causes
}

/** The state of one check; a negative budget ends it. */
interface Check {
  readonly causes: Cause[]
  readonly perRule: number
  budget: number
  path: string
}

const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
  .registerVariable('self', 'dyn')
  .registerVariable('oldSelf', 'dyn')

interface CompiledRule extends CelRule {
  readonly run: ParseResult
  readonly showMessage: ParseResult | undefined
}

const compiled = new WeakMap<RawSchema, readonly CompiledRule[]>()

/** The rules of a schema that can be enforced, compiled once. */
function compiledRules(schema: RawSchema): readonly CompiledRule[] {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const rules = rulesOf(schema).flatMap((rule) => {
    const run = compileRule(rule.rule)
    const message = rule.messageExpression === undefined ? undefined : compileRule(rule.messageExpression)
    return typeof run === 'string'
      ? []
      : [{ ...rule, run, showMessage: typeof message === 'string' ? undefined : message }]
  })
  compiled.set(schema, rules)
  return rules
}

function walk(node: SchemaNode, value: unknown, old: unknown, path: string, check: Check): void {
  if (value === null || value === undefined) return
  const rules = compiledRules(node.raw)
  const self = rules.length === 0 ? undefined : celValue(node, value)
  for (const rule of rules) {
    if (check.budget < 0) return
    check.path = path
    check.causes.push(...checkRule(rule, { node, value, self, old, path }, check))
  }
  if (Array.isArray(value)) {
    const items = node.items()
    if (items === undefined) return
    for (const [index, item] of value.entries()) {
      if (check.budget < 0) return
      walk(items, item, correlated(node, item, old), `${path}[${index}]`, check)
    }
  } else if (isRecord(value)) {
    for (const [name, field] of Object.entries(value)) {
      if (check.budget < 0) return
      const child = node.field(name)
      const before = isRecord(old) ? old[name] : undefined
      const below = node.shape === 'map' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
      if (child !== undefined) walk(child, field, before, below, check)
    }
  }
}

/** The old item that a new one follows: only items of keyed lists can be told apart. */
function correlated(list: SchemaNode, item: unknown, old: unknown): unknown {
  if (list.listType !== 'map' || !Array.isArray(old) || !isRecord(item)) return undefined
  const keys = list.mapKeys
  return old.find((other: unknown) => isRecord(other) && keys.every((key) => other[key] === item[key])) as unknown
}

/** A value at its place; `self` is how CEL sees it. */
interface Place {
  readonly node: SchemaNode
  readonly value: unknown
  readonly self: unknown
  readonly old: unknown
  readonly path: string
}

function checkRule(rule: CompiledRule, { node, value, self, old, path }: Place, check: Check): Cause[] {
  // Rules about a change hold only where something changes.
  const transition = /\boldSelf\b/.test(rule.rule)
  if (transition && (old === undefined || rule.optionalOldSelf === true)) return []
  const context = { self, ...(transition ? { oldSelf: celValue(node, old) } : {}) }
  const outcome = evaluate(rule.run, context, check)
  if (outcome.ended !== undefined) {
    const name = rule.message ?? rule.rule.trim()
    const which = outcome.ended === 'rule' ? ` due to call cost exceeds limit for rule: ${name}` : ''
    return [endedCause(path, value, `${endings[outcome.ended]}no further validation rules will be run${which}`)]
  }
  if (outcome.value === true) return []
  // What was wrong before and stays as it was is let through, as everywhere in a changed object.
  if (!transition && old !== undefined && isDeepStrictEqual(value, old)) return []
  const message = messageOf(rule, context, check)
  const text =
    outcome.problem === undefined ? message : `"${jsonType(value)}": ${outcome.problem} evaluating rule: ${message}`
  const field = rule.fieldPath === undefined ? path : `${path}${rule.fieldPath}`
  return [causeOf(rule.reason ?? 'FieldValueInvalid', field === '' ? '<nil>' : field.replace(/^\./, ''), value, text)]
}

const endings = {
  rule: "'operation cancelled: actual cost limit exceeded': ",
  object: 'validation failed due to running out of cost budget, ',
}

/** The refusal of a value whose rules were not checked to the end. */
function endedCause(path: string, value: unknown, why: string): Cause {
  const message = `Invalid value: "${jsonType(value)}": ${why}`
  return { reason: 'FieldValueInvalid', message, field: path === '' ? '<nil>' : path }
}

function messageOf(rule: CompiledRule, context: Record<string, unknown>, check: Check): string {
  const text = rule.showMessage === undefined ? undefined : evaluate(rule.showMessage, context, check).value
  if (typeof text === 'string' && text.trim() !== '') return text
  return rule.message ?? `failed rule: ${rule.rule.trim()}`
}

interface Outcome {
  readonly value?: unknown
  readonly problem?: string
  /** The limit that ended it: that of a rule, or of all of them together. */
  readonly ended?: 'rule' | 'object'
}

// A rule that fails while it runs refuses the value, as on the API server.
function evaluate(run: ParseResult, context: Record<string, unknown>, check: Check): Outcome {
  const { value, cost, exceeded, error } = evaluateMetered(run, context, check.perRule)
  check.budget = exceeded ? -1 : check.budget - cost
  if (check.budget < 0) return { ended: exceeded ? 'rule' : 'object' }
  if (error === undefined) return { value }
  const [line = ''] = error.message.split('\n')
  return { problem: `${line.charAt(0).toLowerCase()}${line.slice(1)}` }
}

function causeOf(reason: string, field: string, value: unknown, text: string): Cause {
  switch (reason) {
    case 'FieldValueForbidden':
      return { reason, message: `Forbidden: ${text}`, field }
    case 'FieldValueRequired':
      return { reason, message: `Required value: ${text}`, field }
    case 'FieldValueDuplicate':
      return { reason, message: `Duplicate value: ${stringifyJson(value)}`, field }
    default:
      return { reason: 'FieldValueInvalid', message: `Invalid value: ${shown(value)}${text}`, field }
  }
}

/** Only scalars are shown; an object would be too long. */
function shown(value: unknown): string {
  return typeof value === 'object' ? '' : `${stringifyJson(value)}: `
}

function jsonType(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}
