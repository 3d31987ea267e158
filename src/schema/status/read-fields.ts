import { isRecord, type KubeObject } from '../../core/index.ts'

/** One entry of `status.conditions`. */
export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly observedGeneration: number | undefined
}

/** The value below a path of keys; undefined as soon as one is missing. */
export function valueAt(object: unknown, ...path: string[]): unknown {
  let value = object
  for (const key of path) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

/** The text below a path, or an empty one. */
export function textAt(object: unknown, ...path: string[]): string {
  const value = valueAt(object, ...path)
  return typeof value === 'string' ? value : ''
}

/** The integer below a path: controllers exist that write numbers as strings (Helm #32615), so those count too. */
export function integerAt(object: unknown, ...path: string[]): number | undefined {
  const value = valueAt(object, ...path)
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : undefined
}

/** The integer below a path, zero when it is missing: controllers leave zeros out. */
export function countAt(object: unknown, ...path: string[]): number {
  return integerAt(object, ...path) ?? 0
}

/** The maps of the list below a path; anything else in it is passed over. */
export function recordsAt(object: unknown, ...path: string[]): Record<string, unknown>[] {
  const value = valueAt(object, ...path)
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** The conditions of an object, in the order in which the controller wrote them. */
export function conditionsOf(object: KubeObject): Condition[] {
  return recordsAt(object, 'status', 'conditions').map((condition) => ({
    type: textAt(condition, 'type'),
    status: textAt(condition, 'status'),
    reason: textAt(condition, 'reason'),
    message: textAt(condition, 'message'),
    observedGeneration: integerAt(condition, 'observedGeneration'),
  }))
}

/** The condition of one type. */
export function conditionOf(object: KubeObject, type: string): Condition | undefined {
  return conditionsOf(object).find((condition) => condition.type === type)
}

/** What a condition says for people: its message, or its reason, or its type and status. */
export function explain(condition: Condition): string {
  if (condition.message !== '') return condition.message
  return condition.reason === '' ? `${condition.type} is ${condition.status}` : condition.reason
}
