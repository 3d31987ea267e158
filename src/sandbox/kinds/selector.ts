import { isLabelValue, isQualifiedName } from '../../core/index.ts'
import type { Cause } from '../status-error.ts'
import { partOf } from '../object-parts.ts'
import { forbiddenField, invalidValue, required } from './causes.ts'
import { type Part, partsOf, textOf } from './read.ts'

/** Checks a label selector wherever one stands; `path` ends in a dot. */
export function checkSelector(selector: Part, path: string, causes: Cause[]): void {
  for (const [key, value] of Object.entries(partOf(selector, 'matchLabels'))) {
    if (!isQualifiedName(key)) causes.push(invalidValue(`${path}matchLabels`, key, 'must be a qualified name'))
    if (!isLabelValue(String(value)))
      causes.push(invalidValue(`${path}matchLabels`, value, 'must be a valid label value'))
  }
  partsOf(selector, 'matchExpressions').forEach((expression, index) => {
    const at = `${path}matchExpressions[${index}].`
    const values = (expression['values'] ?? []) as unknown[]
    switch (textOf(expression, 'operator')) {
      case 'In':
      case 'NotIn':
        if (values.length === 0)
          causes.push(required(`${at}values`, "must be specified when `operator` is 'In' or 'NotIn'"))
        break
      case 'Exists':
      case 'DoesNotExist':
        if (values.length > 0)
          causes.push(forbiddenField(`${at}values`, "may not be specified when `operator` is 'Exists'"))
        break
      default:
        causes.push(invalidValue(`${at}operator`, expression['operator'], 'not a valid selector operator'))
    }
    const key = textOf(expression, 'key')
    if (!isQualifiedName(key)) causes.push(invalidValue(`${at}key`, key, 'must be a qualified name'))
  })
}

/** Whether a selector selects nothing in particular. */
export function isEmptySelector(selector: Part): boolean {
  return Object.keys(partOf(selector, 'matchLabels')).length + partsOf(selector, 'matchExpressions').length === 0
}

/** Whether labels are selected; undefined when the selector makes no sense. */
export function selects(selector: Part, labels: Part): boolean | undefined {
  const causes: Cause[] = []
  checkSelector(selector, '', causes)
  if (causes.length > 0) return undefined
  const pairs = Object.entries(partOf(selector, 'matchLabels'))
  return (
    pairs.every(([key, value]) => labels[key] === value) &&
    partsOf(selector, 'matchExpressions').every((one) => meets(one, labels))
  )
}

function meets(expression: Part, labels: Part): boolean {
  const value = labels[textOf(expression, 'key')]
  const values = (expression['values'] ?? []) as unknown[]
  switch (textOf(expression, 'operator')) {
    case 'In':
      return values.includes(value)
    case 'NotIn':
      return !values.includes(value)
    case 'Exists':
      return value !== undefined
    default:
      return value === undefined
  }
}
