import { compareText, type GroupVersionKind, type ObjectRef } from '../core/index.ts'

/** The API groups that the API server itself serves; every other group holds custom resources. */
export const builtinGroups: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
])

const rbac = 'rbac.authorization.k8s.io'
const admission = 'admissionregistration.k8s.io'

/**
 * The order of kinds on apply; kinds on one line do not need each other. It is Flux's order, refined where Flux says
 * "everything else": volumes and network policies stand before the pods that use them, the remaining workloads beside the
 * named ones, Ingress after all of them, and custom resources after every built-in kind.
 */
const order: readonly (readonly string[])[] = [
  ['Namespace'],
  ['CustomResourceDefinition.apiextensions.k8s.io'],
  [`ClusterRole.${rbac}`],
  ['*Class'],
  [`ClusterRoleBinding.${rbac}`],
  ['ResourceQuota'],
  ['ServiceAccount'],
  [`Role.${rbac}`],
  [`RoleBinding.${rbac}`],
  ['ConfigMap'],
  ['Secret'],
  ['PersistentVolume', 'PersistentVolumeClaim'],
  ['NetworkPolicy.networking.k8s.io'],
  ['Service'],
  ['LimitRange'],
  ['Deployment.apps', 'DaemonSet.apps', 'ReplicaSet.apps', 'ReplicationController', 'Pod', 'Job.batch'],
  ['StatefulSet.apps'],
  ['CronJob.batch'],
  ['PodDisruptionBudget.policy'],
  ['*'],
  ['Ingress.networking.k8s.io'],
  ['custom'],
  [`MutatingWebhookConfiguration.${admission}`, `ValidatingWebhookConfiguration.${admission}`],
]

const ranks: ReadonlyMap<string, number> = new Map(order.flatMap((kinds, rank) => kinds.map((kind) => [kind, rank])))
const classRank = rankOf('*Class')
const otherRank = rankOf('*')
const customRank = rankOf('custom')

/** Where a kind stands in the order of apply, lowest first; kinds of one rank can be applied at the same time. */
export function kindRank(kind: Pick<GroupVersionKind, 'group' | 'kind'>): number {
  const known = ranks.get(kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`)
  if (known !== undefined) return known
  // StorageClass, IngressClass, GatewayClass, ClusterClass…: what others choose by name, in whatever group.
  if (kind.kind.endsWith('Class')) return classRank
  return builtinGroups.has(kind.group) ? otherRank : customRank
}

/** Total order of objects for apply: rank, then namespace, kind, group, name. */
export function compareForApply(a: OrderedRef, b: OrderedRef): number {
  return (
    kindRank(a) - kindRank(b) ||
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.kind, b.kind) ||
    compareText(a.group, b.group) ||
    compareText(a.name, b.name)
  )
}

/** The exact reverse of `compareForApply`: what was applied last is deleted first. */
export function compareForDelete(a: OrderedRef, b: OrderedRef): number {
  return compareForApply(b, a)
}

/** What the order of objects depends on. */
export type OrderedRef = Pick<ObjectRef, 'group' | 'kind' | 'namespace' | 'name'>

// By code unit, so that the order does not depend on the locale of the machine.
function rankOf(entry: string): number {
  return order.findIndex((kinds) => kinds.includes(entry))
}
