/**
 * Pipelines from a component file over build, sync, plan and approval to a deploy.
 *
 * @module
 */
export { buildComponent, type BuildResult, type BuildTarget, enqueueBuild } from './build/build-component.ts'
export {
  type BuildDemands,
  type BuildOutputs,
  type BuildPlan,
  planBuild,
  type RepositoryTag,
  type SyncOutputs,
  type SyncPlan,
} from './build/build-plan.ts'
export type { Component, ComponentInput, ComponentProbe, ComponentSource, GitSource } from './config/component.ts'
export { componentJsonSchema } from './config/component-json-schema.ts'
export type { InputType, InputValue } from './config/input-value.ts'
export { type ComponentFormat, parseComponent, readComponent } from './config/read-component.ts'
export { resolveInputs } from './config/resolve-inputs.ts'
export { type ChangeEntry, changesOf, formatChanges, type ObjectChange } from './deploy/change-report.ts'
export { type Approval, requireApproval } from '../release/index.ts'
export type { DeployPlan } from './deploy/deploy-plan.ts'
export {
  type AppliedDeploy,
  applyDeploy,
  type ComponentDeploy,
  deployComponent,
  type DeployHow,
  type DeployWhat,
  type FollowPart,
  planDeploy,
} from './deploy/deploy-component.ts'
export { driftOfComponent, type DriftRequest, driftWatch } from './deploy/drift-component.ts'
export { type DeploySettings, type DeploySource } from './deploy/deploy-request.ts'
export type { PlannedDeploy } from './deploy/stored-plan.ts'
export { planHash } from '../release/index.ts'
export { deployJobLimit } from './deploy/deploy-time.ts'
export type {
  ApplyOutputs,
  DriftedField,
  DriftOutputs,
  HealthOutputs,
  PlanOutputs,
  RevisionOutputs,
} from './deploy/deploy-outputs.ts'
export { deployGroup, driftGroup, type DriftWatch, scheduleDrift } from './deploy/schedule-drift.ts'
export type { DeployOperation } from './deploy/deploy-handler.ts'
export { pipelineHandlers } from './handlers.ts'
export {
  isEnded,
  type Job,
  type JobError,
  type JobLogLine,
  type JobState,
  type JobStep,
  jobSteps,
  type JobProgress,
  type JobRequest,
  type NewJob,
} from './jobs/job.ts'
export type { JobOperation, JobOperations, JobOutputs, JobPlan, JobType, OperationOf } from './jobs/job-operations.ts'
export { parseJob, type StoredJob } from './jobs/parse-job.ts'
export type { JobEnding, JobQuery, JobStore, Lease, LeaseRequest } from './jobs/job-store.ts'
export { type JobHandler, type JobHandlers, type JobWork, runJob, type RunJobOptions } from './jobs/run-job.ts'
export { runNow, type RunNowOptions } from './jobs/run-now.ts'
export { type Runner, type RunnerOptions, startRunner } from './jobs/runner.ts'
export type { FinishedJob, Pipeline, PipelineDemands } from './pipeline.ts'
export { runPipeline, type RunPipelineOptions } from './run-pipeline.ts'
export { shownJob } from './jobs/shown-job.ts'
export { openJobStore } from './jobs/sqlite-job-store.ts'
export type { ClusterOf } from './jobs/leave-to-others.ts'
export type { EngineAccess, PipelineServices, RegistryAccess } from './services.ts'
export type { Trust } from './verify-demands.ts'
export type { LeftJob } from './jobs/job-store.ts'
export type { StepResult } from './jobs/run-job.ts'
