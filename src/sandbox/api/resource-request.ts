import type { ResourceCatalog, ResourceType } from '../resource-type.ts'
import { noSuchPath, PageNotFound } from '../status-error.ts'
import type { RequestedResource, RequestInfo } from './request-info.ts'

/** A request for objects of a resource that is served. */
export interface ResourceRequest {
  readonly verb: string
  readonly type: ResourceType
  /** Undefined for all namespaces and for cluster-scoped resources. */
  readonly namespace: string | undefined
  /** Undefined for the whole collection. */
  readonly name: string | undefined
  readonly subresource: string | undefined
}

/** Finds the resource that a request names among those that are served, or throws 404. */
export function resourceRequest(info: RequestInfo, catalog: ResourceCatalog): ResourceRequest {
  const { verb, resource } = info
  const type = resource && catalog.find(resource.group, resource.version, resource.resource)
  if (resource === undefined || type === undefined || !isInScope(type, resource)) {
    throw isGroupServed(info, catalog) ? noSuchPath() : new PageNotFound()
  }
  const [, name, subresource] = resource.parts
  return { verb, type, namespace: resource.inNamespace ? resource.namespace : undefined, name, subresource }
}

function isInScope(type: ResourceType, { inNamespace, parts }: RequestedResource): boolean {
  // A single object of a namespaced resource has to be requested in its namespace.
  const scoped = type.namespaced ? inNamespace || parts.length === 1 : !inNamespace
  return scoped && parts.length <= 3
}

/** Whether the API server serves the path's group. Groups of custom resources are served version by version. */
function isGroupServed({ parts }: RequestInfo, catalog: ResourceCatalog): boolean {
  const [root, group, version] = parts
  if (root !== 'apis') return root === 'api'
  return catalog.all().some((type) => type.group === group && (type.crd === undefined || type.version === version))
}
