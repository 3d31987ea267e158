import { isLabelValue, isQualifiedName } from '../../core/index.ts'
import { matchesLabels } from '../label-selector.ts'
import type { Cause } from '../status-error.ts'
import { partOf } from '../object-parts.ts'
import { forbiddenField, invalidValue, required } from './causes.ts'
import { type Part, partsOf, textOf } from './read.ts'

/** Validates a label selector. `path` ends in a dot. */
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

/** Whether a selector is empty, and so matches everything. */
export function isEmptySelector(selector: Part): boolean {
  return Object.keys(partOf(selector, 'matchLabels')).length + partsOf(selector, 'matchExpressions').length === 0
}

/** Whether a selector matches labels. Returns undefined if the selector is invalid. */
export function selects(selector: Part, labels: Part): boolean | undefined {
  const causes: Cause[] = []
  checkSelector(selector, '', causes)
  return causes.length > 0 ? undefined : matchesLabels(selector, labels)
}
