import { crdVersion } from '../crd/crd-spec.ts'
import type { ResourceCatalog, ResourceType } from '../resource-type.ts'

/** What every request for a version that is on its way out is told. */
export function deprecationsOf(type: ResourceType, catalog: ResourceCatalog): readonly string[] {
  if (type.crd === undefined) return builtin[`${type.group}/${type.version} ${type.kind}`] ?? []
  const version = crdVersion(type.crd, type.version)
  if (version?.deprecated !== true) return []
  if (version.deprecationWarning !== undefined) return [version.deprecationWarning]
  const name = `${type.group}/${type.version} ${type.kind} is deprecated`
  const preferred = catalog.ofGroupKind(type.group, type.kind)?.version ?? type.version
  const helps = crdVersion(type.crd, preferred)?.deprecated !== true
  return [helps ? `${name}; use ${type.group}/${preferred} ${type.kind}` : name]
}

const builtin: Readonly<Record<string, readonly string[]>> = {
  '/v1 Endpoints': ['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
  '/v1 ComponentStatus': ['v1 ComponentStatus is deprecated in v1.19+'],
}
