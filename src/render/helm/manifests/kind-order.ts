import { compareText } from '../../../core/index.ts'

// Helm's InstallOrder. Lading's own order for applying is another; this one decides how `helm template` prints.
const installOrder = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]

const ranks = new Map(installOrder.map((kind, rank) => [kind, rank]))

/** Orders two kinds as Helm installs them; kinds that it does not know come last, by name. */
export function compareKinds(a: string, b: string): number {
  const first = ranks.get(a)
  const second = ranks.get(b)
  if (first !== undefined && second !== undefined) return first - second
  if (first === undefined && second === undefined) return compareText(a, b)
  return first === undefined ? 1 : -1
}
