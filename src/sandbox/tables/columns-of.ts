import type { ResourceType } from '../resource-type.ts'
import {
  bindingColumns,
  claimColumns,
  csiNodeColumns,
  leaseColumns,
  priorityClassColumns,
  runtimeClassColumns,
  serviceCidrColumns,
  storageClassColumns,
  volumeColumns,
  webhookColumns,
} from './cluster-kinds.ts'
import { ageColumn, type Column, createdAtColumn, nameColumn } from './column.ts'
import {
  configMapColumns,
  eventColumns,
  namespaceColumns,
  nodeColumns,
  podTemplateColumns,
  quotaColumns,
  secretColumns,
} from './core-kinds.ts'
import { customColumns } from './custom-columns.ts'
import {
  endpointsColumns,
  endpointSliceColumns,
  ingressClassColumns,
  ingressColumns,
  networkPolicyColumns,
  serviceColumns,
} from './network.ts'
import { podColumns } from './pods.ts'
import {
  autoscalerColumns,
  controllerRevisionColumns,
  cronJobColumns,
  daemonSetColumns,
  deploymentColumns,
  disruptionBudgetColumns,
  jobColumns,
  replicaSetColumns,
  replicationControllerColumns,
  statefulSetColumns,
} from './workloads.ts'

const nameAndAge = [nameColumn, ageColumn]

const tables: Readonly<Record<string, readonly Column[]>> = {
  '/configmaps': configMapColumns,
  '/endpoints': endpointsColumns,
  '/events': eventColumns,
  '/namespaces': namespaceColumns,
  '/nodes': nodeColumns,
  '/persistentvolumeclaims': claimColumns,
  '/persistentvolumes': volumeColumns,
  '/pods': podColumns,
  '/podtemplates': podTemplateColumns,
  '/replicationcontrollers': replicationControllerColumns,
  '/resourcequotas': quotaColumns,
  '/secrets': secretColumns,
  '/serviceaccounts': nameAndAge,
  '/services': serviceColumns,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhookColumns,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhookColumns,
  'apps/controllerrevisions': controllerRevisionColumns,
  'apps/daemonsets': daemonSetColumns,
  'apps/deployments': deploymentColumns,
  'apps/replicasets': replicaSetColumns,
  'apps/statefulsets': statefulSetColumns,
  'autoscaling/horizontalpodautoscalers': autoscalerColumns,
  'batch/cronjobs': cronJobColumns,
  'batch/jobs': jobColumns,
  'coordination.k8s.io/leases': leaseColumns,
  'discovery.k8s.io/endpointslices': endpointSliceColumns,
  'events.k8s.io/events': eventColumns,
  'networking.k8s.io/ingressclasses': ingressClassColumns,
  'networking.k8s.io/ingresses': ingressColumns,
  'networking.k8s.io/networkpolicies': networkPolicyColumns,
  'networking.k8s.io/servicecidrs': serviceCidrColumns,
  'node.k8s.io/runtimeclasses': runtimeClassColumns,
  'policy/poddisruptionbudgets': disruptionBudgetColumns,
  'rbac.authorization.k8s.io/clusterrolebindings': bindingColumns,
  'rbac.authorization.k8s.io/rolebindings': bindingColumns,
  'scheduling.k8s.io/priorityclasses': priorityClassColumns,
  'storage.k8s.io/csinodes': csiNodeColumns,
  'storage.k8s.io/storageclasses': storageClassColumns,
}

/** The columns of a resource's table. */
export function columnsOf(type: ResourceType): readonly Column[] {
  if (type.crd !== undefined) return customColumns(type.crd, type.version)
  return tables[type.collection] ?? [nameColumn, createdAtColumn]
}
