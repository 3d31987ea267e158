// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { Base64, NamedObjectMeta } from '../object-meta.ts'
import type { Condition, LabelSelector } from './meta-v1.ts'

/** `AuditAnnotation` of `admissionregistration/v1`. */
export type AuditAnnotation = {
  key: string
  valueExpression: string
}

/** `ExpressionWarning` of `admissionregistration/v1`. */
export type ExpressionWarning = {
  fieldRef: string
  warning: string
}

/** `MatchCondition` of `admissionregistration/v1`. */
export type MatchCondition = {
  expression: string
  name: string
}

/** `MatchResources` of `admissionregistration/v1`. */
export type MatchResources = {
  excludeResourceRules?: NamedRuleWithOperations[]
  matchPolicy?: 'Equivalent' | 'Exact'
  namespaceSelector?: LabelSelector
  objectSelector?: LabelSelector
  resourceRules?: NamedRuleWithOperations[]
}

/** `MutatingWebhook` of `admissionregistration/v1`. */
export type MutatingWebhook = {
  admissionReviewVersions: string[]
  clientConfig: WebhookClientConfig
  failurePolicy?: 'Fail' | 'Ignore'
  matchConditions?: MatchCondition[]
  matchPolicy?: 'Equivalent' | 'Exact'
  name: string
  namespaceSelector?: LabelSelector
  objectSelector?: LabelSelector
  reinvocationPolicy?: 'IfNeeded' | 'Never'
  rules?: RuleWithOperations[]
  sideEffects: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown'
  timeoutSeconds?: number
}

/** The cluster-scoped kind `MutatingWebhookConfiguration` of `admissionregistration.k8s.io/v1`. */
export type MutatingWebhookConfiguration = {
  apiVersion: 'admissionregistration.k8s.io/v1'
  kind: 'MutatingWebhookConfiguration'
  metadata: NamedObjectMeta
  webhooks?: MutatingWebhook[]
}

/** `NamedRuleWithOperations` of `admissionregistration/v1`. */
export type NamedRuleWithOperations = {
  apiGroups?: string[]
  apiVersions?: string[]
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE')[]
  resourceNames?: string[]
  resources?: string[]
  scope?: '*' | 'Cluster' | 'Namespaced'
}

/** `ParamKind` of `admissionregistration/v1`. */
export type ParamKind = {
  apiVersion?: string
  kind?: string
}

/** `ParamRef` of `admissionregistration/v1`. */
export type ParamRef = {
  name?: string
  namespace?: string
  parameterNotFoundAction?: string
  selector?: LabelSelector
}

/** `RuleWithOperations` of `admissionregistration/v1`. */
export type RuleWithOperations = {
  apiGroups?: string[]
  apiVersions?: string[]
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE')[]
  resources?: string[]
  scope?: '*' | 'Cluster' | 'Namespaced'
}

/** `ServiceReference` of `admissionregistration/v1`. */
export type ServiceReference = {
  name: string
  namespace: string
  path?: string
  port?: number
}

/** `TypeChecking` of `admissionregistration/v1`. */
export type TypeChecking = {
  expressionWarnings?: ExpressionWarning[]
}

/** The cluster-scoped kind `ValidatingAdmissionPolicy` of `admissionregistration.k8s.io/v1`. */
export type ValidatingAdmissionPolicy = {
  apiVersion: 'admissionregistration.k8s.io/v1'
  kind: 'ValidatingAdmissionPolicy'
  metadata: NamedObjectMeta
  spec?: ValidatingAdmissionPolicySpec
  status?: ValidatingAdmissionPolicyStatus
}

/** The cluster-scoped kind `ValidatingAdmissionPolicyBinding` of `admissionregistration.k8s.io/v1`. */
export type ValidatingAdmissionPolicyBinding = {
  apiVersion: 'admissionregistration.k8s.io/v1'
  kind: 'ValidatingAdmissionPolicyBinding'
  metadata: NamedObjectMeta
  spec?: ValidatingAdmissionPolicyBindingSpec
}

/** `ValidatingAdmissionPolicyBindingSpec` of `admissionregistration/v1`. */
export type ValidatingAdmissionPolicyBindingSpec = {
  matchResources?: MatchResources
  paramRef?: ParamRef
  policyName?: string
  validationActions?: ('Audit' | 'Deny' | 'Warn')[]
}

/** `ValidatingAdmissionPolicySpec` of `admissionregistration/v1`. */
export type ValidatingAdmissionPolicySpec = {
  auditAnnotations?: AuditAnnotation[]
  failurePolicy?: 'Fail' | 'Ignore'
  matchConditions?: MatchCondition[]
  matchConstraints?: MatchResources
  paramKind?: ParamKind
  validations?: Validation[]
  variables?: Variable[]
}

/** `ValidatingAdmissionPolicyStatus` of `admissionregistration/v1`. */
export type ValidatingAdmissionPolicyStatus = {
  conditions?: Condition[]
  observedGeneration?: number
  typeChecking?: TypeChecking
}

/** `ValidatingWebhook` of `admissionregistration/v1`. */
export type ValidatingWebhook = {
  admissionReviewVersions: string[]
  clientConfig: WebhookClientConfig
  failurePolicy?: 'Fail' | 'Ignore'
  matchConditions?: MatchCondition[]
  matchPolicy?: 'Equivalent' | 'Exact'
  name: string
  namespaceSelector?: LabelSelector
  objectSelector?: LabelSelector
  rules?: RuleWithOperations[]
  sideEffects: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown'
  timeoutSeconds?: number
}

/** The cluster-scoped kind `ValidatingWebhookConfiguration` of `admissionregistration.k8s.io/v1`. */
export type ValidatingWebhookConfiguration = {
  apiVersion: 'admissionregistration.k8s.io/v1'
  kind: 'ValidatingWebhookConfiguration'
  metadata: NamedObjectMeta
  webhooks?: ValidatingWebhook[]
}

/** `Validation` of `admissionregistration/v1`. */
export type Validation = {
  expression: string
  message?: string
  messageExpression?: string
  reason?: string
}

/** `Variable` of `admissionregistration/v1`. */
export type Variable = {
  expression: string
  name: string
}

/** `WebhookClientConfig` of `admissionregistration/v1`. */
export type WebhookClientConfig = {
  caBundle?: Base64
  service?: ServiceReference
  url?: string
}
