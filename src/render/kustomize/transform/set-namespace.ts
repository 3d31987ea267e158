import { LadingError } from '../../../core/index.ts'
import { applyFieldSpec, setScalar, type Slot, walkPath } from '../config/apply-field-spec.ts'
import type { FieldSpec } from '../config/field-spec.ts'
import { isClusterScoped } from '../resource/cluster-scope.ts'
import { formatId } from '../resource/res-id.ts'
import type { ResMap } from '../resource/res-map.ts'
import { helmGenerated, type Resource } from '../resource/resource.ts'
import { isMap, textOf } from '../yaml/value.ts'

/** Which subjects of role bindings get the namespace. */
export type SubjectMode = 'defaultOnly' | 'allServiceAccounts' | 'none'

/** How the namespace is set. */
interface NamespaceOptions {
  readonly unsetOnly?: boolean
  readonly subjects?: SubjectMode
}

/** Puts every namespaced resource into a namespace. */
export function setNamespace(
  resources: ResMap,
  namespace: string,
  specs: readonly FieldSpec[],
  options: NamespaceOptions = {},
): void {
  if (namespace === '') return
  for (const resource of resources.resources) {
    if (resource.isDeleted || resource.texts('annotations')[helmGenerated] === 'true') continue
    resource.storeId()
    setIn(resource, namespace, specs, options)
  }
  const duplicate = resources.duplicateId()
  if (duplicate !== undefined) {
    const id = formatId(duplicate)
    throw new LadingError('object.duplicate', `namespace transformation produces ID conflict: ${id}`, { id })
  }
}

function setIn(resource: Resource, namespace: string, specs: readonly FieldSpec[], options: NamespaceOptions): void {
  const set = (slot: Slot): void => {
    if (options.unsetOnly !== true || textOf(slot.get()) === '') setScalar(slot, namespace)
  }
  if (!isClusterScoped(resource.gvk)) walkPath(resource, { path: 'metadata/namespace', create: true }, 'scalar', set)
  const isBinding = resource.kind === 'RoleBinding' || resource.kind === 'ClusterRoleBinding'
  if (isBinding) setSubjects(resource, namespace, options)
  for (const spec of specs) {
    if (spec.path === 'metadata/namespace') continue
    // Only a core Namespace is named after the namespace.
    if (spec.path === 'metadata/name' && resource.apiVersion !== 'v1') continue
    const isSubject =
      (spec.kind === 'RoleBinding' || spec.kind === 'ClusterRoleBinding') && spec.path === 'subjects/namespace'
    if (!(isBinding && isSubject)) applyFieldSpec(resource, spec, 'scalar', set)
  }
}

function setSubjects(resource: Resource, namespace: string, options: NamespaceOptions): void {
  const mode = options.subjects ?? 'defaultOnly'
  const { subjects } = resource.node
  if (mode === 'none' || !Array.isArray(subjects)) return
  for (const subject of subjects) {
    if (!isMap(subject)) continue
    const fits =
      mode === 'defaultOnly' ? textOf(subject['name']) === 'default' : textOf(subject['kind']) === 'ServiceAccount'
    if (!fits) continue
    if (options.unsetOnly !== true || textOf(subject['namespace']) === '') subject['namespace'] = namespace
  }
}
