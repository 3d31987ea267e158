/**
 * Releases: plan, deploy, watch, diff, roll back, recover and uninstall.
 *
 * @module
 */
export type { DeployResult } from './run/deploy.ts'
export type { DeployOptions, PlannedOptions, PlanOptions, RunOptions } from './deploy-options.ts'
export type { Content, Intent } from './intent.ts'
export type { ReleaseEngine } from './engine.ts'
export type { ReleaseName } from './release-name.ts'
export { diffObjects, type FieldChange } from './diff/diff-objects.ts'
export { diffRelease, type ReleaseDiff } from './plan/diff-release.ts'
export { diffRevisions } from './diff/diff-revisions.ts'
export { correctDrift, type Correction, type CorrectOptions, isCorrectable } from './run/correct-drift.ts'
export { drift, type DriftReport } from './diff/drift.ts'
export type { Orphans, Place } from './diff/find-orphans.ts'
export { type ArtifactChange, diffArtifacts } from './diff/diff-artifacts.ts'
export { changeLines, type ChangeLinesOptions } from './diff/format-changes.ts'
export { formatDiff, type FormatOptions } from './diff/format-diff.ts'
export {
  type ChangeType,
  type DriftChange,
  isDifferent,
  isDrifted,
  type ObjectDiff,
  type ObjectDrift,
} from './diff/object-diff.ts'
export { lintCharts, type LintChartsOptions, type LintResult } from './plan/lint-charts.ts'
export { annotationMistakes } from './plan/check-annotations.ts'
export { annotationWarnings } from './annotations/unknown-annotations.ts'
export { checkHealth, type HealthOptions, type HealthResult } from './health/check-health.ts'
export { recordMask } from './record/secret-mask.ts'
export type { CheckSummary } from './health/declared-checks.ts'
export type { HealthUrls } from './health/url-access.ts'
export type { HealthState, HealthStatus, ObjectHealth } from './health/health-status.ts'
export type { ForeignOptions } from './ownership/foreign-policy.ts'
export { splitHooks } from './hooks/parse-hook.ts'
export { lastGood, readHistory, type ReleaseHistory, revisionOf } from './record/history.ts'
export { historyOf, recordOf } from './record/look-up.ts'
export { install, rollback, upgrade } from './run/operations.ts'
export type { Plan, PlanAction, PlanActionType, PlannedHook } from './plan.ts'
export { maskPlan } from './plan/mask-plan.ts'
export { planHash } from './plan/plan-hash.ts'
export { signPlan, signPlanHash, verifyPlan } from './plan/plan-signature.ts'
export { refuseOtherCluster } from './plan/plan-cluster.ts'
export { planInstall, planRollback, planUpgrade } from './plan/plan-operations.ts'
export { planUninstall } from './plan/plan-uninstall.ts'
export type { HookRecord, ReleaseRecord, ReleaseState, ReleaseStatus, SourceInfo } from './record/record.ts'
export { findStaleReleases, recover, type Recovery } from './run/recover.ts'
export { refusePlan } from './plan/refuse-plan.ts'
export type { ContentInputs } from './source/content-inputs.ts'
export { type ReadingOptions, renderContent, renderInputs } from './source/render-content.ts'
export { type AppliedPlan, apply, type ApplyOptions } from './run/apply.ts'
export { type Approval, readApproval, requireApproval } from './plan/approval.ts'
export { parsePlan, type SavedContent, type SavedPlan } from './plan/saved-plan.ts'
export { type SignedPlanText, signPlanText } from './plan/sign-plan-text.ts'
export { savePlan } from './plan/save-plan.ts'
export { type Compression, decodeRecord, encodeRecord } from './storage/codec.ts'
export { createStore, type StoreConfig } from './storage/create-store.ts'
export type { HelmChart, HelmParts, HelmRecord } from './storage/helm/helm-release.ts'
export type { LargeReleaseStrategy } from './storage/kube/kube-store.ts'
export { fencedStore } from './storage/fenced-store.ts'
export { createMemoryStore, type MemoryStore, type OperationCounts } from './storage/memory-store.ts'
export { ladingOwnership, type Ownership } from './ownership.ts'
export type {
  ReleaseStore,
  RevisionKey,
  RevisionOrigin,
  RevisionSummary,
  StoredRecord,
} from './storage/release-store.ts'
export { checkKey as checkRevisionKey } from './storage/revision-key.ts'
export { changedError as revisionChangedError, existsError as revisionExistsError } from './storage/store-error.ts'
export { summaryOfRecord } from './storage/summary-of-record.ts'
export { uninstall, type UninstallResult } from './run/uninstall.ts'
export type { UninstallOptions } from './uninstall-options.ts'
export { type FromProgramOptions, fromProgram, type ProgramOptions } from './source/program-source.ts'
export { fromObjects, type FromObjectsOptions } from './source/from-objects.ts'
export { imagesOf } from './source/images-of.ts'
export { recogniseSource } from './source/recognise-source.ts'
export {
  chartAccess,
  type ChartAccessOptions,
  chartFiles,
  clusterCrds,
  type ChartFilesOptions,
  fetchChart,
  type FetchChartOptions,
  isChart,
  openChart,
  type OpenChartOptions,
  packageChartFolder,
  type PackagedFile,
  type PackageFolderOptions,
  packChartSource,
  type PackChartSourceOptions,
  type PackedChart,
  pullChart,
  type PullChartOptions,
  type Pulled,
  type PulledChart,
  pushChart,
  type PushedArtifact,
  type PushOptions,
  pushPacked,
  readCrds,
  type ReadCrdsOptions,
  readKeyring,
  verifyChart,
} from './source/chart/index.ts'
export { generateReleaseName, templateReleaseName } from './source/name/make-name.ts'
export { httpFetch, type HttpFetchOptions } from './source/remote/http-fetch.ts'
export { readRemoteLock, writeRemoteLock } from './source/remote/remote-lock.ts'
export { type OpenRemote, type RemoteAccess, remoteFetcher, type RemoteOptions } from './source/remote/fetch-remote.ts'
export type { Rendered, RenderInput, Source, SourceKind, SourceOptions } from './source/source.ts'
export {
  type ComposedValues,
  composeValues,
  type GivenValues,
  type ValuesFile,
  type ValuesInput,
  type ValuesMode,
} from './values/compose-values.ts'
export { mergeValues } from './values/merge-values.ts'
export { type Assignment, parseSet } from './values/parse-set.ts'
export { readValues, type ReadValuesOptions, type ValuesFlags } from './values/read-values.ts'
export type { SetFlag } from './values/set-cursor.ts'
export { list, type ListOptions } from './record/list.ts'
export { hookManifestOf, manifestOf, provenanceOf, type ShowOptions, valuesOf } from './record/show-record.ts'
export { type HookStatus, liveHealth, status, type StatusReport } from './health/status.ts'
export { isWaitedFor } from './plan/waves.ts'
export { testRelease, type TestOutcome, type TestReport } from './run/test-release.ts'
export type { DiffStyle } from './diff/format-diff.ts'
export type { WaitLimits } from './health/check-health.ts'
export type { StatusLookOptions } from './health/status.ts'
export type { Hook } from './hooks/parse-hook.ts'
export type { LockOptions } from './lock/lease.ts'
export type { Operation as ReleaseOperation } from './plan.ts'
export type {
  HookPhase,
  HookRun,
  InventoryEntry,
  PendingState,
  PendingStatus,
  ValuesProvenance,
} from './record/record.ts'
export type { TextMask } from './record/secret-mask.ts'
export type { ValueProvenance } from './record/show-record.ts'
export type { ArtifactAccess } from './source/artifact-source.ts'
export type { ClusterView } from './source/cluster-view.ts'
export type { PackLimits } from './source/git/read-pack.ts'
export type { ChartOptions, FetchChart } from './source/source.ts'
export type { ChartRelease, HelmFile, HelmHookText } from './storage/helm/helm-release.ts'
export type { ValuePath } from './values/value-path.ts'
export type { Values } from './values/value-tree.ts'
export type { HookDeletePolicy, HookFailurePolicy } from './hooks/parse-hook.ts'
export type { UninstallDecision } from './plan/plan-uninstall.ts'
export type { ValueSource } from './record/record.ts'
export type { LookupQuery } from './source/cluster-view.ts'
