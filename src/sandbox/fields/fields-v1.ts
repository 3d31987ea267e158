import { isRecord, parseJson, stringifyJson } from '../../core/index.ts'
import { childOf, type FieldSet, type FieldSetBuilder, newSet, trim } from './field-set.ts'

/** Writes a set as `fieldsV1`: nested maps whose keys are the steps, `.` where a path with children is itself a member. */
export function toFieldsV1(set: FieldSet): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const steps = new Set([...set.members, ...set.children.keys()])
  for (const step of [...steps].sort()) {
    const child = set.children.get(step)
    if (child === undefined) result[step] = {}
    else result[step] = set.members.has(step) ? { '.': {}, ...toFieldsV1(child) } : toFieldsV1(child)
  }
  return result
}

/** Reads `fieldsV1`; what is not of its form is left out, as an API server would have refused it. */
export function fromFieldsV1(fields: unknown): FieldSet {
  const set = newSet()
  if (isRecord(fields)) readInto(set, fields)
  return set
}

function readInto(set: FieldSetBuilder, fields: Record<string, unknown>): void {
  for (const [step, below] of Object.entries(fields)) {
    if (step === '.' || !isRecord(below)) continue
    const keys = Object.keys(below)
    if (keys.length === 0 || keys.includes('.')) set.members.add(step)
    if (keys.length === 0) continue
    readInto(childOf(set, step), below)
    trim(set, step)
  }
}

/** A path for people and for conflict causes: `.spec.containers[name="web"].image`. */
export function formatPath(path: readonly string[]): string {
  return path.map(formatStep).join('')
}

function formatStep(step: string): string {
  const text = step.slice(2)
  if (step.startsWith('f:')) return `.${text}`
  if (step.startsWith('v:')) return `[=${text}]`
  if (step.startsWith('k:')) {
    const keys = Object.entries(parseJson(text) as Record<string, unknown>)
    return `[${keys.map(([key, value]) => `${key}=${stringifyJson(value)}`).join(',')}]`
  }
  return `[${text}]`
}
