// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { Base64, NamedObjectMeta, Time } from '../object-meta.ts'

/** `CustomResourceColumnDefinition` of `apiextensions/v1`. */
export type CustomResourceColumnDefinition = {
  description?: string
  format?: string
  jsonPath: string
  name: string
  priority?: number
  type: string
}

/** `CustomResourceConversion` of `apiextensions/v1`. */
export type CustomResourceConversion = {
  strategy: string
  webhook?: WebhookConversion
}

/** The cluster-scoped kind `CustomResourceDefinition` of `apiextensions.k8s.io/v1`. */
export type CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1'
  kind: 'CustomResourceDefinition'
  metadata: NamedObjectMeta
  spec: CustomResourceDefinitionSpec
  status?: CustomResourceDefinitionStatus
}

/** `CustomResourceDefinitionCondition` of `apiextensions/v1`. */
export type CustomResourceDefinitionCondition = {
  lastTransitionTime?: Time
  message?: string
  observedGeneration?: number
  reason?: string
  status: string
  type: string
}

/** `CustomResourceDefinitionNames` of `apiextensions/v1`. */
export type CustomResourceDefinitionNames = {
  categories?: string[]
  kind: string
  listKind?: string
  plural: string
  shortNames?: string[]
  singular?: string
}

/** `CustomResourceDefinitionSpec` of `apiextensions/v1`. */
export type CustomResourceDefinitionSpec = {
  conversion?: CustomResourceConversion
  group: string
  names: CustomResourceDefinitionNames
  preserveUnknownFields?: boolean
  scope: string
  versions: CustomResourceDefinitionVersion[]
}

/** `CustomResourceDefinitionStatus` of `apiextensions/v1`. */
export type CustomResourceDefinitionStatus = {
  acceptedNames?: CustomResourceDefinitionNames
  conditions?: CustomResourceDefinitionCondition[]
  observedGeneration?: number
  storedVersions?: string[]
}

/** `CustomResourceDefinitionVersion` of `apiextensions/v1`. */
export type CustomResourceDefinitionVersion = {
  additionalPrinterColumns?: CustomResourceColumnDefinition[]
  deprecated?: boolean
  deprecationWarning?: string
  name: string
  schema?: CustomResourceValidation
  selectableFields?: SelectableField[]
  served: boolean
  storage: boolean
  subresources?: CustomResourceSubresources
}

/** `CustomResourceSubresourceScale` of `apiextensions/v1`. */
export type CustomResourceSubresourceScale = {
  labelSelectorPath?: string
  specReplicasPath: string
  statusReplicasPath: string
}

/** `CustomResourceSubresourceStatus` of `apiextensions/v1`. */
export type CustomResourceSubresourceStatus = Record<string, unknown>

/** `CustomResourceSubresources` of `apiextensions/v1`. */
export type CustomResourceSubresources = {
  scale?: CustomResourceSubresourceScale
  status?: CustomResourceSubresourceStatus
}

/** `CustomResourceValidation` of `apiextensions/v1`. */
export type CustomResourceValidation = {
  openAPIV3Schema?: JSONSchemaProps
}

/** `ExternalDocumentation` of `apiextensions/v1`. */
export type ExternalDocumentation = {
  description?: string
  url?: string
}

/** `JSONSchemaProps` of `apiextensions/v1`. */
export type JSONSchemaProps = {
  $ref?: string
  $schema?: string
  additionalItems?: JSONSchemaProps | boolean
  additionalProperties?: JSONSchemaProps | boolean
  allOf?: JSONSchemaProps[]
  anyOf?: JSONSchemaProps[]
  default?: unknown
  definitions?: Record<string, JSONSchemaProps>
  dependencies?: Record<string, JSONSchemaProps | string[]>
  description?: string
  enum?: unknown[]
  example?: unknown
  exclusiveMaximum?: boolean
  exclusiveMinimum?: boolean
  externalDocs?: ExternalDocumentation
  format?: string
  id?: string
  items?: JSONSchemaProps | JSONSchemaProps[]
  maxItems?: number
  maxLength?: number
  maxProperties?: number
  maximum?: number
  minItems?: number
  minLength?: number
  minProperties?: number
  minimum?: number
  multipleOf?: number
  not?: JSONSchemaProps
  nullable?: boolean
  oneOf?: JSONSchemaProps[]
  pattern?: string
  patternProperties?: Record<string, JSONSchemaProps>
  properties?: Record<string, JSONSchemaProps>
  required?: string[]
  title?: string
  type?: string
  uniqueItems?: boolean
  'x-kubernetes-embedded-resource'?: boolean
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-list-map-keys'?: string[]
  'x-kubernetes-list-type'?: string
  'x-kubernetes-map-type'?: string
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-validations'?: ValidationRule[]
}

/** `SelectableField` of `apiextensions/v1`. */
export type SelectableField = {
  jsonPath: string
}

/** `ServiceReference` of `apiextensions/v1`. */
export type ApiextensionsV1ServiceReference = {
  name: string
  namespace: string
  path?: string
  port?: number
}

/** `ValidationRule` of `apiextensions/v1`. */
export type ValidationRule = {
  fieldPath?: string
  message?: string
  messageExpression?: string
  optionalOldSelf?: boolean
  reason?: 'FieldValueDuplicate' | 'FieldValueForbidden' | 'FieldValueInvalid' | 'FieldValueRequired'
  rule: string
}

/** `WebhookClientConfig` of `apiextensions/v1`. */
export type ApiextensionsV1WebhookClientConfig = {
  caBundle?: Base64
  service?: ApiextensionsV1ServiceReference
  url?: string
}

/** `WebhookConversion` of `apiextensions/v1`. */
export type WebhookConversion = {
  clientConfig?: ApiextensionsV1WebhookClientConfig
  conversionReviewVersions: string[]
}
