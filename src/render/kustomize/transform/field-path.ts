import { splitPath } from '../config/field-spec.ts'
import { isMap, isNull, textOf, type Value } from '../yaml/value.ts'

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
  let current: Value | undefined = value
  for (const raw of path) {
    const step = raw.trim()
    if (step === '') continue
    if (current === undefined || isNull(current)) return undefined
    const match = listStep(step)
    if (match !== undefined || isIndex(step) || step === '-') {
      if (!Array.isArray(current)) return undefined
      current = match === undefined ? current.at(step === '-' ? -1 : Number(step)) : findItem(current, match)
    } else {
      if (!isMap(current)) return undefined
      current = current[step]
    }
  }
  return current
}

function findItem(list: readonly Value[], { key, value }: { key: string; value: string }): Value | undefined {
  if (key === '') return list.find((item) => textOf(item) === value)
  return list.find((item) => isMap(item) && Object.hasOwn(item, key) && textOf(item[key]) === value)
}
