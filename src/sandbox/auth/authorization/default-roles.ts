import type { KubeObject } from '../../../core/index.ts'
import type { PolicyRule } from './rbac.ts'

/** A role or binding that every cluster has, before the server completes it. */
export type DefaultObject = Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'> & Record<string, unknown>

/** The roles and bindings of the API server's own that users build on; those of its controllers are left out. */
export function defaultRoles(): DefaultObject[] {
  return [
    role('cluster-admin', [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ]),
    role('system:discovery', [{ nonResourceURLs: [...discoveryPaths].sort(), verbs: ['get'] }]),
    role('system:public-info-viewer', [{ nonResourceURLs: publicPaths, verbs: ['get'] }]),
    role('system:basic-user', [
      {
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
        verbs: ['create'],
      },
      { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
    ]),
    role('system:aggregate-to-view', viewRules, { [aggregateTo('view')]: 'true' }),
    role('system:aggregate-to-edit', editRules, { [aggregateTo('edit')]: 'true' }),
    role('system:aggregate-to-admin', adminRules, { [aggregateTo('admin')]: 'true' }),
    aggregated('view', { [aggregateTo('edit')]: 'true' }),
    aggregated('edit', { [aggregateTo('admin')]: 'true' }),
    aggregated('admin', {}),
    binding('cluster-admin', ['system:masters']),
    binding('system:basic-user', ['system:authenticated']),
    binding('system:discovery', ['system:authenticated']),
    binding('system:public-info-viewer', ['system:authenticated', 'system:unauthenticated']),
  ]
}

const apiVersion = 'rbac.authorization.k8s.io/v1'
const publicPaths = ['/healthz', '/livez', '/readyz', '/version', '/version/']
const discoveryPaths = ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*', ...publicPaths]

const read = ['get', 'list', 'watch']
const write = ['create', 'delete', 'deletecollection', 'patch', 'update']

const viewRules: readonly PolicyRule[] = [
  rule(
    [''],
    read,
    words(
      'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods ' +
        'replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
    ),
  ),
  rule(
    [''],
    read,
    words(
      'bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status ' +
        'resourcequotas resourcequotas/status',
    ),
  ),
  rule([''], read, ['namespaces']),
  rule(['', 'events.k8s.io'], read, ['events']),
  rule(['discovery.k8s.io'], read, ['endpointslices']),
  rule(
    ['apps'],
    read,
    words(
      'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status ' +
        'replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
    ),
  ),
  rule(['autoscaling'], read, ['horizontalpodautoscalers', 'horizontalpodautoscalers/status']),
  rule(['batch'], read, ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status']),
  rule(['policy'], read, ['poddisruptionbudgets', 'poddisruptionbudgets/status']),
  rule(['networking.k8s.io'], read, ['ingresses', 'ingresses/status', 'networkpolicies']),
]

const editRules: readonly PolicyRule[] = [
  rule([''], read, ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'secrets', 'services/proxy']),
  rule([''], ['impersonate'], ['serviceaccounts']),
  rule([''], write, ['pods', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy']),
  rule([''], ['create'], ['pods/eviction']),
  rule(
    [''],
    write,
    words(
      'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets ' +
        'serviceaccounts services services/proxy',
    ),
  ),
  rule([''], ['create'], ['serviceaccounts/token']),
  rule(['', 'events.k8s.io'], write, ['events']),
  rule(
    ['apps'],
    write,
    words(
      'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale ' +
        'statefulsets statefulsets/scale',
    ),
  ),
  rule(['autoscaling'], write, ['horizontalpodautoscalers']),
  rule(['batch'], write, ['cronjobs', 'jobs']),
  rule(['policy'], write, ['poddisruptionbudgets']),
  rule(['networking.k8s.io'], write, ['ingresses', 'networkpolicies']),
  rule(['coordination.k8s.io'], [...write, ...read].sort(), ['leases']),
]

const adminRules: readonly PolicyRule[] = [
  rule(['authorization.k8s.io'], ['create'], ['localsubjectaccessreviews']),
  rule(['rbac.authorization.k8s.io'], [...write, ...read].sort(), ['rolebindings', 'roles']),
]

function rule(apiGroups: readonly string[], verbs: readonly string[], resources: readonly string[]): PolicyRule {
  return { apiGroups, resources, verbs }
}

function words(text: string): string[] {
  return text.split(' ')
}

function aggregateTo(name: string): string {
  return `rbac.authorization.k8s.io/aggregate-to-${name}`
}

function role(name: string, rules: readonly PolicyRule[], labels: Record<string, string> = {}): DefaultObject {
  return { apiVersion, kind: 'ClusterRole', metadata: bootstrapped(name, labels), rules }
}

function aggregated(name: string, labels: Record<string, string>): DefaultObject {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [aggregateTo(name)]: 'true' } }] }
  return { ...role(name, [], labels), aggregationRule }
}

function binding(name: string, groups: readonly string[]): DefaultObject {
  const apiGroup = 'rbac.authorization.k8s.io'
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: bootstrapped(name, {}),
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: groups.map((group) => ({ apiGroup, kind: 'Group', name: group })),
  }
}

function bootstrapped(name: string, labels: Record<string, string>): KubeObject['metadata'] {
  return {
    name,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  }
}
