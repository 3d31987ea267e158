import { isDeepStrictEqual } from 'node:util'
import type { KubeObject } from '../../../core/index.ts'
import { applyDefaults, prune, type SchemaNode } from '../../../schema/index.ts'
import type { ResourceType } from '../../resource-type.ts'

/** What stored objects look like in a version, for as long as the definition is the same. */
const shown = new WeakMap<ResourceType, WeakMap<KubeObject, KubeObject>>()

/**
 * A stored object as a version of its resource shows it. Versions of a CRD share one collection and convert by name only,
 * which is what the conversion strategy `None` does: what is stored is completed by the schema of the version that is
 * stored, also when that changed since, and a version shows what its own schema has a place for.
 */
export function inVersion(type: ResourceType, object: KubeObject): KubeObject {
  if (type.crd === undefined) return object
  let known = shown.get(type)
  if (known === undefined) {
    known = new WeakMap()
    shown.set(type, known)
  }
  let result = known.get(object)
  if (result === undefined) {
    result = convert(type, object)
    known.set(object, result)
  }
  return result
}

/** An object of a version as it is stored. */
export function forStorage(type: ResourceType, object: KubeObject): KubeObject {
  const { stored } = type
  if (stored === undefined || object.apiVersion === stored.apiVersion) return object
  return fitted(object, stored.apiVersion, (content) => pruned(content, stored.schema))
}

function convert(type: ResourceType, object: KubeObject): KubeObject {
  const schema = type.stored?.schema
  const next = fitted(object, `${type.group}/${type.version}`, (content) => {
    const completed = schema === undefined ? content : applyDefaults(pruned(content, schema), schema)
    return schema === type.schema ? completed : pruned(completed, type.schema)
  })
  return isDeepStrictEqual(next, object) ? object : next
}

/** Metadata is the same in every version. */
function fitted(object: KubeObject, apiVersion: string, fit: (content: unknown) => unknown): KubeObject {
  const { apiVersion: _a, kind, metadata, ...content } = object
  return { apiVersion, kind, metadata, ...(fit(content) as Record<string, unknown>) }
}

function pruned(content: unknown, schema: SchemaNode | undefined): unknown {
  return schema === undefined ? content : prune(content, schema)
}
