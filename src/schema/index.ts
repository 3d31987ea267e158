/**
 * Kubernetes types offline: scopes, merge keys, kind order, validation and status rules.
 *
 * @module
 */
export { builtinSchema } from './kinds/builtin-schema.ts'
export { schemaWithCrds } from './kinds/crd-schema.ts'
export type { Finding, FindingReason } from './validate/finding.ts'
export { type GoFields, goFields } from './go-fields.ts'
export { immutableFields } from './immutable-fields.ts'
export { compareForApply, compareForDelete, kindRank, type OrderedRef } from './kind-order.ts'
export type { OpenApiDocument } from './kinds/openapi.ts'
export { type ProtobufField, type ProtobufTable, protobufTable } from './protobuf-table.ts'
export type { RawSchema } from './kinds/raw-schema.ts'
export type { ScalarType, SchemaNode, SchemaShape } from './kinds/schema-node.ts'
export type { SchemaResource, SchemaSet, SchemaSubresource, Scope } from './kinds/schema-set.ts'
export { computeStatus, guardStatus, isAlwaysReadyKind } from './status/compute-status.ts'
export {
  crdPromisesStatus,
  defaultStatusGraceMs,
  schemaPromisesStatus,
  silenceOf,
  type StatusOptions,
} from './status/custom-resources.ts'
export type { ObjectStatus } from './status/object-status.ts'
export {
  type ContainerProblem,
  containerProblems,
  describeProblem,
  failedContainer,
  unschedulable,
} from './status/pod.ts'
export { strategicMerge } from './merge/strategic-merge.ts'
export { applyDefaults, prune } from './validate/structural.ts'
export { unknownFieldPaths, unknownFields } from './validate/unknown-fields.ts'
export { validateObject, validateValue } from './validate/validate.ts'
export { type CrdTypes, crdTypes, type CrdTypesOptions } from './typescript/crd-types.ts'
