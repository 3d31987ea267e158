// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { NamedObjectMeta } from '../object-meta.ts'
import type { FieldSelectorRequirement, LabelSelectorRequirement } from './meta-v1.ts'

/** `FieldSelectorAttributes` of `authorization/v1`. */
export type FieldSelectorAttributes = {
  rawSelector?: string
  requirements?: FieldSelectorRequirement[]
}

/** `LabelSelectorAttributes` of `authorization/v1`. */
export type LabelSelectorAttributes = {
  rawSelector?: string
  requirements?: LabelSelectorRequirement[]
}

/** The kind `LocalSubjectAccessReview` of `authorization.k8s.io/v1`. */
export type LocalSubjectAccessReview = {
  apiVersion: 'authorization.k8s.io/v1'
  kind: 'LocalSubjectAccessReview'
  metadata: NamedObjectMeta
  spec: SubjectAccessReviewSpec
  status?: SubjectAccessReviewStatus
}

/** `NonResourceAttributes` of `authorization/v1`. */
export type NonResourceAttributes = {
  path?: string
  verb?: string
}

/** `NonResourceRule` of `authorization/v1`. */
export type NonResourceRule = {
  nonResourceURLs?: string[]
  verbs: string[]
}

/** `ResourceAttributes` of `authorization/v1`. */
export type ResourceAttributes = {
  fieldSelector?: FieldSelectorAttributes
  group?: string
  labelSelector?: LabelSelectorAttributes
  name?: string
  namespace?: string
  resource?: string
  subresource?: string
  verb?: string
  version?: string
}

/** `ResourceRule` of `authorization/v1`. */
export type ResourceRule = {
  apiGroups?: string[]
  resourceNames?: string[]
  resources?: string[]
  verbs: string[]
}

/** The cluster-scoped kind `SelfSubjectAccessReview` of `authorization.k8s.io/v1`. */
export type SelfSubjectAccessReview = {
  apiVersion: 'authorization.k8s.io/v1'
  kind: 'SelfSubjectAccessReview'
  metadata: NamedObjectMeta
  spec: SelfSubjectAccessReviewSpec
  status?: SubjectAccessReviewStatus
}

/** `SelfSubjectAccessReviewSpec` of `authorization/v1`. */
export type SelfSubjectAccessReviewSpec = {
  nonResourceAttributes?: NonResourceAttributes
  resourceAttributes?: ResourceAttributes
}

/** The cluster-scoped kind `SelfSubjectRulesReview` of `authorization.k8s.io/v1`. */
export type SelfSubjectRulesReview = {
  apiVersion: 'authorization.k8s.io/v1'
  kind: 'SelfSubjectRulesReview'
  metadata: NamedObjectMeta
  spec: SelfSubjectRulesReviewSpec
  status?: SubjectRulesReviewStatus
}

/** `SelfSubjectRulesReviewSpec` of `authorization/v1`. */
export type SelfSubjectRulesReviewSpec = {
  namespace?: string
}

/** The cluster-scoped kind `SubjectAccessReview` of `authorization.k8s.io/v1`. */
export type SubjectAccessReview = {
  apiVersion: 'authorization.k8s.io/v1'
  kind: 'SubjectAccessReview'
  metadata: NamedObjectMeta
  spec: SubjectAccessReviewSpec
  status?: SubjectAccessReviewStatus
}

/** `SubjectAccessReviewSpec` of `authorization/v1`. */
export type SubjectAccessReviewSpec = {
  extra?: Record<string, string[]>
  groups?: string[]
  nonResourceAttributes?: NonResourceAttributes
  resourceAttributes?: ResourceAttributes
  uid?: string
  user?: string
}

/** `SubjectAccessReviewStatus` of `authorization/v1`. */
export type SubjectAccessReviewStatus = {
  allowed: boolean
  denied?: boolean
  evaluationError?: string
  reason?: string
}

/** `SubjectRulesReviewStatus` of `authorization/v1`. */
export type SubjectRulesReviewStatus = {
  evaluationError?: string
  incomplete: boolean
  nonResourceRules: NonResourceRule[]
  resourceRules: ResourceRule[]
}
