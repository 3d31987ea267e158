export { type BuildDemands, type BuildPlan, planBuild, type RepositoryTag, type SyncPlan } from './build/build-plan.ts'
export type { BuildOutputs } from './build/build-handler.ts'
export type { Component, ComponentInput, ComponentProbe, ComponentSource, GitSource } from './config/component.ts'
export { componentJsonSchema } from './config/component-json-schema.ts'
export type { InputType, InputValue } from './config/input-value.ts'
export { type ComponentFormat, parseComponent, readComponent } from './config/read-component.ts'
export { resolveInputs } from './config/resolve-inputs.ts'
export { type ChangeEntry, changesOf, formatChanges, type ObjectChange } from './deploy/change-report.ts'
export { type Approval, requireApproval } from '../release/index.ts'
export type { DeployPlan } from './deploy/deploy-plan.ts'
export { planHash } from '../release/index.ts'
export { deployJobLimit } from './deploy/deploy-time.ts'
export type { DriftOutputs } from './deploy/detect-drift.ts'
export { deployGroup, driftGroup, type DriftWatch, scheduleDrift } from './deploy/schedule-drift.ts'
export { pipelineHandlers } from './handlers.ts'
export {
  isEnded,
  type Job,
  type JobData,
  type JobError,
  type JobLogLine,
  type JobOperation,
  type JobState,
  type JobStep,
  jobSteps,
  type JobType,
  type NewJob,
} from './jobs/job.ts'
export type { JobEnding, JobQuery, JobStore, Lease, LeaseRequest } from './jobs/job-store.ts'
export { type JobHandler, type JobHandlers, type JobWork, runJob, type RunJobOptions } from './jobs/run-job.ts'
export { runNow, type RunNowOptions } from './jobs/run-now.ts'
export { type Runner, type RunnerOptions, startRunner } from './jobs/runner.ts'
export { shownJob } from './jobs/shown-job.ts'
export { openJobStore } from './jobs/sqlite-job-store.ts'
export type { ClusterOf } from './jobs/leave-to-others.ts'
export type { EngineAccess, PipelineServices, RegistryAccess } from './services.ts'
export type { Trust } from './verify-demands.ts'
export type { DriftedField } from './deploy/detect-drift.ts'
export type { LeftJob } from './jobs/job-store.ts'
export type { StepResult } from './jobs/run-job.ts'
