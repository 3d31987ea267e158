import type { KubeObject } from '../core/index.ts'
import { partOf, records, text } from './object-parts.ts'

/** Whether a `LabelSelector` matches the labels of an object. An empty selector matches everything, a missing one nothing. */
export function selects(selector: unknown, object: Pick<KubeObject, 'metadata'>): boolean {
  return selector !== undefined && selector !== null && matchesLabels(selector, object.metadata.labels ?? {})
}

/** Whether the `matchLabels` and `matchExpressions` of a selector hold for labels. */
export function matchesLabels(selector: unknown, labels: Labels): boolean {
  for (const [key, value] of Object.entries(partOf(selector, 'matchLabels'))) if (labels[key] !== value) return false
  return records(partOf(selector)['matchExpressions']).every((requirement) => meets(requirement, labels))
}

type Labels = Readonly<Record<string, unknown>>

/** Whether a requirement of a label selector or a node selector holds for labels. */
export function meets(requirement: Record<string, unknown>, labels: Labels): boolean {
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
