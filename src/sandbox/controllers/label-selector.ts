import type { KubeObject } from '../../core/index.ts'
import { partOf, records, text } from '../object-parts.ts'

/** Whether labels fit a `LabelSelector`; an empty one fits all, none at all fits nothing. */
export function selects(selector: unknown, object: Pick<KubeObject, 'metadata'>): boolean {
  if (selector === undefined || selector === null) return false
  const labels = object.metadata.labels ?? {}
  for (const [key, value] of Object.entries(partOf(selector, 'matchLabels'))) if (labels[key] !== value) return false
  return records(partOf(selector)['matchExpressions']).every((requirement) => meets(requirement, labels))
}

/** Whether one requirement of a selector (of labels, or of a node) holds. */
export function meets(requirement: Record<string, unknown>, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[text(requirement['key'])]
  const values = Array.isArray(requirement['values']) ? (requirement['values'] as unknown[]) : []
  switch (requirement['operator']) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0])
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0])
    default:
      return false
  }
}
