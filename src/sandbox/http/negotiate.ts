import { type Clock, isRecord, type KubeObject, stringifyJson } from '../../core/index.ts'
import type { ApiAnswer, ApiRequest } from '../api/handle.ts'
import { badRequest, StatusError } from '../status-error.ts'
import { type IncludeObject, TableMaker } from '../tables/table.ts'
import { acceptedForm } from './accept.ts'

/** Shows the answers to one request in the form that the client asked for. */
export interface ResponseFormat {
  /** A whole answer. */
  answer(body: ApiAnswer['body']): unknown
  /** The object of a line of a watch. */
  line(object: KubeObject): unknown
}

/** Reads from `Accept` how answers are shown. */
export function negotiate(accept: string, request: ApiRequest, clock: Clock): ResponseFormat {
  const { as, list, apiVersion } = acceptedForm(accept)
  const { type, subresource } = request.info
  // Answers of subresources are of other kinds.
  if (as === 'object' || (subresource !== undefined && subresource !== 'status')) {
    return type.crd === undefined ? asGoWritesThem : asTheyAre
  }
  if (as === 'metadata') return metadataOnly(apiVersion, list)
  return tables(new TableMaker(type, includeOf(request.query), apiVersion), clock)
}

const asTheyAre: ResponseFormat = { answer: (body) => body, line: (object) => object }

/** The items of a list of a built-in kind do not say what they are: the list does. */
const asGoWritesThem: ResponseFormat = {
  line: (object) => object,
  answer: (body) => (isList(body) ? { ...body, items: body.items.map(withoutType) } : body),
}

function withoutType({ apiVersion: _a, kind: _k, ...object }: KubeObject): unknown {
  return object
}

function metadataOnly(apiVersion: string, list: boolean): ResponseFormat {
  const line = (object: KubeObject): unknown =>
    isStatus(object) ? object : { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata }
  return {
    line,
    answer: (body) => {
      if (!isStatus(body) && isList(body) !== list) throw wrongForm(list)
      if (!isList(body)) return line(body as KubeObject)
      return { kind: 'PartialObjectMetadataList', apiVersion, metadata: body.metadata, items: body.items.map(line) }
    },
  }
}

function wrongForm(list: boolean): StatusError {
  const form = list ? 'PartialObjectMetadataList' : 'PartialObjectMetadata'
  const message = `you requested ${form}, but the requested object is ${list ? 'not ' : ''}a list`
  return new StatusError(406, 'NotAcceptable', message, {})
}

function tables(maker: TableMaker, clock: Clock): ResponseFormat {
  let first = true
  return {
    answer: (body) => {
      if (isStatus(body)) return body
      return isList(body)
        ? maker.list(body.items, body.metadata, clock.now())
        : maker.object(body as KubeObject, clock.now())
    },
    line: (object) => {
      const table = maker.object(object, clock.now(), first)
      first = false
      return table
    },
  }
}

function includeOf(query: URLSearchParams): IncludeObject {
  const include = query.get('includeObject') ?? ''
  if (include === '') return 'Metadata'
  if (include === 'None' || include === 'Metadata' || include === 'Object') return include
  throw badRequest(`unrecognized includeObject value: ${stringifyJson(include)}`)
}

function isList(body: unknown): body is { metadata: unknown; items: readonly KubeObject[] } {
  return isRecord(body) && Array.isArray(body['items'])
}

// Refusals and deletions answer with a Status, which has no other form.
function isStatus(body: unknown): boolean {
  return isRecord(body) && body['kind'] === 'Status'
}
