import type { ResourceCatalog, ResourceType } from '../resource-type.ts'
import { noSuchPath, PageNotFound } from '../status-error.ts'

/** What a path below `/api` or `/apis` names. */
export interface RequestInfo {
  readonly type: ResourceType
  /** Undefined for all namespaces and for cluster-scoped resources. */
  readonly namespace: string | undefined
  /** Undefined for the whole collection. */
  readonly name: string | undefined
  readonly subresource: string | undefined
}

/** Reads a path such as `/apis/apps/v1/namespaces/shop/deployments/web/scale`; the URL's escapes are already undone per part. */
export function parseRequest(path: string, catalog: ResourceCatalog): RequestInfo {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decode)
  const grouped = parts[0] === 'apis'
  const group = grouped ? (parts[1] ?? '') : ''
  const version = (grouped ? parts[2] : parts[1]) ?? ''
  const rest = parts.slice(grouped ? 3 : 2)
  try {
    return namespacedRequest(catalog, group, version, rest) ?? clusterRequest(catalog, group, version, rest)
  } catch (error) {
    throw isServed(catalog, grouped, parts, group, version) ? error : new PageNotFound()
  }
}

/** Whether somebody speaks for the path's group; for a group of custom resources that is somebody for each version. */
function isServed(
  catalog: ResourceCatalog,
  grouped: boolean,
  parts: readonly string[],
  group: string,
  version: string,
): boolean {
  if (!grouped) return parts[0] === 'api'
  return catalog.all().some((type) => type.group === group && (type.crd === undefined || type.version === version))
}

function namespacedRequest(
  catalog: ResourceCatalog,
  group: string,
  version: string,
  rest: readonly string[],
): RequestInfo | undefined {
  // `namespaces/x/status` and `namespaces/x/finalize` are subresources of the namespace itself.
  if (rest[0] !== 'namespaces' || rest.length < 3) return undefined
  const [, namespace, resource = '', name, subresource] = rest
  if (group === '' && rest.length === 3 && (resource === 'status' || resource === 'finalize')) return undefined
  const type = catalog.find(group, version, resource)
  if (type === undefined || !type.namespaced || rest.length > 5) throw noSuchPath()
  return { type, namespace, name, subresource }
}

function clusterRequest(
  catalog: ResourceCatalog,
  group: string,
  version: string,
  rest: readonly string[],
): RequestInfo {
  const [resource = '', name, subresource] = rest
  const type = catalog.find(group, version, resource)
  if (type === undefined || rest.length > 3) throw noSuchPath()
  // A single object of a namespaced resource has to be asked for in its namespace.
  if (type.namespaced && name !== undefined) throw noSuchPath()
  return { type, namespace: undefined, name, subresource }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw noSuchPath()
  }
}
