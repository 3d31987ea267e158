import { isRecord, type GroupVersionKind, type KubeObject } from '../../core/index.ts'
import { compareVersions } from './version-order.ts'
import { openapiDocument } from './openapi.ts'
import { publishedSchema, publishedList, typeNameOf } from './published-schema.ts'
import type { RawSchema } from './raw-schema.ts'
import { NodeFactory } from './schema-node.ts'
import { isWellFormed } from './well-formed.ts'
import { gvkKey, type SchemaResource, type SchemaSet, type SchemaSubresource } from './schema-set.ts'

/** A set that also knows the kinds that CustomResourceDefinitions of a set of objects bring; others are passed over. */
export function schemaWithCrds(base: SchemaSet, crds: readonly KubeObject[]): SchemaSet {
  const versions = crds.flatMap(servedVersions)
  if (versions.length === 0) return base
  const byGvk = new Map(versions.map((version) => [gvkKey(version.resource), version]))
  const types = new Map<string, () => RawSchema>()
  const kinds = new Map<string, string>()
  for (const { resource, schema } of versions) {
    const name = typeNameOf(resource)
    const list = { ...resource, kind: resource.listKind }
    types.set(
      name,
      // The API server refuses a CRD with an invalid schema: there is nothing to validate its resources with.
      once(() => publishedSchema(isWellFormed(schema) ? schema : freeForm, resource)),
    )
    types.set(
      typeNameOf(list),
      once(() => publishedList(name, list)),
    )
    kinds.set(gvkKey(resource), name)
    kinds.set(gvkKey(list), typeNameOf(list))
  }
  const lookup = (name: string): RawSchema | undefined => types.get(name)?.() ?? base.definition(name)
  const factory = new NodeFactory(lookup)
  const resources = [
    ...base.resources().filter((known) => !byGvk.has(gvkKey(known))),
    ...versions.map((v) => v.resource),
  ]
  return {
    version: base.version,
    type(gvk) {
      const schema = lookup(kinds.get(gvkKey(gvk)) ?? '')
      return schema === undefined ? base.type(gvk) : factory.node(schema)
    },
    scope: (gvk) => (byGvk.get(gvkKey(gvk)) ?? sameKind(versions, gvk))?.resource.scope ?? base.scope(gvk),
    resources: () => resources,
    resourceOf: (gvk) => byGvk.get(gvkKey(gvk))?.resource ?? base.resourceOf(gvk),
    definition: lookup,
    openapi(groupVersion) {
      const own = versions.filter(({ resource }) => `${resource.group}/${resource.version}` === groupVersion)
      if (own.length === 0) return base.openapi(groupVersion)
      const lists = own.map(({ resource }) => typeNameOf({ ...resource, kind: resource.listKind }))
      return openapiDocument(base.version, [...lists, ...sharedRoots(own)], lookup)
    },
  }
}

/** A version of a custom kind that its CRD says is served. */
export interface CrdVersion {
  readonly resource: SchemaResource
  readonly schema: RawSchema
  readonly deprecated: boolean
}

interface CrdSpec {
  group?: string
  scope?: string
  names?: {
    plural?: string
    singular?: string
    kind?: string
    listKind?: string
    shortNames?: string[]
    categories?: string[]
  }
  versions?: {
    name: string
    served?: boolean
    storage?: boolean
    schema?: { openAPIV3Schema?: RawSchema }
    subresources?: unknown
    deprecated?: boolean
  }[]
  preserveUnknownFields?: boolean
}

const crdVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
const subresourceVerbs = ['get', 'patch', 'update']
const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

/** The served versions of a CustomResourceDefinition, the preferred one first; none for any other object. */
export function servedVersions(crd: KubeObject): CrdVersion[] {
  if (crd.kind !== 'CustomResourceDefinition' || !isRecord(crd['spec'])) return []
  const { group, scope, names: named, versions, preserveUnknownFields } = crd['spec'] as CrdSpec
  const names = isRecord(named) ? named : {}
  const { kind, plural } = names
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string') return []
  const known = Array.isArray(versions) ? versions.filter((version) => isRecord(version) && isText(version.name)) : []
  const storageVersion = known.find((version) => version.storage === true)?.name
  const served = known.filter((version) => version.served !== false)
  return served
    .sort((a, b) => compareVersions(a.name, b.name))
    .map((version) => {
      const gvk = { group, version: version.name, kind }
      const stored =
        storageVersion === undefined || storageVersion === version.name
          ? {}
          : { storage: { ...gvk, version: storageVersion } }
      const resource: SchemaResource = {
        ...gvk,
        resource: plural,
        singular: isText(names.singular) ? names.singular : kind.toLowerCase(),
        scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
        verbs: crdVerbs,
        shortNames: textsOf(names.shortNames),
        categories: textsOf(names.categories),
        subresources: subresourcesOf(version.subresources, gvk),
        listKind: isText(names.listKind) ? names.listKind : `${kind}List`,
        ...stored,
      }
      const schema = preserveUnknownFields === true ? freeForm : (version.schema?.openAPIV3Schema ?? freeForm)
      return { resource, schema, deprecated: version.deprecated === true }
    })
}

const freeForm: RawSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isText) : []
}

function subresourcesOf(declared: unknown, gvk: GroupVersionKind): SchemaSubresource[] {
  const subresources: SchemaSubresource[] = []
  if (!isRecord(declared)) return subresources
  if ('status' in declared) subresources.push({ name: 'status', kind: gvk, verbs: subresourceVerbs })
  if ('scale' in declared) subresources.push({ name: 'scale', kind: scaleKind, verbs: subresourceVerbs })
  return subresources
}

function sameKind(versions: readonly CrdVersion[], gvk: GroupVersionKind): CrdVersion | undefined {
  return versions.find(({ resource }) => resource.group === gvk.group && resource.kind === gvk.kind)
}

/** What the API server publishes beside the kinds of any custom group version. */
function sharedRoots(versions: readonly CrdVersion[]): string[] {
  const meta = ['DeleteOptions', 'Patch', 'Status'].map((name) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`)
  const scaled = versions.some(({ resource }) => resource.subresources.some((sub) => sub.name === 'scale'))
  return scaled ? [...meta, 'io.k8s.api.autoscaling.v1.Scale'] : meta
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
