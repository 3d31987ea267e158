export type { AdoptableTool, Takeover } from './adopt.ts'
export { applyObject, type ApplyOptions, type ApplyResult } from './apply.ts'
export { applySet, type ApplySetOptions, type ApplySetResult } from './apply-set.ts'
export { asTakenOver } from './apply-result.ts'
export type { FieldValidation } from './apply-request.ts'
export { type AutoscaledSet, dropAutoscaledReplicas } from './autoscaled-replicas.ts'
export type { ApiResource, Cluster, Discovery } from './cluster.ts'
export { clusterIdentity } from './cluster-identity.ts'
export type { ConflictPolicy, ConflictRule, FieldConflict } from './conflicts.ts'
export { createObject, type WriteOptions } from './create.ts'
export { deleteObject, type DeleteOptions, type DeleteResult } from './delete.ts'
export type { DeletePreconditions, DeleteRules } from './delete-request.ts'
export { deleteSet, type DeleteSetOptions, type DeleteSetResult, type DeleteTarget } from './delete-set.ts'
export { createDiscovery, type DiscoveryOptions } from './discovery.ts'
export { execInPod, type ExecOptions, type ExecResult } from './exec.ts'
export {
  type ExecInput,
  type ExecOutput,
  type ExecSession,
  type ExecStreamOptions,
  openExec,
  type TerminalSize,
} from './exec-session.ts'
export { copyFromPod, type CopyFromResult } from './copy-from-pod.ts'
export { type CopyOptions, copyToPod, type CopyToResult } from './copy-to-pod.ts'
export { forwardPort, type PortForward, type PortForwardOptions } from './port-forward.ts'
export { openPort } from './open-port.ts'
export type { PortTarget } from './port-target.ts'
export { get, getMetadata, getObject } from './get.ts'
export { type Informer, type InformerEvent, type InformerQuery, startInformer } from './informer.ts'
export { listObjects, listPages, type ListPage, type ListQuery, type ObjectList, type ObjectQuery } from './list.ts'
export { type LiveIndex, readLiveIndex } from './live-index.ts'
export { type LogOptions, readLog } from './logs.ts'
export {
  type ForeignIgnores,
  type ForeignPolicy,
  type ForeignShare,
  foreignShares,
  isIgnored,
  isIgnoredAnnotation,
  mayHaveForeign,
  usualIgnores,
} from './foreign-fields.ts'
export { type FieldPath, ownedPaths, type PathElement, valueAt } from './managed-fields.ts'
export { normalize } from './normalize.ts'
export { keepPolicy, ownershipMismatch, type OwnershipGuard } from './ownership.ts'
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
export { patchObject, type PatchOptions } from './patch.ts'
export { redactSecret } from './redact-secret.ts'
export type { ReplacePolicy } from './replace.ts'
export type {
  KubeRequest,
  KubeResponse,
  KubeStream,
  Transport,
  UpgradedConnection,
  UpgradeRequest,
} from './transport.ts'
export { kindsOfCrds, type PlacedObject, type PlacedSet, placeObjects, refuseDuplicates } from './scope.ts'
export type { SetFailure, SetObject, SetSummary } from './set-result.ts'
export { deletionStagesOf, type Stage, type StageName, stagesOf } from './stages.ts'
export { updateObject, type UpdateOptions } from './update.ts'
export type { ObjectChange } from './known-objects.ts'
export { type FollowQuery, type WatchEvent, watchObjects, type WatchQuery } from './watch.ts'
export { connect, type Connected, type ConnectOptions } from './connect/connect.ts'
export { type Connection, type Credentials, staticConnection, type TlsSettings } from './connect/connection.ts'
export { type Kubeconfig, type KubeconfigOptions, loadKubeconfig } from './connect/load-kubeconfig.ts'
export { type StatusCause, statusError } from './status-error.ts'
export { createTransport, type TransportOptions } from './undici-transport.ts'
export type { Holdup } from './watch-termination.ts'
export {
  compileRules,
  failedWhenAnnotation,
  type ReadinessRule,
  readyWhenAnnotation,
  type RuleJudge,
  ruleMistakes,
} from './wait/custom-rules.ts'
export type { EventLine, PodDiagnosis } from './wait/diagnose.ts'
export type { WaitedObject } from './wait/not-ready-error.ts'
export { type StatusReader, statusReader } from './wait/read-status.ts'
export type { WaitTarget } from './wait/tracked-object.ts'
export { waitForDeleted } from './wait/wait-for-deleted.ts'
export { waitForReady, type WaitOptions, type WaitResult } from './wait/wait-for-ready.ts'
export { isWorkload, selectorOf } from './wait/workload-pods.ts'
