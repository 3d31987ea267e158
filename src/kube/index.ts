/**
 * A client for Kubernetes clusters: connect, read, watch, apply, wait and delete.
 *
 * @module
 */
export type { EventLine, FieldConflict, Holdup, PodDiagnosis, StatusCause, WaitedObject } from '../core/index.ts'
export type { AdoptableTool, Takeover } from './apply/adopt.ts'
export { applyObject, type ApplyOptions, type ApplyResult } from './apply/apply.ts'
export { applySet, type ApplySetOptions, type ApplySetResult } from './set/apply-set.ts'
export { asTakenOver } from './apply/apply-result.ts'
export type { FieldValidation } from './apply/apply-request.ts'
export { type AutoscaledSet, dropAutoscaledReplicas } from './set/autoscaled-replicas.ts'
export type { ApiResource, Cluster, Discovery } from './cluster.ts'
export { clusterIdentity } from './discovery/cluster-identity.ts'
export type { ConflictPolicy, ConflictRule } from './apply/conflicts.ts'
export { createObject, type WriteOptions } from './apply/create.ts'
export { deleteObject, type DeleteOptions, type DeleteResult } from './delete/delete.ts'
export type { DeletePreconditions, DeleteRules } from './delete/delete-request.ts'
export { deleteSet, type DeleteSetOptions, type DeleteSetResult, type DeleteTarget } from './delete/delete-set.ts'
export { createDiscovery, type DiscoveryOptions } from './discovery/discovery.ts'
export { execInPod, type ExecOptions, type ExecResult } from './pods/exec.ts'
export {
  type ExecInput,
  type ExecOutput,
  type ExecSession,
  type ExecStreamOptions,
  openExec,
  type TerminalSize,
} from './pods/exec-session.ts'
export { copyFromPod, type CopyFromResult } from './pods/copy-from-pod.ts'
export { type CopyOptions, copyToPod, type CopyToResult } from './pods/copy-to-pod.ts'
export { forwardPort, type PortForward, type PortForwardOptions } from './pods/port-forward.ts'
export { openPort } from './pods/open-port.ts'
export type { PortTarget } from './pods/port-target.ts'
export { get, getMetadata, getObject } from './read/get.ts'
export { type Informer, type InformerEvent, type InformerQuery, startInformer } from './watch/informer.ts'
export {
  listObjects,
  listPages,
  type ListPage,
  type ListQuery,
  type ObjectList,
  type ObjectQuery,
} from './read/list.ts'
export { type LiveIndex, readLiveIndex } from './read/live-index.ts'
export { type LogOptions, readLog } from './pods/logs.ts'
export {
  type ForeignIgnores,
  type ForeignPolicy,
  type ForeignShare,
  foreignShares,
  isIgnored,
  isIgnoredAnnotation,
  mayHaveForeign,
  usualIgnores,
} from './apply/foreign-fields.ts'
export { type FieldPath, ownedPaths, type PathElement, valueAt } from './apply/managed-fields.ts'
export { normalize } from './read/normalize.ts'
export { keepPolicy, ownershipMismatch, type OwnershipGuard } from './apply/ownership.ts'
export type {
  BuiltinApiVersion,
  BuiltinKind,
  BuiltinKindOf,
  GroupArgument,
  JsonPatchOperation,
  KindArgument,
  MergePatch,
  MetadataOf,
  ObjectShape,
  ObjectToApply,
  ObjectToCreate,
  ObjectToUpdate,
  PatchOf,
  QueriedObject,
  ReferencedObject,
  StrategicPatch,
  SubresourceObject,
  WrittenObject,
} from './object-types.ts'
export { patchObject, type PatchOptions } from './apply/patch.ts'
export { redactSecret } from './apply/redact-secret.ts'
export type { ReplacePolicy } from './apply/replace.ts'
export type {
  KubeRequest,
  KubeResponse,
  KubeStream,
  Transport,
  UpgradedConnection,
  UpgradeRequest,
} from './transport/transport.ts'
export { kindsOfCrds, type PlacedObject, type PlacedSet, placeObjects, refuseDuplicates } from './discovery/scope.ts'
export type { SetFailure, SetObject, SetSummary } from './set/set-result.ts'
export { deletionStagesOf, type Stage, type StageName, stagesOf } from './set/stages.ts'
export { updateObject, type UpdateOptions } from './apply/update.ts'
export type { ObjectChange } from './set/known-objects.ts'
export { type FollowQuery, type WatchEvent, watchObjects, type WatchQuery } from './watch/watch.ts'
export type { ClusterVerbs } from './connect/cluster-verbs.ts'
export { connect, type Connected, type ConnectOptions } from './connect/connect.ts'
export { type Caller, type CallerConnections, connectCallers } from './connect/connect-callers.ts'
export type { Impersonation } from './connect/impersonation.ts'
export { type Connection, type Credentials, staticConnection, type TlsSettings } from './connect/connection.ts'
export { type Kubeconfig, type KubeconfigOptions, loadKubeconfig } from './connect/load-kubeconfig.ts'
export { statusError } from './transport/status-error.ts'
export { createTransport, type TransportOptions } from './transport/undici-transport.ts'
export {
  compileRules,
  failedWhenAnnotation,
  type ReadinessRule,
  readyWhenAnnotation,
  type RuleStatus,
  ruleMistakes,
} from './wait/rules/custom-rules.ts'
export { type StatusReader, statusReader } from './wait/read-status.ts'
export type { WaitTarget } from './wait/tracked-object.ts'
export { waitForDeleted, type WaitForDeletedOptions } from './wait/wait-for-deleted.ts'
export { waitForReady, type WaitOptions, type WaitResult } from './wait/wait-for-ready.ts'
export { isWorkload, selectorOf } from './wait/workload-pods.ts'
export type { FieldsV1 } from './apply/managed-fields.ts'
export type { ApiVersionArgument } from './connect/cluster-verbs.ts'
export type { Fields as KubeconfigFields, KubeconfigSource } from './connect/fields.ts'
export type { Environment } from './connect/load-kubeconfig.ts'
export type { ConnectionOptions } from './connect/resolve-connection.ts'
export type { OwnSubresource } from './object-types.ts'
export type { SetRunOptions } from './set/set-run.ts'
export type { Headers as ResponseHeaders } from './transport/status-error.ts'
export type { ConnectionEvent } from './watch/watch-connection.ts'
