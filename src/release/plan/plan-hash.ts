import { createHash } from 'node:crypto'
import { isRecord, stringifyJson } from '../../core/index.ts'
import type { Plan } from '../plan.ts'
import type { SavedPlan } from './saved-plan.ts'

/**
 * Identifies one plan: everything that it says, its nonce and its options included. The seed and the key of Secrets are left out, so
 * that the plan as it is printed has the same hash; `objectsHash` binds the objects that follow from them. So are the signatures, which sign the hash.
 */
export function planHash(plan: Plan & Partial<Pick<SavedPlan, 'inputs' | 'signatures'>>): string {
  const { key: _, signatures: __, inputs, ...decided } = plan
  const { seed: ___, ...content } = inputs?.content ?? {}
  const text = canonicalJson({ ...decided, inputs: inputs?.content === undefined ? inputs : { ...inputs, content } })
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

/** JSON with sorted keys, so that a plan that was written and read again is the same. */
export function canonicalJson(value: unknown): string {
  return stringifyJson(sorted(value)) ?? ''
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}
