import type { KubeObject } from '../../core/index.ts'
import type { ResourceType } from '../resource-type.ts'

/**
 * A stored object as the version of a resource shows it. Versions of a CRD share one collection and convert by name only,
 * which is what the conversion strategy `None` does.
 */
export function inVersion(type: ResourceType, object: KubeObject): KubeObject {
  if (type.crd === undefined) return object
  const apiVersion = `${type.group}/${type.version}`
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion }
}
