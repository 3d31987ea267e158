import type { KubeObject, ObjectMeta } from '../../../core/index.ts'
import { builtinSchema, type SchemaNode } from '../../../schema/index.ts'
import { cloneJson } from '../../clone.ts'
import { decodeBuiltin } from '../../kinds/decode.ts'
import type { ResourceType } from '../../resource-type.ts'

/** Decodes a request body as an object of the type. Fields that the type does not have are dropped. */
export function decodeObject(type: ResourceType, body: Record<string, unknown>): KubeObject {
  if (type.schema === undefined) return cloneJson(body) as KubeObject
  if (type.crd === undefined) return decodeBuiltin(type.schema, body) as KubeObject
  // Only the metadata of a custom resource is typed.
  const object = cloneJson(body) as KubeObject
  const metadata = metadataNode()
  return metadata === undefined
    ? object
    : { ...object, metadata: decodeBuiltin(metadata, object.metadata) as ObjectMeta }
}

function metadataNode(): SchemaNode | undefined {
  return builtinSchema().type({ group: '', version: 'v1', kind: 'ConfigMap' })?.field('metadata')
}

/** An object of the type with no fields set, which a create is compared with to find its managed fields. */
export function emptyObject(type: ResourceType): KubeObject {
  const metadata = { name: '' }
  const empty = { apiVersion: apiVersionOf(type), kind: type.kind, metadata }
  return type.crd === undefined ? { ...decodeObject(type, empty), metadata } : empty
}

/** The `apiVersion` that objects of the type carry. */
export function apiVersionOf(type: ResourceType): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}

/** Whether the type has the `status` subresource. */
export function hasStatus(type: ResourceType): boolean {
  return type.subresources.some((subresource) => subresource.name === 'status')
}
