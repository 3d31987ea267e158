import { isClusterScoped } from './cluster-scope.ts'
import { formatGvk, type Gvk, isSelectedBy } from './gvk.ts'

/** What names a resource during a build. */
export interface ResId {
  readonly gvk: Gvk
  readonly name: string
  readonly namespace: string
}

const notNamespaced = '_non_namespaceable_'

/** The namespace that counts: `default` where none is given, one of its own for cluster-scoped kinds. */
export function effectiveNamespace(id: ResId): string {
  if (isClusterScoped(id.gvk)) return notNamespaced
  return id.namespace === '' ? 'default' : id.namespace
}

/** A key that is equal for ids that name the same resource. */
export function idKey(id: ResId): string {
  return `${id.gvk.kind}\0${id.gvk.version}\0${id.gvk.group}\0${id.name}\0${effectiveNamespace(id)}`
}

/** Whether an id has every part that a selector gives. */
export function isIdSelected(id: ResId, selector: ResId): boolean {
  return (
    (selector.name === '' || selector.name === id.name) &&
    (selector.namespace === '' || effectiveNamespace(selector) === effectiveNamespace(id)) &&
    isSelectedBy(id.gvk, selector.gvk)
  )
}

/** How kustomize writes an id in messages. */
export function formatId(id: ResId): string {
  return `${formatGvk(id.gvk)}/${id.name || '[noName]'}.${id.namespace || '[noNs]'}`
}
