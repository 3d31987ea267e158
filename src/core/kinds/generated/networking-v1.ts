// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { IntOrString, NamedObjectMeta } from '../object-meta.ts'
import type { TypedLocalObjectReference } from './core-v1.ts'
import type { Condition, LabelSelector } from './meta-v1.ts'

/** `HTTPIngressPath` of `networking/v1`. */
export type HTTPIngressPath = {
  backend: IngressBackend
  path?: string
  pathType: 'Exact' | 'ImplementationSpecific' | 'Prefix'
}

/** `HTTPIngressRuleValue` of `networking/v1`. */
export type HTTPIngressRuleValue = {
  paths: HTTPIngressPath[]
}

/** The cluster-scoped kind `IPAddress` of `networking.k8s.io/v1`. */
export type IPAddress = {
  apiVersion: 'networking.k8s.io/v1'
  kind: 'IPAddress'
  metadata: NamedObjectMeta
  spec?: IPAddressSpec
}

/** `IPAddressSpec` of `networking/v1`. */
export type IPAddressSpec = {
  parentRef: ParentReference
}

/** `IPBlock` of `networking/v1`. */
export type IPBlock = {
  cidr: string
  except?: string[]
}

/** The kind `Ingress` of `networking.k8s.io/v1`. */
export type Ingress = {
  apiVersion: 'networking.k8s.io/v1'
  kind: 'Ingress'
  metadata: NamedObjectMeta
  spec?: IngressSpec
  status?: IngressStatus
}

/** `IngressBackend` of `networking/v1`. */
export type IngressBackend = {
  resource?: TypedLocalObjectReference
  service?: IngressServiceBackend
}

/** The cluster-scoped kind `IngressClass` of `networking.k8s.io/v1`. */
export type IngressClass = {
  apiVersion: 'networking.k8s.io/v1'
  kind: 'IngressClass'
  metadata: NamedObjectMeta
  spec?: IngressClassSpec
}

/** `IngressClassParametersReference` of `networking/v1`. */
export type IngressClassParametersReference = {
  apiGroup?: string
  kind: string
  name: string
  namespace?: string
  scope?: string
}

/** `IngressClassSpec` of `networking/v1`. */
export type IngressClassSpec = {
  controller?: string
  parameters?: IngressClassParametersReference
}

/** `IngressLoadBalancerIngress` of `networking/v1`. */
export type IngressLoadBalancerIngress = {
  hostname?: string
  ip?: string
  ports?: IngressPortStatus[]
}

/** `IngressLoadBalancerStatus` of `networking/v1`. */
export type IngressLoadBalancerStatus = {
  ingress?: IngressLoadBalancerIngress[]
}

/** `IngressPortStatus` of `networking/v1`. */
export type IngressPortStatus = {
  error?: string
  port: number
  protocol: 'SCTP' | 'TCP' | 'UDP'
}

/** `IngressRule` of `networking/v1`. */
export type IngressRule = {
  host?: string
  http?: HTTPIngressRuleValue
}

/** `IngressServiceBackend` of `networking/v1`. */
export type IngressServiceBackend = {
  name: string
  port?: ServiceBackendPort
}

/** `IngressSpec` of `networking/v1`. */
export type IngressSpec = {
  defaultBackend?: IngressBackend
  ingressClassName?: string
  rules?: IngressRule[]
  tls?: IngressTLS[]
}

/** `IngressStatus` of `networking/v1`. */
export type IngressStatus = {
  loadBalancer?: IngressLoadBalancerStatus
}

/** `IngressTLS` of `networking/v1`. */
export type IngressTLS = {
  hosts?: string[]
  secretName?: string
}

/** The kind `NetworkPolicy` of `networking.k8s.io/v1`. */
export type NetworkPolicy = {
  apiVersion: 'networking.k8s.io/v1'
  kind: 'NetworkPolicy'
  metadata: NamedObjectMeta
  spec?: NetworkPolicySpec
}

/** `NetworkPolicyEgressRule` of `networking/v1`. */
export type NetworkPolicyEgressRule = {
  ports?: NetworkPolicyPort[]
  to?: NetworkPolicyPeer[]
}

/** `NetworkPolicyIngressRule` of `networking/v1`. */
export type NetworkPolicyIngressRule = {
  from?: NetworkPolicyPeer[]
  ports?: NetworkPolicyPort[]
}

/** `NetworkPolicyPeer` of `networking/v1`. */
export type NetworkPolicyPeer = {
  ipBlock?: IPBlock
  namespaceSelector?: LabelSelector
  podSelector?: LabelSelector
}

/** `NetworkPolicyPort` of `networking/v1`. */
export type NetworkPolicyPort = {
  endPort?: number
  port?: IntOrString
  protocol?: 'SCTP' | 'TCP' | 'UDP'
}

/** `NetworkPolicySpec` of `networking/v1`. */
export type NetworkPolicySpec = {
  egress?: NetworkPolicyEgressRule[]
  ingress?: NetworkPolicyIngressRule[]
  podSelector?: LabelSelector
  policyTypes?: ('Egress' | 'Ingress')[]
}

/** `ParentReference` of `networking/v1`. */
export type ParentReference = {
  group?: string
  name: string
  namespace?: string
  resource: string
}

/** `ServiceBackendPort` of `networking/v1`. */
export type ServiceBackendPort = {
  name?: string
  number?: number
}

/** The cluster-scoped kind `ServiceCIDR` of `networking.k8s.io/v1`. */
export type ServiceCIDR = {
  apiVersion: 'networking.k8s.io/v1'
  kind: 'ServiceCIDR'
  metadata: NamedObjectMeta
  spec?: ServiceCIDRSpec
  status?: ServiceCIDRStatus
}

/** `ServiceCIDRSpec` of `networking/v1`. */
export type ServiceCIDRSpec = {
  cidrs?: string[]
}

/** `ServiceCIDRStatus` of `networking/v1`. */
export type ServiceCIDRStatus = {
  conditions?: Condition[]
}
