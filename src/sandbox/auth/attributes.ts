import { switchOf } from '../api/parameters.ts'

/** What a request wants, as authorization sees it: read off the path alone, whether or not it is served. */
export interface Attributes {
  readonly verb: string
  readonly path: string
  /** Undefined for paths that are no resources. */
  readonly resource?: ResourceAttributes
}

/** The resource that a request wants something of. */
export interface ResourceAttributes {
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

/** Reads a request as the API server's RequestInfo does. */
export function attributesOf(method: string, path: string, query: URLSearchParams): Attributes {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(unescape)
  const grouped = parts[0] === 'apis'
  if ((!grouped && parts[0] !== 'api') || parts.length < (grouped ? 4 : 3)) return { verb: method.toLowerCase(), path }
  const group = grouped ? (parts[1] ?? '') : ''
  const resource = resourceOf(group, parts.slice(grouped ? 3 : 2))
  if (resource.name !== '') return { verb: objectVerbs[method] ?? '', path, resource }
  const verb = method === 'GET' && switchOf(query, 'watch') === true ? 'watch' : (collectionVerbs[method] ?? '')
  return { verb, path, resource: { ...resource, name: selectedName(query) } }
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

function resourceOf(group: string, parts: readonly string[]): ResourceAttributes {
  const [first = '', second = '', third = ''] = parts
  if (first !== 'namespaces') return { group, resource: first, name: second, subresource: third, namespace: '' }
  // A namespace's own requests are in that namespace; `status` and `finalize` are its subresources.
  if (parts.length < 3 || third === 'status' || third === 'finalize') {
    return { group, resource: 'namespaces', name: second, subresource: third, namespace: second }
  }
  const [, , resource = '', name = '', subresource = ''] = parts
  return { group, resource, name, subresource, namespace: second }
}

function selectedName(query: URLSearchParams): string {
  return /(?:^|,)metadata\.name==?([^,]+)/.exec(query.get('fieldSelector') ?? '')?.[1] ?? ''
}

function unescape(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
