// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { NamedObjectMeta } from '../object-meta.ts'
import type { LabelSelector } from './meta-v1.ts'

/** `AggregationRule` of `rbac/v1`. */
export type AggregationRule = {
  clusterRoleSelectors?: LabelSelector[]
}

/** The cluster-scoped kind `ClusterRole` of `rbac.authorization.k8s.io/v1`. */
export type ClusterRole = {
  apiVersion: 'rbac.authorization.k8s.io/v1'
  kind: 'ClusterRole'
  metadata: NamedObjectMeta
  aggregationRule?: AggregationRule
  rules?: PolicyRule[]
}

/** The cluster-scoped kind `ClusterRoleBinding` of `rbac.authorization.k8s.io/v1`. */
export type ClusterRoleBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1'
  kind: 'ClusterRoleBinding'
  metadata: NamedObjectMeta
  roleRef: RoleRef
  subjects?: Subject[]
}

/** `PolicyRule` of `rbac/v1`. */
export type PolicyRule = {
  apiGroups?: string[]
  nonResourceURLs?: string[]
  resourceNames?: string[]
  resources?: string[]
  verbs: string[]
}

/** The kind `Role` of `rbac.authorization.k8s.io/v1`. */
export type Role = {
  apiVersion: 'rbac.authorization.k8s.io/v1'
  kind: 'Role'
  metadata: NamedObjectMeta
  rules?: PolicyRule[]
}

/** The kind `RoleBinding` of `rbac.authorization.k8s.io/v1`. */
export type RoleBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1'
  kind: 'RoleBinding'
  metadata: NamedObjectMeta
  roleRef: RoleRef
  subjects?: Subject[]
}

/** `RoleRef` of `rbac/v1`. */
export type RoleRef = {
  apiGroup: string
  kind: string
  name: string
}

/** `Subject` of `rbac/v1`. */
export type Subject = {
  apiGroup?: string
  kind: string
  name: string
  namespace?: string
}
