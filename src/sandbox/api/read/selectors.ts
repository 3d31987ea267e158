import type { KubeObject } from '../../../core/index.ts'
import type { ResourceType } from '../../resource-type.ts'
import { badRequest } from '../../status-error.ts'
import { checkFieldLabel, fieldLabelValue } from './field-labels.ts'
import { labelSelector } from './label-selector.ts'

/** Tells whether an object is selected. */
export type Selector = (object: KubeObject) => boolean

/** The selector that a query's label and field selectors make together. */
export function selectorOf(type: ResourceType, query: URLSearchParams): Selector | undefined {
  const labels = labelSelector(query.get('labelSelector') ?? undefined)
  const fields = fieldSelector(type, query.get('fieldSelector') ?? '')
  if (labels === undefined) return fields
  return fields === undefined ? labels : (object) => labels(object) && fields(object)
}

/** Reads a field selector such as `metadata.name=web,status.phase!=Running`; `==` is `=`. */
function fieldSelector(type: ResourceType, text: string): Selector | undefined {
  const terms = splitTerms(text).map((term) => {
    const match = /^([^=!]*(?:!(?!=)[^=!]*)*)(!=|==|=)(.*)$/s.exec(term)
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`)
    const [, label = '', operator = '', value = ''] = match
    return { label, equal: operator !== '!=', value: unescapeValue(value) }
  })
  for (const { label } of terms) checkFieldLabel(type, label)
  if (terms.length === 0) return undefined
  return (object) => terms.every(({ label, equal, value }) => (fieldLabelValue(object, label) === value) === equal)
}

/** The terms between commas; a comma behind a backslash is part of a value. */
function splitTerms(text: string): string[] {
  const terms = text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? []
  return terms.sort()
}

function unescapeValue(value: string): string {
  const odd = /\\(?![\\,=])(.?)/su.exec(value.replaceAll(/\\[\\,=]/g, ''))
  if (odd !== null) throw badRequest(`invalid field selector: invalid escape sequence: \\${odd[1] ?? ''}`)
  const bare = /=/.exec(value.replaceAll(/\\./gs, ''))
  if (bare !== null) throw badRequest(`invalid field selector: unescaped character in value: ${bare[0].charCodeAt(0)}`)
  return value.replaceAll(/\\([\\,=])/g, '$1')
}
