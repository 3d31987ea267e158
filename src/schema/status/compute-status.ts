import { gvkOf, type KubeObject } from '../../core/index.ts'
import { customResourceStatus, type StatusOptions } from './custom-resources.ts'
import { fluxStatus } from './flux.ts'
import { cronJobStatus, jobStatus } from './jobs.ts'
import { loadBalancerStatus } from './network.ts'
import { current, failed, inProgress, type ObjectStatus } from './object-status.ts'
import { podStatus } from './pod.ts'
import { autoscalerStatus, disruptionBudgetStatus } from './policy.ts'
import { conditionsOf, explain, integerAt } from './read-fields.ts'
import { apiServiceStatus, crdStatus, namespaceStatus } from './registration.ts'
import { persistentVolumeStatus, volumeClaimStatus } from './storage.ts'
import { daemonSetStatus, deploymentStatus, replicaSetStatus, statefulSetStatus } from './workloads.ts'

type Rule = (object: KubeObject) => ObjectStatus

// Kinds by `Kind.group`, so that a custom resource which borrows a built-in kind's name is not taken for it.
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>(
  Object.entries({
    'Deployment.apps': deploymentStatus,
    'ReplicaSet.apps': replicaSetStatus,
    ReplicationController: replicaSetStatus,
    'StatefulSet.apps': statefulSetStatus,
    'DaemonSet.apps': daemonSetStatus,
    'Job.batch': jobStatus,
    'CronJob.batch': cronJobStatus,
    Pod: podStatus,
    PersistentVolumeClaim: volumeClaimStatus,
    PersistentVolume: persistentVolumeStatus,
    Service: loadBalancerStatus,
    Namespace: namespaceStatus,
    'CustomResourceDefinition.apiextensions.k8s.io': crdStatus,
    'APIService.apiregistration.k8s.io': apiServiceStatus,
    'PodDisruptionBudget.policy': disruptionBudgetStatus,
    'HorizontalPodAutoscaler.autoscaling': autoscalerStatus,
  }),
)

// Nobody reconciles these: what was stored is all there is. Only kinds that people apply by the hundred are listed.
const settled = new Set([
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'LimitRange',
  'ClusterRole.rbac.authorization.k8s.io',
  'ClusterRoleBinding.rbac.authorization.k8s.io',
  'Role.rbac.authorization.k8s.io',
  'RoleBinding.rbac.authorization.k8s.io',
  'NetworkPolicy.networking.k8s.io',
  'IngressClass.networking.k8s.io',
  'StorageClass.storage.k8s.io',
  'PriorityClass.scheduling.k8s.io',
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
])

/** Whether objects of a kind are ready as soon as they are stored, so that nobody needs to look at them again. */
export function isAlwaysReadyKind(gvk: { readonly group: string; readonly kind: string }): boolean {
  return settled.has(ruleName(gvk))
}

/**
 * How far an object is, from its own fields alone. The rules are kstatus', but stricter where those let a wait pass too early:
 * a running Job is in progress, a failed Pod has failed, a LoadBalancer needs its address, an `OnDelete` set its pods.
 */
export function computeStatus(object: KubeObject, options: StatusOptions = {}): ObjectStatus {
  const gvk = gvkOf(object)
  return (
    deletionStatus(object) ??
    fluxStatus(object) ??
    generationStatus(object) ??
    standardConditions(object) ??
    rules.get(ruleName(gvk))?.(object) ??
    (settled.has(ruleName(gvk)) ? current(`${gvk.kind} needs no controller`) : undefined) ??
    customResourceStatus(object, options)
  )
}

/** What holds for every object before any rule of its kind: it is being deleted, or its controller has not seen the spec. */
export function guardStatus(object: KubeObject): ObjectStatus | undefined {
  return deletionStatus(object) ?? generationStatus(object)
}

function deletionStatus(object: KubeObject): ObjectStatus | undefined {
  const { deletionTimestamp, finalizers } = object.metadata
  if (deletionTimestamp === undefined || deletionTimestamp === '') return undefined
  const held = finalizers === undefined || finalizers.length === 0 ? '' : `, held by ${finalizers.join(', ')}`
  return { status: 'Terminating', reason: 'Deleted', message: `being deleted${held}` }
}

/** kstatus demands equality; an observed generation ahead of ours (a restored backup) would then be waited for forever. */
function generationStatus(object: KubeObject): ObjectStatus | undefined {
  const generation = integerAt(object, 'metadata', 'generation')
  const observed = integerAt(object, 'status', 'observedGeneration')
  if (generation === undefined || observed === undefined || observed >= generation) return undefined
  return inProgress('LatestGenerationNotObserved', `generation is ${generation}, its controller has seen ${observed}`)
}

/** The two conditions that kstatus defines for everybody decide before any rule of the kind. */
function standardConditions(object: KubeObject): ObjectStatus | undefined {
  for (const condition of conditionsOf(object)) {
    if (condition.status !== 'True') continue
    if (condition.type === 'Reconciling') return inProgress(condition.reason, explain(condition))
    if (condition.type === 'Stalled') return failed(condition.reason, explain(condition))
  }
  return undefined
}

function ruleName(gvk: { readonly group: string; readonly kind: string }): string {
  return gvk.group === '' ? gvk.kind : `${gvk.kind}.${gvk.group}`
}
