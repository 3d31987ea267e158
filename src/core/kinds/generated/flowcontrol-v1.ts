// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { NamedObjectMeta, Time } from '../object-meta.ts'

/** `ExemptPriorityLevelConfiguration` of `flowcontrol/v1`. */
export type ExemptPriorityLevelConfiguration = {
  lendablePercent?: number
  nominalConcurrencyShares?: number
}

/** `FlowDistinguisherMethod` of `flowcontrol/v1`. */
export type FlowDistinguisherMethod = {
  type: string
}

/** The cluster-scoped kind `FlowSchema` of `flowcontrol.apiserver.k8s.io/v1`. */
export type FlowSchema = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1'
  kind: 'FlowSchema'
  metadata: NamedObjectMeta
  spec?: FlowSchemaSpec
  status?: FlowSchemaStatus
}

/** `FlowSchemaCondition` of `flowcontrol/v1`. */
export type FlowSchemaCondition = {
  lastTransitionTime?: Time
  message?: string
  reason?: string
  status?: string
  type?: string
}

/** `FlowSchemaSpec` of `flowcontrol/v1`. */
export type FlowSchemaSpec = {
  distinguisherMethod?: FlowDistinguisherMethod
  matchingPrecedence?: number
  priorityLevelConfiguration: PriorityLevelConfigurationReference
  rules?: PolicyRulesWithSubjects[]
}

/** `FlowSchemaStatus` of `flowcontrol/v1`. */
export type FlowSchemaStatus = {
  conditions?: FlowSchemaCondition[]
}

/** `GroupSubject` of `flowcontrol/v1`. */
export type GroupSubject = {
  name: string
}

/** `LimitResponse` of `flowcontrol/v1`. */
export type LimitResponse = {
  queuing?: QueuingConfiguration
  type: string
}

/** `LimitedPriorityLevelConfiguration` of `flowcontrol/v1`. */
export type LimitedPriorityLevelConfiguration = {
  borrowingLimitPercent?: number
  lendablePercent?: number
  limitResponse?: LimitResponse
  nominalConcurrencyShares?: number
}

/** `NonResourcePolicyRule` of `flowcontrol/v1`. */
export type NonResourcePolicyRule = {
  nonResourceURLs: string[]
  verbs: string[]
}

/** `PolicyRulesWithSubjects` of `flowcontrol/v1`. */
export type PolicyRulesWithSubjects = {
  nonResourceRules?: NonResourcePolicyRule[]
  resourceRules?: ResourcePolicyRule[]
  subjects: FlowcontrolV1Subject[]
}

/** The cluster-scoped kind `PriorityLevelConfiguration` of `flowcontrol.apiserver.k8s.io/v1`. */
export type PriorityLevelConfiguration = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1'
  kind: 'PriorityLevelConfiguration'
  metadata: NamedObjectMeta
  spec?: PriorityLevelConfigurationSpec
  status?: PriorityLevelConfigurationStatus
}

/** `PriorityLevelConfigurationCondition` of `flowcontrol/v1`. */
export type PriorityLevelConfigurationCondition = {
  lastTransitionTime?: Time
  message?: string
  reason?: string
  status?: string
  type?: string
}

/** `PriorityLevelConfigurationReference` of `flowcontrol/v1`. */
export type PriorityLevelConfigurationReference = {
  name: string
}

/** `PriorityLevelConfigurationSpec` of `flowcontrol/v1`. */
export type PriorityLevelConfigurationSpec = {
  exempt?: ExemptPriorityLevelConfiguration
  limited?: LimitedPriorityLevelConfiguration
  type: string
}

/** `PriorityLevelConfigurationStatus` of `flowcontrol/v1`. */
export type PriorityLevelConfigurationStatus = {
  conditions?: PriorityLevelConfigurationCondition[]
}

/** `QueuingConfiguration` of `flowcontrol/v1`. */
export type QueuingConfiguration = {
  handSize?: number
  queueLengthLimit?: number
  queues?: number
}

/** `ResourcePolicyRule` of `flowcontrol/v1`. */
export type ResourcePolicyRule = {
  apiGroups: string[]
  clusterScope?: boolean
  namespaces?: string[]
  resources: string[]
  verbs: string[]
}

/** `ServiceAccountSubject` of `flowcontrol/v1`. */
export type ServiceAccountSubject = {
  name: string
  namespace: string
}

/** `Subject` of `flowcontrol/v1`. */
export type FlowcontrolV1Subject = {
  group?: GroupSubject
  kind: string
  serviceAccount?: ServiceAccountSubject
  user?: UserSubject
}

/** `UserSubject` of `flowcontrol/v1`. */
export type UserSubject = {
  name: string
}
