/** A kind by its group and name. */
interface Kind {
  readonly group: string
  readonly kind: string
}

/** Kinds that most releases are made of. */
export const usualKinds: readonly Kind[] = [
  ...['ConfigMap', 'Secret', 'Service', 'ServiceAccount', 'PersistentVolumeClaim'].map((kind) => ({ group: '', kind })),
  ...['Deployment', 'StatefulSet', 'DaemonSet'].map((kind) => ({ group: 'apps', kind })),
  ...['Job', 'CronJob'].map((kind) => ({ group: 'batch', kind })),
  ...['Ingress', 'NetworkPolicy'].map((kind) => ({ group: 'networking.k8s.io', kind })),
  ...['Role', 'RoleBinding'].map((kind) => ({ group: 'rbac.authorization.k8s.io', kind })),
  { group: 'autoscaling', kind: 'HorizontalPodAutoscaler' },
  { group: 'policy', kind: 'PodDisruptionBudget' },
]
