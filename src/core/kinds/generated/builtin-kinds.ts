// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { MutatingWebhookConfiguration, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, ValidatingWebhookConfiguration } from './admissionregistration-v1.ts'
import type { CustomResourceDefinition } from './apiextensions-v1.ts'
import type { APIService } from './apiregistration-v1.ts'
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from './apps-v1.ts'
import type { SelfSubjectReview, TokenRequest, TokenReview } from './authentication-v1.ts'
import type { LocalSubjectAccessReview, SelfSubjectAccessReview, SelfSubjectRulesReview, SubjectAccessReview } from './authorization-v1.ts'
import type { AutoscalingV1HorizontalPodAutoscaler, Scale } from './autoscaling-v1.ts'
import type { HorizontalPodAutoscaler } from './autoscaling-v2.ts'
import type { CronJob, Job } from './batch-v1.ts'
import type { CertificateSigningRequest } from './certificates-v1.ts'
import type { Lease } from './coordination-v1.ts'
import type { Binding, ComponentStatus, ConfigMap, Endpoints, Event, LimitRange, Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod, PodTemplate, ReplicationController, ResourceQuota, Secret, Service, ServiceAccount } from './core-v1.ts'
import type { EndpointSlice } from './discovery-v1.ts'
import type { EventsV1Event } from './events-v1.ts'
import type { FlowSchema, PriorityLevelConfiguration } from './flowcontrol-v1.ts'
import type { IPAddress, Ingress, IngressClass, NetworkPolicy, ServiceCIDR } from './networking-v1.ts'
import type { RuntimeClass } from './node-v1.ts'
import type { Eviction, PodDisruptionBudget } from './policy-v1.ts'
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './rbac-v1.ts'
import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from './resource-v1.ts'
import type { PriorityClass } from './scheduling-v1.ts'
import type { CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment, VolumeAttributesClass } from './storage-v1.ts'

/** The built-in kinds by `apiVersion/kind`. */
export interface BuiltinKinds {
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': MutatingWebhookConfiguration
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy': ValidatingAdmissionPolicy
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding': ValidatingAdmissionPolicyBinding
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': ValidatingWebhookConfiguration
  'apiextensions.k8s.io/v1/CustomResourceDefinition': CustomResourceDefinition
  'apiregistration.k8s.io/v1/APIService': APIService
  'apps/v1/ControllerRevision': ControllerRevision
  'apps/v1/DaemonSet': DaemonSet
  'apps/v1/Deployment': Deployment
  'apps/v1/ReplicaSet': ReplicaSet
  'apps/v1/StatefulSet': StatefulSet
  'authentication.k8s.io/v1/SelfSubjectReview': SelfSubjectReview
  'authentication.k8s.io/v1/TokenRequest': TokenRequest
  'authentication.k8s.io/v1/TokenReview': TokenReview
  'authorization.k8s.io/v1/LocalSubjectAccessReview': LocalSubjectAccessReview
  'authorization.k8s.io/v1/SelfSubjectAccessReview': SelfSubjectAccessReview
  'authorization.k8s.io/v1/SelfSubjectRulesReview': SelfSubjectRulesReview
  'authorization.k8s.io/v1/SubjectAccessReview': SubjectAccessReview
  'autoscaling/v1/HorizontalPodAutoscaler': AutoscalingV1HorizontalPodAutoscaler
  'autoscaling/v1/Scale': Scale
  'autoscaling/v2/HorizontalPodAutoscaler': HorizontalPodAutoscaler
  'batch/v1/CronJob': CronJob
  'batch/v1/Job': Job
  'certificates.k8s.io/v1/CertificateSigningRequest': CertificateSigningRequest
  'coordination.k8s.io/v1/Lease': Lease
  'discovery.k8s.io/v1/EndpointSlice': EndpointSlice
  'events.k8s.io/v1/Event': EventsV1Event
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': FlowSchema
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration': PriorityLevelConfiguration
  'networking.k8s.io/v1/IPAddress': IPAddress
  'networking.k8s.io/v1/Ingress': Ingress
  'networking.k8s.io/v1/IngressClass': IngressClass
  'networking.k8s.io/v1/NetworkPolicy': NetworkPolicy
  'networking.k8s.io/v1/ServiceCIDR': ServiceCIDR
  'node.k8s.io/v1/RuntimeClass': RuntimeClass
  'policy/v1/Eviction': Eviction
  'policy/v1/PodDisruptionBudget': PodDisruptionBudget
  'rbac.authorization.k8s.io/v1/ClusterRole': ClusterRole
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': ClusterRoleBinding
  'rbac.authorization.k8s.io/v1/Role': Role
  'rbac.authorization.k8s.io/v1/RoleBinding': RoleBinding
  'resource.k8s.io/v1/DeviceClass': DeviceClass
  'resource.k8s.io/v1/ResourceClaim': ResourceClaim
  'resource.k8s.io/v1/ResourceClaimTemplate': ResourceClaimTemplate
  'resource.k8s.io/v1/ResourceSlice': ResourceSlice
  'scheduling.k8s.io/v1/PriorityClass': PriorityClass
  'storage.k8s.io/v1/CSIDriver': CSIDriver
  'storage.k8s.io/v1/CSINode': CSINode
  'storage.k8s.io/v1/CSIStorageCapacity': CSIStorageCapacity
  'storage.k8s.io/v1/StorageClass': StorageClass
  'storage.k8s.io/v1/VolumeAttachment': VolumeAttachment
  'storage.k8s.io/v1/VolumeAttributesClass': VolumeAttributesClass
  'v1/Binding': Binding
  'v1/ComponentStatus': ComponentStatus
  'v1/ConfigMap': ConfigMap
  'v1/Endpoints': Endpoints
  'v1/Event': Event
  'v1/LimitRange': LimitRange
  'v1/Namespace': Namespace
  'v1/Node': Node
  'v1/PersistentVolume': PersistentVolume
  'v1/PersistentVolumeClaim': PersistentVolumeClaim
  'v1/Pod': Pod
  'v1/PodTemplate': PodTemplate
  'v1/ReplicationController': ReplicationController
  'v1/ResourceQuota': ResourceQuota
  'v1/Secret': Secret
  'v1/Service': Service
  'v1/ServiceAccount': ServiceAccount
}
