import { oneLine } from '../one-line.ts'
import type { KubeKinds } from '../kinds/index.ts'
import type { ManagedFieldsEntry, OwnerReference } from '../kinds/object-meta.ts'

export type { ManagedFieldsEntry, OwnerReference }

/** Metadata of an object; unknown fields survive. */
export interface ObjectMeta {
  name: string
  namespace?: string
  generateName?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  deletionTimestamp?: string
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
  managedFields?: ManagedFieldsEntry[]
  [field: string]: unknown
}

/** An object of a kind that Lading has no type for, as plain JSON; unknown fields survive. */
export interface UntypedObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  [field: string]: unknown
}

/**
 * A Kubernetes object as plain JSON, parsed once at the edge, never losing a field. `KubeObject` is any object;
 * `KubeObject<'apps/v1', 'Deployment'>` has the fields of its kind. Kinds without a type are untyped.
 */
export type KubeObject<ApiVersion extends string = string, Kind extends string = string> = string extends
  | ApiVersion
  | Kind
  ? UntypedObject
  : `${ApiVersion}/${Kind}` extends keyof KubeKinds
    ? KubeKinds[`${ApiVersion}/${Kind}`]
    : UntypedObject & { apiVersion: ApiVersion; kind: Kind }

/** A kind in an API group and version. */
export interface GroupVersionKind<
  Group extends string = string,
  Version extends string = string,
  Kind extends string = string,
> {
  readonly group: Group
  readonly version: Version
  readonly kind: Kind
}

/** Names one object of a cluster, whatever version it is read in. */
export interface ObjectRef<
  Group extends string = string,
  Version extends string = string,
  Kind extends string = string,
> extends GroupVersionKind<Group, Version, Kind> {
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string
  readonly name: string
}

/** Splits `group/version` (or plain `v1`) into its parts. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/')
  if (slash < 0) return { group: '', version: apiVersion }
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) }
}

/** Joins group and version as `apiVersion` spells them. */
export function formatApiVersion(gv: { group: string; version: string }): string {
  return gv.group === '' ? gv.version : `${gv.group}/${gv.version}`
}

/** The group, version and kind of an object. */
export function gvkOf(object: Pick<KubeObject, 'apiVersion' | 'kind'>): GroupVersionKind {
  return { ...parseApiVersion(object.apiVersion), kind: object.kind }
}

/** The reference that names an object. */
export function refOf(object: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>): ObjectRef {
  const { name, namespace } = object.metadata
  const gvk = gvkOf(object)
  return namespace === undefined || namespace === '' ? { ...gvk, name } : { ...gvk, namespace, name }
}

/** The identity of an object as Flux inventories spell it, `namespace_name_group_kind`: the version is no part of it. */
export function objectId(ref: Omit<ObjectRef, 'version'>): string {
  // RBAC names may hold colons; Flux and cli-utils write them as a double underscore.
  const name = ref.name.replaceAll(':', '__')
  return `${ref.namespace ?? ''}_${name}_${ref.group}_${ref.kind}`
}

/** The inverse of `objectId`; undefined when the text is no id. */
export function parseObjectId(id: string): Omit<ObjectRef, 'version'> | undefined {
  const kindAt = id.lastIndexOf('_')
  const groupAt = id.lastIndexOf('_', kindAt - 1)
  const nameAt = id.indexOf('_')
  if (nameAt < 0 || groupAt <= nameAt || kindAt <= groupAt) return undefined
  const namespace = id.slice(0, nameAt)
  const name = id.slice(nameAt + 1, groupAt).replaceAll('__', ':')
  const identity = { group: id.slice(groupAt + 1, kindAt), kind: id.slice(kindAt + 1), name }
  return namespace === '' ? identity : { ...identity, namespace }
}

/** An object's name for people: `Deployment.apps shop/web`, without group for core kinds. */
export function formatRef(ref: Pick<ObjectRef, 'group' | 'kind' | 'namespace' | 'name'>): string {
  const kind = ref.group === '' ? ref.kind : `${ref.kind}.${ref.group}`
  // Records and manifests of others name objects as they like: a line break in a name must not look like two objects.
  return oneLine(ref.namespace === undefined ? `${kind} ${ref.name}` : `${kind} ${ref.namespace}/${ref.name}`)
}

/** Whether two references name the same object of a cluster. */
export function sameObject(a: Omit<ObjectRef, 'version'>, b: Omit<ObjectRef, 'version'>): boolean {
  return a.kind === b.kind && a.name === b.name && a.group === b.group && (a.namespace ?? '') === (b.namespace ?? '')
}
