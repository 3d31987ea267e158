import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../core/index.ts'
import type { Cause } from '../status-error.ts'

/**
 * The causes that stand against a changed custom resource. What was already wrong and did not change is let through, so
 * that objects stay writable when their definition becomes stricter (CRDValidationRatcheting).
 */
export function newCauses(causes: readonly Cause[], object: unknown, old: unknown): Cause[] {
  return causes.filter(({ reason, field = '' }) => {
    const steps = stepsOf(field)
    // A missing field is the fault of what it is missing in.
    const at = reason === 'FieldValueRequired' ? steps.slice(0, -1) : steps
    const before = valueAt(old, at)
    return at.length === 0 || before === undefined || !isDeepStrictEqual(valueAt(object, at), before)
  })
}

function stepsOf(path: string): string[] {
  return path === '<nil>' ? [] : path.split(/[.[\]]+/).filter((step) => step !== '')
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)] as unknown
    return isRecord(at) ? at[step] : undefined
  }, value)
}
