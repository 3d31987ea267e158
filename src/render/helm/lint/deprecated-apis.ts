/**
 * What client-go of helm 4.1 knows to be deprecated, as its `lint` reports it: apiVersion, the minor of Kubernetes 1 that deprecated
 * it, the minor that removes it, what replaces it, and the kinds, `>` where the replacement has another name.
 */
const table = `
admissionregistration.k8s.io/v1alpha1 29 32 - ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingAdmissionPolicyBindingList ValidatingAdmissionPolicyList
admissionregistration.k8s.io/v1alpha1 35 38 - MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingAdmissionPolicyBindingList MutatingAdmissionPolicyList
admissionregistration.k8s.io/v1beta1 16 22 admissionregistration.k8s.io/v1 MutatingWebhookConfiguration MutatingWebhookConfigurationList ValidatingWebhookConfiguration ValidatingWebhookConfigurationList
admissionregistration.k8s.io/v1beta1 31 34 - ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingAdmissionPolicyBindingList ValidatingAdmissionPolicyList
admissionregistration.k8s.io/v1beta1 37 40 - MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingAdmissionPolicyBindingList MutatingAdmissionPolicyList
apps/v1beta1 8 16 apps/v1 ControllerRevision ControllerRevisionList Deployment DeploymentList DeploymentRollback StatefulSet StatefulSetList
apps/v1beta1 8 16 autoscaling/v1 Scale
apps/v1beta2 9 16 apps/v1 ControllerRevision ControllerRevisionList DaemonSet DaemonSetList Deployment DeploymentList ReplicaSet ReplicaSetList StatefulSet StatefulSetList
apps/v1beta2 9 16 autoscaling/v1 Scale
authentication.k8s.io/v1alpha1 29 32 - SelfSubjectReview
authentication.k8s.io/v1beta1 19 22 authentication.k8s.io/v1 TokenReview
authentication.k8s.io/v1beta1 30 33 - SelfSubjectReview
authorization.k8s.io/v1beta1 19 22 authorization.k8s.io/v1 LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
autoscaling/v2beta1 22 25 autoscaling/v2 HorizontalPodAutoscaler
autoscaling/v2beta1 22 25 autoscaling/v2beta2 HorizontalPodAutoscalerList
autoscaling/v2beta2 22 25 - HorizontalPodAutoscalerList
autoscaling/v2beta2 23 26 autoscaling/v2 HorizontalPodAutoscaler
batch/v1beta1 21 25 batch/v1 CronJob CronJobList
certificates.k8s.io/v1alpha1 34 37 - ClusterTrustBundle ClusterTrustBundleList
certificates.k8s.io/v1beta1 19 22 certificates.k8s.io/v1 CertificateSigningRequest CertificateSigningRequestList
certificates.k8s.io/v1beta1 36 39 - ClusterTrustBundle ClusterTrustBundleList
certificates.k8s.io/v1beta1 38 41 - PodCertificateRequest PodCertificateRequestList
coordination.k8s.io/v1alpha2 35 38 - LeaseCandidate LeaseCandidateList
coordination.k8s.io/v1beta1 19 22 coordination.k8s.io/v1 Lease LeaseList
coordination.k8s.io/v1beta1 36 39 - LeaseCandidate LeaseCandidateList
discovery.k8s.io/v1beta1 21 25 discovery.k8s.io/v1 EndpointSlice EndpointSliceList>EndpointSlice
events.k8s.io/v1beta1 22 25 - Event EventList
extensions/v1beta1 2 16 - Scale
extensions/v1beta1 8 16 apps/v1 DaemonSet DaemonSetList Deployment DeploymentList ReplicaSet ReplicaSetList
extensions/v1beta1 8 16 - DeploymentRollback
extensions/v1beta1 9 16 networking.k8s.io/v1 NetworkPolicy NetworkPolicyList
extensions/v1beta1 14 22 networking.k8s.io/v1 Ingress IngressList
flowcontrol.apiserver.k8s.io/v1beta1 23 26 flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList
flowcontrol.apiserver.k8s.io/v1beta2 26 29 flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList
flowcontrol.apiserver.k8s.io/v1beta3 29 32 flowcontrol.apiserver.k8s.io/v1 FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList
networking.k8s.io/v1beta1 19 22 networking.k8s.io/v1 Ingress IngressClass>IngressClassList IngressClassList IngressList
networking.k8s.io/v1beta1 34 37 - IPAddress IPAddressList ServiceCIDR ServiceCIDRList
node.k8s.io/v1beta1 22 25 - RuntimeClass RuntimeClassList
policy/v1beta1 21 25 policy/v1 PodDisruptionBudget PodDisruptionBudgetList
policy/v1beta1 22 25 - Eviction
rbac.authorization.k8s.io/v1beta1 17 22 rbac.authorization.k8s.io/v1 ClusterRole ClusterRoleBinding ClusterRoleBindingList ClusterRoleList Role RoleBinding RoleBindingList RoleList
resource.k8s.io/v1alpha3 36 39 - DeviceTaintRule DeviceTaintRuleList
resource.k8s.io/v1beta1 35 38 - DeviceClass DeviceClassList ResourceClaim ResourceClaimList ResourceClaimTemplate ResourceClaimTemplateList ResourceSlice ResourceSliceList
resource.k8s.io/v1beta2 36 39 - DeviceClass DeviceClassList ResourceClaim ResourceClaimList ResourceClaimTemplate ResourceClaimTemplateList ResourceSlice ResourceSliceList
scheduling.k8s.io/v1beta1 14 22 scheduling.k8s.io/v1 PriorityClass PriorityClassList
storage.k8s.io/v1alpha1 21 24 storage.k8s.io/v1beta1 CSIStorageCapacity CSIStorageCapacityList
storage.k8s.io/v1alpha1 21 24 storage.k8s.io/v1 VolumeAttachment VolumeAttachmentList
storage.k8s.io/v1alpha1 32 35 storage.k8s.io/v1 VolumeAttributesClass VolumeAttributesClassList
storage.k8s.io/v1beta1 17 22 storage.k8s.io/v1 CSINode CSINodeList>CSINode
storage.k8s.io/v1beta1 19 22 storage.k8s.io/v1 CSIDriver CSIDriverList StorageClass StorageClassList VolumeAttachment VolumeAttachmentList
storage.k8s.io/v1beta1 24 27 storage.k8s.io/v1 CSIStorageCapacity CSIStorageCapacityList
storage.k8s.io/v1beta1 34 37 storage.k8s.io/v1 VolumeAttributesClass VolumeAttributesClassList
storagemigration.k8s.io/v1beta1 38 41 - StorageVersionMigration StorageVersionMigrationList
v1 19 - - ComponentStatus ComponentStatusList
v1 33 - discovery.k8s.io/v1 Endpoints>EndpointSlice EndpointsList>EndpointSliceList
`

interface Deprecation {
  readonly minor: number
  readonly message: string
}

/** Says that an API is deprecated in a version of Kubernetes, in the words of the API server; undefined where it is not. */
export function deprecationOf(apiVersion: string, kind: string, major: number, minor: number): string | undefined {
  const found = deprecations.get(`${apiVersion} ${kind}`)
  return found !== undefined && (major > 1 || minor >= found.minor) ? found.message : undefined
}

function readTable(): Map<string, Deprecation> {
  const rows = new Map<string, Deprecation>()
  for (const line of table.trim().split('\n')) {
    const [apiVersion = '', minor = '', removed = '-', replacement = '-', ...kinds] = line.split(' ')
    for (const each of kinds) {
      const [kind = '', newKind = kind] = each.split('>')
      const until = removed === '-' ? '' : `, unavailable in v1.${removed}+`
      const use = replacement === '-' ? '' : `; use ${replacement} ${newKind}`
      const message = `${apiVersion} ${kind} is deprecated in v1.${minor}+${until}${use}`
      rows.set(`${apiVersion} ${kind}`, { minor: Number(minor), message })
    }
  }
  return rows
}

const deprecations = readTable()
