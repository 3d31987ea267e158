import type { IncomingMessage } from 'node:http'
import { StatusError } from '../../status-error.ts'
import type { FixedAnswer } from '../serve.ts'
import { type DescribedCatalog, OpenApiDocuments } from './documents.ts'

/** Answers paths below `/openapi`; undefined where there is nothing. */
export type OpenApiRoute = (parts: readonly string[], request: IncomingMessage) => FixedAnswer | undefined

/** Serves the OpenAPI documents of a catalog. */
export function openapiRoute(catalog: DescribedCatalog): OpenApiRoute {
  const documents = new OpenApiDocuments(catalog)
  return ([, version, root, ...groupVersion], request) => {
    const body = version === 'v2' ? older(documents, root, request) : current(documents, version, root, groupVersion)
    return body === undefined ? undefined : { body, contentType: 'application/json' }
  }
}

function current(
  documents: OpenApiDocuments,
  version: string | undefined,
  root: string | undefined,
  groupVersion: readonly string[],
): string | undefined {
  if (version !== 'v3') return undefined
  if (root === undefined) return documents.index()
  const length = root === 'apis' ? 2 : 1
  if ((root !== 'api' && root !== 'apis') || groupVersion.length !== length) return undefined
  return documents.groupVersion(groupVersion.join('/'))
}

function older(documents: OpenApiDocuments, rest: string | undefined, request: IncomingMessage): string | undefined {
  if (rest !== undefined) return undefined
  const { accept = '*/*' } = request.headers
  // client-go asks for protobuf alone here, and would take JSON for broken protobuf.
  if (!/\*\/\*|application\/(\*|json)/.test(accept)) {
    throw new StatusError(406, 'NotAcceptable', 'only the following media types are accepted: application/json', {})
  }
  return documents.swagger()
}
