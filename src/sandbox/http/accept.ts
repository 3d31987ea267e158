import { StatusError } from '../status-error.ts'

/** The form of an answer: the objects themselves, their metadata only, or a table for people. */
export interface AnswerForm {
  readonly as: 'object' | 'metadata' | 'table'
  /** Whether the form is that of a list; tables are the same for both. */
  readonly list: boolean
  /** `meta.k8s.io/v1` or an older version of it. */
  readonly apiVersion: string
}

const served = ['application/json', 'application/*', '*/*']
const forms: Readonly<Record<string, AnswerForm['as']>> = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata',
}

/** The first form in an `Accept` header that can be served; 406 when there is none. */
export function acceptedForm(accept: string): AnswerForm {
  if (!accept.includes('as=') && (accept === '' || served.some((type) => accept.includes(type)))) return plain
  for (const clause of accept.split(',')) {
    const form = formOf(clause)
    if (form !== undefined) return form
  }
  const message = 'only the following media types are accepted: application/json'
  throw new StatusError(406, 'NotAcceptable', message)
}

const plain: AnswerForm = { as: 'object', list: false, apiVersion: '' }

function formOf(clause: string): AnswerForm | undefined {
  const [type = '', ...rest] = clause.split(';').map((part) => part.trim())
  if (!served.includes(type)) return undefined
  const parameters = new Map(rest.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]))
  const wanted = parameters.get('as')
  if (wanted === undefined) return plain
  const as = forms[wanted]
  const version = parameters.get('v') ?? ''
  if (as === undefined || parameters.get('g') !== 'meta.k8s.io' || !/^v1(beta1)?$/.test(version)) return undefined
  return { as, list: wanted.endsWith('List'), apiVersion: `meta.k8s.io/${version}` }
}
