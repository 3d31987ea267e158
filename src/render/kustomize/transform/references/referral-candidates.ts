import { isClusterScoped } from '../../resource/cluster-scope.ts'
import { effectiveNamespace } from '../../resource/res-id.ts'
import type { Resource } from '../../resource/resource.ts'
import { isMap, textOf } from '../../yaml/value.ts'

/** The resources that references may mean, found by the names they had. */
export interface Candidates {
  /** Those within the referrer's reach that once had a name. */
  of(referrer: Resource, name: string): Resource[]
  /** Those of them that were in a namespace at first; failing any such resource, that are in it now. */
  inNamespace(referrer: Resource, name: string, namespace: string): Resource[]
  /** Drops what was remembered about a referrer. */
  forget(referrer: Resource): void
}

/** Indexes resources by their earlier names, so that looking one up does not take longer the more there are. */
export function findCandidates(resources: readonly Resource[]): Candidates {
  const byName = new Map<string, Resource[]>()
  const byOriginalNamespace = new Map<string, Resource[]>()
  for (const resource of resources) {
    for (const name of new Set(resource.previousIds.map((id) => id.name))) push(byName, name, resource)
    push(byOriginalNamespace, effectiveNamespace(resource.originalId()), resource)
  }
  const reaches = new Map<Resource, (resource: Resource) => boolean>()
  const reachOf = (referrer: Resource): ((resource: Resource) => boolean) => {
    let reach = reaches.get(referrer)
    if (reach === undefined) reaches.set(referrer, (reach = makeReach(referrer)))
    return reach
  }
  const of = (referrer: Resource, name: string) => (byName.get(name) ?? []).filter(reachOf(referrer))
  return {
    of,
    inNamespace(referrer, name, namespace) {
      const isNamespaced = (each: Resource) => !isClusterScoped(each.gvk)
      const group = (byOriginalNamespace.get(namespace) ?? []).filter(isNamespaced)
      const found = of(referrer, name).filter(isNamespaced)
      if (group.some(reachOf(referrer))) {
        return found.filter((each) => effectiveNamespace(each.originalId()) === namespace)
      }
      return found.filter((each) => effectiveNamespace(each.currentId()) === namespace)
    },
    forget: (referrer) => reaches.delete(referrer),
  }
}

// Cluster-scoped resources reach everything and are in everyone's reach; role bindings also reach the namespaces of the
// service accounts among their subjects.
function makeReach(referrer: Resource): (resource: Resource) => boolean {
  if (isClusterScoped(referrer.gvk)) return () => true
  const own = effectiveNamespace(referrer.currentId())
  const subjects = subjectNamespaces(referrer)
  return (resource) =>
    isClusterScoped(resource.gvk) ||
    effectiveNamespace(resource.currentId()) === own ||
    subjects.has(resource.namespace)
}

function subjectNamespaces(referrer: Resource): Set<string> {
  const { subjects } = referrer.node
  if (referrer.kind !== 'RoleBinding' || !Array.isArray(subjects)) return new Set()
  const accounts = subjects.filter((each) => isMap(each) && textOf(each['kind']) === 'ServiceAccount')
  return new Set(
    accounts.flatMap((each) => (isMap(each) && each['namespace'] !== undefined ? [textOf(each['namespace'])] : [])),
  )
}

function push(map: Map<string, Resource[]>, key: string, resource: Resource): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [resource])
  else list.push(resource)
}
