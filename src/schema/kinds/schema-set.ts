import type { GroupVersionKind } from '../../core/index.ts'
import type { OpenApiDocument } from './openapi.ts'
import type { RawSchema } from './raw-schema.ts'
import type { SchemaNode } from './schema-node.ts'

/** Whether objects of a kind live in a namespace, in discovery's words. */
export type Scope = 'Namespaced' | 'Cluster'

/** A part of a resource that is read and written on its own. */
export interface SchemaSubresource {
  readonly name: string
  /** The kind that it answers with; absent where it is no object (`proxy`). */
  readonly kind?: GroupVersionKind
  readonly verbs: readonly string[]
}

/** A kind as discovery describes it. */
export interface SchemaResource extends GroupVersionKind {
  /** The plural that paths use. */
  readonly resource: string
  readonly singular: string
  readonly scope: Scope
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly subresources: readonly SchemaSubresource[]
  /** The kind of a list of these. */
  readonly listKind: string
  /** The kind that it is stored as, where that is another version or group; the same object shows under both. */
  readonly storage?: GroupVersionKind
}

/** What is known about types without a cluster. */
export interface SchemaSet {
  /** The Kubernetes version that the built-in types were read from. */
  readonly version: string
  /** The type of a kind, also of list kinds and of those that only subresources have (`Scale`, `Eviction`). */
  type(gvk: GroupVersionKind): SchemaNode | undefined
  /** The scope of a kind; another version of the same kind answers where this one is unknown. */
  scope(gvk: GroupVersionKind): Scope | undefined
  /** Every known resource, groups together, the preferred version of a group first. */
  resources(): readonly SchemaResource[]
  resourceOf(gvk: GroupVersionKind): SchemaResource | undefined
  /** A type by its OpenAPI name, such as `io.k8s.apimachinery.pkg.apis.meta.v1.Status`. */
  definition(name: string): RawSchema | undefined
  /** The types of a group version (`v1`, `apps/v1`) as an OpenAPI v3 document without paths. */
  openapi(groupVersion: string): OpenApiDocument | undefined
}

/** The text that names a kind in tables. */
export function gvkKey(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}/${gvk.kind}`
}
