import { type KubeObject, parseLabelSelector } from '../../../core/index.ts'
import type { ResourceType } from '../../resource-type.ts'
import { badRequest } from '../../status-error.ts'
import { checkFieldLabel, fieldLabelValue } from './field-labels.ts'

/** Returns whether an object is selected. */
export type Selector = (object: KubeObject) => boolean

/** Combines the label selector and the field selector of a query. Returns undefined if there is neither. */
export function selectorOf(type: ResourceType, query: URLSearchParams): Selector | undefined {
  const labels = labelSelector(query.get('labelSelector') ?? '')
  const fields = fieldSelector(type, query.get('fieldSelector') ?? '')
  if (labels === undefined) return fields
  return fields === undefined ? labels : (object) => labels(object) && fields(object)
}

function labelSelector(text: string): Selector | undefined {
  if (text.trim() === '') return undefined
  const match = parseLabelSelector(text)
  if (typeof match !== 'function') throw badRequest(match.problem)
  return (object) => match(object.metadata.labels ?? {})
}

/** Parses a field selector such as `metadata.name=web,status.phase!=Running`; `==` is `=`. */
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

/** Splits at commas, except those after a backslash. */
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
