import type { Slot } from '../config/apply-field-spec.ts'
import { splitPath } from '../config/field-spec.ts'
import { assign, isMap, isNull, textOf, type Value, type ValueMap } from '../yaml/value.ts'

/** Splits a dotted path; a bracketed step with an `=` stays whole, one without is a key that may hold dots. */
export function splitFieldPath(path: string): string[] {
  const steps: string[] = []
  const parts = splitPath(path, '.')
  for (let index = 0; index < parts.length; index++) {
    let step = parts[index]!
    if (!step.startsWith('[') || step.endsWith(']')) {
      steps.push(step)
      continue
    }
    while (index < parts.length - 1) {
      step += `.${parts[++index]!}`
      if (step.endsWith(']')) break
    }
    steps.push(step.includes('=') ? step : step.replaceAll(/^[[\]]+|[[\]]+$/g, ''))
  }
  return steps
}

/** A step like `[name=web]`, or `[=value]` for lists of scalars; undefined for other steps. */
export function listStep(step: string): { key: string; value: string } | undefined {
  const match = /^\[([^=]*)=(.*)\]$/s.exec(step)
  return match === null ? undefined : { key: match[1]!, value: match[2]! }
}

/** Whether a step is the index of a list item. */
export function isIndex(step: string): boolean {
  return /^\+?\d+$/.test(step)
}

/** The value that a path leads to; list steps match their text exactly. */
export function lookUp(value: Value, path: readonly string[]): Value | undefined {
  return slotAt(value, path)?.get()
}

/** The place that a path leads to, where there is something in it. */
export function slotAt(value: Value, path: readonly string[]): Slot | undefined {
  let slot: Slot = { get: () => value, set: () => undefined }
  for (const raw of path) {
    const step = raw.trim()
    if (step === '') continue
    const current = slot.get()
    if (isNull(current)) return undefined
    const key = Array.isArray(current) ? indexOf(current, step) : isMap(current) && !isListStep(step) ? step : undefined
    if (key === undefined || (current as Record<string | number, Value>)[key] === undefined) return undefined
    const container = current as ValueMap
    slot = { get: () => container[key]!, set: (next) => assign(container, key, next) }
  }
  return slot
}

function isListStep(step: string): boolean {
  return step === '-' || isIndex(step) || listStep(step) !== undefined
}

function indexOf(list: readonly Value[], step: string): number | undefined {
  if (step === '-') return list.length - 1
  if (isIndex(step)) return Number(step)
  const match = listStep(step)
  return match === undefined ? undefined : list.findIndex((item) => isItem(item, match))
}

function isItem(item: Value, { key, value }: { key: string; value: string }): boolean {
  if (key === '') return textOf(item) === value
  return isMap(item) && Object.hasOwn(item, key) && textOf(item[key]) === value
}
