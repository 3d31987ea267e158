import { isRecord, type KubeObject } from '../../core/index.ts'
import { partOf, records } from '../object-parts.ts'

/** One condition of a status. */
export interface Condition extends Record<string, unknown> {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

/** The conditions of an object. */
export function conditionsOf(object: KubeObject): Condition[] {
  return records(partOf(object, 'status')['conditions']) as Condition[]
}

/** One condition of an object, by type. */
export function conditionOf(object: KubeObject, type: string): Condition | undefined {
  return conditionsOf(object).find((condition) => condition.type === type)
}

/** Whether a condition of an object is True. */
export function isTrue(object: KubeObject, type: string): boolean {
  return conditionOf(object, type)?.status === 'True'
}

/**
 * Puts a condition last, as workload controllers do: one with the same status and reason stays as it is, message and all, and
 * the time of transition moves only when the status changes.
 */
export function withCondition(conditions: readonly Condition[], condition: Condition): Condition[] {
  const known = conditions.find(({ type }) => type === condition.type)
  if (known?.status === condition.status && known.reason === condition.reason) return [...conditions]
  const kept = known?.status === condition.status ? { lastTransitionTime: known['lastTransitionTime'] } : {}
  return [...withoutCondition(conditions, condition.type), { ...condition, ...kept }]
}

/** Replaces a condition in its place, or adds it; the time of transition moves only when the status changes. */
export function replaceCondition(conditions: readonly Condition[], condition: Condition, now: string): Condition[] {
  const known = conditions.find(({ type }) => type === condition.type)
  const lastTransitionTime = known?.status === condition.status ? known['lastTransitionTime'] : now
  const next = { ...condition, lastTransitionTime }
  return known === undefined ? [...conditions, next] : conditions.map((other) => (other === known ? next : other))
}

/** The conditions without one type. */
export function withoutCondition(conditions: readonly Condition[], type: string): Condition[] {
  return conditions.filter((condition) => isRecord(condition) && condition.type !== type)
}
