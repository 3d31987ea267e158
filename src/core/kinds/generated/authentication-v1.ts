// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { NamedObjectMeta, Time } from '../object-meta.ts'

/** `BoundObjectReference` of `authentication/v1`. */
export type BoundObjectReference = {
  apiVersion?: string
  kind?: string
  name?: string
  uid?: string
}

/** The cluster-scoped kind `SelfSubjectReview` of `authentication.k8s.io/v1`. */
export type SelfSubjectReview = {
  apiVersion: 'authentication.k8s.io/v1'
  kind: 'SelfSubjectReview'
  metadata: NamedObjectMeta
  status?: SelfSubjectReviewStatus
}

/** `SelfSubjectReviewStatus` of `authentication/v1`. */
export type SelfSubjectReviewStatus = {
  userInfo?: UserInfo
}

/** The kind `TokenRequest` of `authentication.k8s.io/v1`. */
export type TokenRequest = {
  apiVersion: 'authentication.k8s.io/v1'
  kind: 'TokenRequest'
  metadata: NamedObjectMeta
  spec: TokenRequestSpec
  status?: TokenRequestStatus
}

/** `TokenRequestSpec` of `authentication/v1`. */
export type TokenRequestSpec = {
  audiences: string[]
  boundObjectRef?: BoundObjectReference
  expirationSeconds?: number
}

/** `TokenRequestStatus` of `authentication/v1`. */
export type TokenRequestStatus = {
  expirationTimestamp: Time
  token: string
}

/** The cluster-scoped kind `TokenReview` of `authentication.k8s.io/v1`. */
export type TokenReview = {
  apiVersion: 'authentication.k8s.io/v1'
  kind: 'TokenReview'
  metadata: NamedObjectMeta
  spec: TokenReviewSpec
  status?: TokenReviewStatus
}

/** `TokenReviewSpec` of `authentication/v1`. */
export type TokenReviewSpec = {
  audiences?: string[]
  token?: string
}

/** `TokenReviewStatus` of `authentication/v1`. */
export type TokenReviewStatus = {
  audiences?: string[]
  authenticated?: boolean
  error?: string
  user?: UserInfo
}

/** `UserInfo` of `authentication/v1`. */
export type UserInfo = {
  extra?: Record<string, string[]>
  groups?: string[]
  uid?: string
  username?: string
}
