import { type Context, type GroupVersionKind, type ObjectRef, stringifyJson } from '../../core/index.ts'
import { formatApiVersion, LadingError } from '../../core/index.ts'
import type { ApiResource, Cluster } from '../cluster.ts'

/** The resource of a kind, or the error that says it is not served. */
export async function resolveResource(cluster: Cluster, gvk: GroupVersionKind, ctx: Context): Promise<ApiResource> {
  const resource = await cluster.discovery.find(gvk, ctx)
  if (resource !== undefined) return resource
  const { group, version, kind } = gvk
  throw new LadingError('kube.unknown-kind', `the cluster does not serve ${formatApiVersion(gvk)} ${kind}`, {
    group,
    version,
    kind,
  })
}

/** The path of a collection: all namespaces when none is given. */
export function collectionPath(resource: ApiResource, namespace?: string): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`
  const inside = resource.namespaced && namespace !== undefined ? `/namespaces/${segment(namespace)}` : ''
  return `${root}${inside}/${resource.resource}`
}

/** The path of one object, optionally of one of its subresources. */
export function objectPath(resource: ApiResource, ref: ObjectRef, subresource?: string): string {
  if (resource.namespaced && ref.namespace === undefined) {
    throw new LadingError('object.invalid', `${ref.kind} ${ref.name} needs a namespace`, {
      kind: ref.kind,
      name: ref.name,
    })
  }
  const path = `${collectionPath(resource, ref.namespace)}/${segment(ref.name)}`
  return subresource === undefined ? path : `${path}/${subresource}`
}

/** One name as a part of a path. What would be none, or lead elsewhere, can be no name of an object (client-go refuses the same). */
function segment(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/%]/.test(name)) {
    throw new LadingError('object.invalid', `${stringifyJson(name)} can be no name of an object or namespace`, {
      name,
    })
  }
  return encodeURIComponent(name)
}
