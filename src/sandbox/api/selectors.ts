import type { KubeObject } from '../../core/index.ts'
import type { ResourceType } from '../resource-type.ts'
import { badRequest } from '../status-error.ts'
import { checkFieldLabel, fieldLabelValue } from './field-labels.ts'

/** Tells whether an object is selected. */
export type Selector = (object: KubeObject) => boolean

interface Requirement {
  readonly key: string
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt'
  readonly values: readonly string[]
}

/** Reads a label selector: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>3`. */
export function labelSelector(text: string | undefined): Selector | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const requirements = splitOutsideParentheses(text).map(parseRequirement)
  return (object) => requirements.every((requirement) => matches(requirement, object.metadata.labels ?? {}))
}

/** Reads a field selector such as `metadata.name=web,status.phase!=Running`; `==` is `=`. */
export function fieldSelector(type: ResourceType, text: string | undefined): Selector | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const terms = text.split(',').map((term) => {
    const match = /^([^=!]+)(!=|==|=)(.*)$/.exec(term.trim())
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`)
    const [, label = '', operator = '', value = ''] = match
    checkFieldLabel(type, label)
    return { label, equal: operator !== '!=', value: unescapeValue(value) }
  })
  return (object) => terms.every(({ label, equal, value }) => (fieldLabelValue(object, label) === value) === equal)
}

function parseRequirement(text: string): Requirement {
  const term = text.trim()
  const set = /^([^\s!=<>(),]+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(term)
  if (set !== null) {
    const [, key = '', operator = '', values = ''] = set
    return { key, operator: operator === 'in' ? 'in' : 'notin', values: values.split(',').map((value) => value.trim()) }
  }
  const comparison = /^([^\s!=<>(),]+)\s*(!=|==|=|>|<)\s*([^\s!=<>(),]*)$/.exec(term)
  if (comparison !== null) {
    const [, key = '', sign = '', value = ''] = comparison
    const operators = { '!=': 'notin', '==': 'in', '=': 'in', '>': 'gt', '<': 'lt' } as const
    return { key, operator: operators[sign as keyof typeof operators], values: [value] }
  }
  const existence = /^(!?)\s*([^\s!=<>(),]+)$/.exec(term)
  if (existence === null) throw badRequest(`unable to parse requirement: found '${term}', expected: a label selector`)
  return { key: existence[2] ?? '', operator: existence[1] === '!' ? 'absent' : 'exists', values: [] }
}

function matches(requirement: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const has = Object.hasOwn(labels, requirement.key)
  const value = has ? (labels[requirement.key] ?? '') : ''
  switch (requirement.operator) {
    case 'in':
      return has && requirement.values.includes(value)
    case 'notin':
      return !has || !requirement.values.includes(value)
    case 'exists':
      return has
    case 'absent':
      return !has
    case 'gt':
      return has && Number(value) > Number(requirement.values[0])
    case 'lt':
      return has && Number(value) < Number(requirement.values[0])
  }
}

function splitOutsideParentheses(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index]
    if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, text.slice(start)]
}

function unescapeValue(value: string): string {
  return value.replaceAll(/\\([\\,=])/g, '$1')
}
