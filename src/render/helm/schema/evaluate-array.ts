import { stringifyJson } from '../../../core/index.ts'
import type { Frame } from './frame.ts'
import { exactNumber } from './exact-number.ts'
import { sameJson } from './json-value.ts'
import type { Schema } from './schema-document.ts'
import { grouped, type SchemaProblem } from './schema-problem.ts'

/** Keywords of arrays but for unevaluatedItems. */
export function evaluateArray(frame: Frame): void {
  const { value } = frame
  if (!Array.isArray(value)) return
  const items = value as readonly unknown[]
  const { minItems, maxItems, uniqueItems } = frame.schema
  if (typeof minItems === 'number' && items.length < minItems) {
    add(frame, `minItems: got ${grouped(items.length)}, want ${grouped(minItems)}`)
  }
  if (typeof maxItems === 'number' && items.length > maxItems) {
    add(frame, `maxItems: got ${grouped(items.length)}, want ${grouped(maxItems)}`)
  }
  if (uniqueItems === true) tellDuplicates(frame, items)
  evaluateItems(frame, items)
  evaluateContains(frame, items)
}

function tellDuplicates(frame: Frame, items: readonly unknown[]): void {
  const texts = new Map<string, number>()
  for (const [second, item] of items.entries()) {
    const text = textOf(item)
    const first =
      text === undefined
        ? items.findIndex((other, at) => at < second && sameJson(other, item))
        : (texts.get(text) ?? -1)
    if (first >= 0) {
      add(frame, `items at ${first} and ${second} are equal`)
      return
    }
    if (text !== undefined) texts.set(text, second)
  }
}

// Scalars are found by their text; int64 1 and float64 1 are the same number.
function textOf(item: unknown): string | undefined {
  const number = exactNumber(item)
  if (number !== undefined) return `${number.digits}e${-number.places}`
  return typeof item === 'object' ? undefined : stringifyJson(item)
}

// Until 2019-09 `items` may be a list and `additionalItems` rules the rest; from 2020-12 on these are prefixItems and items.
function evaluateItems(frame: Frame, items: readonly unknown[]): void {
  const { schema, evaluation } = frame
  const isNew = evaluation.document.draft >= 2020
  const prefix = isNew ? schema['prefixItems'] : schema['items']
  const leading = Array.isArray(prefix) ? (prefix as Schema[]) : []
  for (const [index, rule] of leading.entries()) if (index < items.length) check(frame, rule, items, index)
  if (!isNew && !Array.isArray(prefix)) {
    if (prefix !== undefined) for (const index of items.keys()) check(frame, prefix as Schema, items, index)
    return
  }
  const rest = schema[isNew ? 'items' : 'additionalItems'] as Schema | undefined
  if (rest === undefined || items.length <= leading.length) return
  if (rest === false && !isNew) {
    add(frame, `last ${grouped(items.length - leading.length)} additionalItem(s) not allowed`)
    return
  }
  for (let index = leading.length; index < items.length; index++) check(frame, rest, items, index)
}

function check({ path, outcome, evaluation }: Frame, rule: Schema, items: readonly unknown[], index: number): void {
  outcome.seen.add(String(index))
  const problem = evaluation.child(rule, items[index], [...path, String(index)])
  if (problem !== undefined) outcome.problems.push(problem)
}

function evaluateContains(frame: Frame, items: readonly unknown[]): void {
  const { schema, path, outcome, evaluation } = frame
  const rule = schema['contains'] as Schema | undefined
  if (rule === undefined || evaluation.document.draft === 4) return
  const problems: SchemaProblem[] = []
  const matched: number[] = []
  for (const [index, item] of items.entries()) {
    const problem = evaluation.child(rule, item, [...path, String(index)])
    if (problem === undefined) matched.push(index)
    else problems.push(problem)
  }
  if (evaluation.document.draft >= 2020) for (const index of matched) outcome.seen.add(String(index))
  const { minContains, maxContains } = schema
  if (typeof minContains === 'number' && matched.length < minContains) {
    const found = matched.length === 0 ? 'none matched' : `matched ${matched.length} items at ${matched.join(' ')}`
    const message = `min ${minContains} items required to match contains schema, but ${found}`
    outcome.problems.push({ path, message, causes: problems })
  } else if (typeof minContains !== 'number' && matched.length === 0) {
    outcome.problems.push({ path, message: 'no items match contains schema', causes: problems })
  }
  if (typeof maxContains === 'number' && matched.length > maxContains) {
    const found = `matched ${matched.length} items at ${matched.join(' ')}`
    add(frame, `max ${maxContains} items required to match contains schema, but ${found}`)
  }
}

function add({ path, outcome }: Frame, message: string): void {
  outcome.problems.push({ path, message, causes: [] })
}
