import type { IncomingMessage } from 'node:http'
import { StatusError } from '../../status-error.ts'
import type { FixedAnswer } from '../serve.ts'
import { type DescribedCatalog, OpenApiDocuments } from './documents.ts'
import { swaggerProtobuf, swaggerProtobufTypes } from './swagger-protobuf.ts'

/** Answers paths below `/openapi`; undefined where there is nothing. */
export type OpenApiRoute = (parts: readonly string[], request: IncomingMessage) => FixedAnswer | undefined

/** Serves the OpenAPI documents of a catalog. */
export function openapiRoute(catalog: DescribedCatalog): OpenApiRoute {
  const documents = new OpenApiDocuments(catalog)
  return ([, version, root, ...groupVersion], request) => {
    if (version === 'v2') return root === undefined ? older(catalog, documents, request) : undefined
    const body = current(documents, version, root, groupVersion)
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

function older(catalog: DescribedCatalog, documents: OpenApiDocuments, request: IncomingMessage): FixedAnswer {
  const { accept = '*/*' } = request.headers
  // client-go asks for protobuf alone here, and would take JSON for broken protobuf.
  if (accept.includes(swaggerProtobufTypes.asked)) {
    return { body: swaggerProtobuf(catalog.schema.version, catalog.all()), contentType: swaggerProtobufTypes.answered }
  }
  if (!/\*\/\*|application\/(\*|json)/.test(accept)) {
    throw new StatusError(406, 'NotAcceptable', 'only the following media types are accepted: application/json', {})
  }
  return { body: documents.swagger(), contentType: 'application/json' }
}
