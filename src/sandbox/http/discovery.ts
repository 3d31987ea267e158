import type { ResourceCatalog, ResourceType } from '../resource-type.ts'

/** The documents at `/api` and `/apis` in the aggregated form of `apidiscovery.k8s.io/v2`. */
export function aggregatedDiscovery(catalog: ResourceCatalog, core: boolean): unknown {
  const groups = groupTypes(catalog).filter(([group]) => (group === '') === core)
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(([group, versions]) => ({
      metadata: group === '' ? { creationTimestamp: null } : { name: group, creationTimestamp: null },
      versions: [...versions].map(([version, types]) => ({
        version,
        resources: types.map(discoveryResource),
        freshness: 'Current',
      })),
    })),
  }
}

/** `/api`: the versions of the core group. */
export function coreVersions(address: string): unknown {
  const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: address }]
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs }
}

/** `/apis`: the groups with their versions. */
export function groupList(catalog: ResourceCatalog): unknown {
  const groups = groupTypes(catalog).filter(([group]) => group !== '')
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.map(([group, versions]) => apiGroup(group, versions)),
  }
}

/** `/apis/GROUP`; undefined when there is no such group. */
export function oneGroup(catalog: ResourceCatalog, group: string): unknown {
  const found = groupTypes(catalog).find(([name]) => name === group && group !== '')
  return found === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(...found) }
}

/** `/api/v1` and `/apis/GROUP/VERSION`; undefined when it is not served. */
export function resourceList(catalog: ResourceCatalog, group: string, version: string): unknown {
  const types = catalog.all().filter((type) => type.group === group && type.version === version)
  if (types.length === 0) return undefined
  const resources = types.flatMap((type) => [
    apiResource(type),
    ...type.subresources.map((sub) => apiSubresource(type, sub)),
  ])
  const groupVersion = group === '' ? version : `${group}/${version}`
  return { kind: 'APIResourceList', ...(group === '' ? {} : { apiVersion: 'v1' }), groupVersion, resources }
}

type Versions = Map<string, ResourceType[]>

function groupTypes(catalog: ResourceCatalog): [string, Versions][] {
  const groups = new Map<string, Versions>()
  for (const type of catalog.all()) {
    const versions = groups.get(type.group) ?? new Map<string, ResourceType[]>()
    groups.set(type.group, versions)
    const types = versions.get(type.version) ?? []
    versions.set(type.version, types)
    types.push(type)
  }
  return [...groups]
}

function apiGroup(group: string, versions: Versions): Record<string, unknown> {
  const listed = [...versions.keys()].map((version) => ({ groupVersion: `${group}/${version}`, version }))
  return { name: group, versions: listed, preferredVersion: listed[0] }
}

function discoveryResource(type: ResourceType): Record<string, unknown> {
  const { group, version, kind } = type
  return {
    resource: type.resource,
    responseKind: { group, version, kind },
    scope: type.scope,
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
    ...(type.categories.length > 0 ? { categories: type.categories } : {}),
    ...(type.subresources.length > 0
      ? {
          subresources: type.subresources.map((sub) => ({
            subresource: sub.name,
            responseKind: sub.kind ?? { group, version, kind },
            verbs: sub.verbs,
          })),
        }
      : {}),
  }
}

function apiResource(type: ResourceType): Record<string, unknown> {
  return {
    name: type.resource,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: type.verbs,
    ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
    ...(type.categories.length > 0 ? { categories: type.categories } : {}),
  }
}

function apiSubresource(type: ResourceType, sub: ResourceType['subresources'][number]): Record<string, unknown> {
  const kind = sub.kind ?? type
  const foreign = kind.group !== type.group || kind.version !== type.version
  return {
    name: `${type.resource}/${sub.name}`,
    singularName: '',
    namespaced: type.namespaced,
    ...(foreign ? { group: kind.group, version: kind.version } : {}),
    kind: kind.kind,
    verbs: sub.verbs,
  }
}
