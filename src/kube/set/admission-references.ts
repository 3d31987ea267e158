import { gvkOf, isRecord, type KubeObject, objectId } from '../../core/index.ts'

/**
 * What the API server looks up when it admits an object, and may refuse it without; references that are followed only
 * later, by controllers, are not among it.
 */
export function admissionReferences(object: KubeObject): Reference[] {
  const { group, kind } = gvkOf(object)
  const spec = isRecord(object['spec']) ? object['spec'] : {}
  const { namespace } = object.metadata
  if (group === '' && kind === 'Pod') return podReferences(spec, namespace)
  if (group === rbac && (kind === 'RoleBinding' || kind === 'ClusterRoleBinding')) {
    const role = isRecord(object['roleRef']) ? object['roleRef'] : {}
    const roleKind = textOf(role['kind'])
    const name = textOf(role['name'])
    if (roleKind === undefined || name === undefined) return []
    // Whoever may not bind every role must hold the rights of the one that is bound, so it is resolved.
    return [{ group: rbac, kind: roleKind, name, ...(roleKind === 'Role' && namespace !== undefined && { namespace }) }]
  }
  return []
}

/** One object that another needs, or with no name all of its kind. */
export interface Reference {
  readonly group: string
  readonly kind: string
  readonly namespace?: string
  readonly name?: string
}

/** Whether a reference means an object. */
export function refersTo(reference: Reference, object: KubeObject): boolean {
  const { group, kind } = gvkOf(object)
  if (reference.name !== undefined) {
    return objectId({ ...reference, name: reference.name }) === objectId({ group, kind, ...placeOf(object) })
  }
  return group === reference.group && kind === reference.kind && object.metadata.namespace === reference.namespace
}

const rbac = 'rbac.authorization.k8s.io'

function podReferences(spec: Record<string, unknown>, namespace: string | undefined): Reference[] {
  const inside = namespace === undefined ? {} : { namespace }
  const account = textOf(spec['serviceAccountName']) ?? 'default'
  const priority = textOf(spec['priorityClassName'])
  const runtime = textOf(spec['runtimeClassName'])
  return [
    { group: '', kind: 'ServiceAccount', name: account, ...inside },
    ...(priority === undefined ? [] : [{ group: 'scheduling.k8s.io', kind: 'PriorityClass', name: priority }]),
    ...(runtime === undefined ? [] : [{ group: 'node.k8s.io', kind: 'RuntimeClass', name: runtime }]),
    // A quota may demand limits that only a LimitRange of the same set gives to the Pod, or be raised by the set.
    { group: '', kind: 'LimitRange', ...inside },
    { group: '', kind: 'ResourceQuota', ...inside },
  ]
}

function placeOf(object: KubeObject): { name: string; namespace?: string } {
  const { name, namespace } = object.metadata
  return namespace === undefined ? { name } : { name, namespace }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
