import type { Attributes, ResourceAttributes } from '../auth/authorization/attributes.ts'
import { noSuchPath } from '../status-error.ts'
import { switchOf } from './parameters.ts'

/** A request's method and URL, parsed once. It says what the path names, whether or not that is served. */
export interface RequestInfo extends Attributes {
  /** The segments of the path, unescaped. */
  readonly parts: readonly string[]
  /** Undefined for paths that name no resource, such as `/version` and `/apis/apps/v1`. */
  readonly resource?: RequestedResource
}

/** The resource that a path names. */
export interface RequestedResource extends ResourceAttributes {
  readonly version: string
  /** Whether the path has `namespaces/NAME/` in front of the resource. */
  readonly inNamespace: boolean
  /** The segments from the resource on: resource, name, subresource, and whatever follows. */
  readonly parts: readonly string[]
}

/** Parses a request such as `GET /apis/apps/v1/namespaces/shop/deployments/web/scale`, as the API server's RequestInfo does. */
export function parseRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decode)
  const grouped = parts[0] === 'apis'
  if ((!grouped && parts[0] !== 'api') || parts.length < (grouped ? 4 : 3)) {
    return { verb: method.toLowerCase(), path, parts }
  }
  const resource = requestedResource(grouped ? parts.slice(1) : ['', ...parts.slice(1)])
  if (resource.name !== '') return { verb: objectVerbs[method] ?? '', path, parts, resource }
  const verb = method === 'GET' && switchOf(query, 'watch') === true ? 'watch' : (collectionVerbs[method] ?? '')
  return { verb, path, parts, resource: { ...resource, name: selectedName(query) } }
}

const objectVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

const collectionVerbs: Readonly<Record<string, string>> = { ...objectVerbs, GET: 'list', DELETE: 'deletecollection' }

function requestedResource([group = '', version = '', ...rest]: readonly string[]): RequestedResource {
  const [first = '', second = '', third = ''] = rest
  // A request for a namespace is in that namespace; `status` and `finalize` are subresources of the namespace itself.
  const inNamespace = first === 'namespaces' && rest.length > 2 && third !== 'status' && third !== 'finalize'
  const parts = inNamespace ? rest.slice(2) : rest
  const [resource = '', name = '', subresource = ''] = parts
  const namespace = first === 'namespaces' ? second : ''
  return { group, version, resource, name, subresource, namespace, inNamespace, parts }
}

/** The name that a field selector asks for: rules of roles that name objects apply to such lists and watches, too. */
function selectedName(query: URLSearchParams): string {
  return /(?:^|,)metadata\.name==?([^,]+)/.exec(query.get('fieldSelector') ?? '')?.[1] ?? ''
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw noSuchPath()
  }
}
