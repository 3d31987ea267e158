import type { GroupVersionKind, KubeObject } from '../core/index.ts'
import type { SchemaNode, SchemaResource } from '../schema/index.ts'
import type { Shape } from './fields/shape.ts'
import { shapeOfSchema } from './fields/schema-shape.ts'
import type { KindRules } from './kinds/kind-rules.ts'

/** A resource as the sandbox serves it: one version of a kind. */
export interface ResourceType extends SchemaResource {
  readonly namespaced: boolean
  /** Where objects of every version of this resource are stored: `group/resource`. */
  readonly collection: string
  readonly schema: SchemaNode | undefined
  readonly shape: Shape
  readonly rules: KindRules
  /** The version in which objects of a custom resource are stored, whichever they are written in. */
  readonly stored?: { readonly apiVersion: string; readonly schema: SchemaNode | undefined }
  /** The CustomResourceDefinition that declares it; absent for built-in kinds. */
  readonly crd?: KubeObject
}

/** Makes a served resource out of what discovery says and how its kind behaves. */
export function resourceType(
  resource: SchemaResource,
  schema: SchemaNode | undefined,
  rules: KindRules,
  crd?: KubeObject,
): ResourceType {
  return {
    ...resource,
    namespaced: resource.scope === 'Namespaced',
    collection: collectionOf(resource),
    schema,
    shape: shapeOfSchema(schema),
    rules,
    ...(crd === undefined ? {} : { crd }),
  }
}

/** The name of the collection that a resource is stored in. */
export function collectionOf(resource: { group: string; resource: string }): string {
  return `${resource.group}/${resource.resource}`
}

/** The resources that are served now; CRDs add to them and take away. */
export interface ResourceCatalog {
  /** The resource at `/apis/GROUP/VERSION/RESOURCE`. */
  find(group: string, version: string, resource: string): ResourceType | undefined
  ofKind(gvk: GroupVersionKind): ResourceType | undefined
  /** Any version of the resource of a kind, for owner references and the like. */
  ofGroupKind(group: string, kind: string): ResourceType | undefined
  all(): readonly ResourceType[]
}
