import { isRecord, type KubeObject } from '../../core/index.ts'

/** One condition of a status. */
export interface Condition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/** The object with a condition set; the time changes only with the condition's status. */
export function withCondition(object: KubeObject, now: string, condition: Condition): KubeObject {
  const status = isRecord(object['status']) ? object['status'] : {}
  const conditions: unknown[] = Array.isArray(status['conditions']) ? status['conditions'] : []
  const known = conditions.find((other) => isRecord(other) && other['type'] === condition.type)
  const since = isRecord(known) && known['status'] === condition.status ? known['lastTransitionTime'] : now
  const { type, reason, message } = condition
  const next = { type, status: condition.status, lastTransitionTime: since, reason, message }
  const others = conditions.map((other) => (other === known ? next : other))
  return { ...object, status: { ...status, conditions: known === undefined ? [...conditions, next] : others } }
}

/** Whether a condition of an object is true. */
export function hasCondition(object: KubeObject, type: string): boolean {
  const status = isRecord(object['status']) ? object['status'] : {}
  const conditions: unknown[] = Array.isArray(status['conditions']) ? status['conditions'] : []
  return conditions.some((other) => isRecord(other) && other['type'] === type && other['status'] === 'True')
}
