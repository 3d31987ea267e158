// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { NamedObjectMeta, ObjectMeta, Time } from '../object-meta.ts'
import type { ObjectReference, PodTemplateSpec } from './core-v1.ts'
import type { LabelSelector } from './meta-v1.ts'

/** The kind `CronJob` of `batch/v1`. */
export type CronJob = {
  apiVersion: 'batch/v1'
  kind: 'CronJob'
  metadata: NamedObjectMeta
  spec?: CronJobSpec
  status?: CronJobStatus
}

/** `CronJobSpec` of `batch/v1`. */
export type CronJobSpec = {
  concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace'
  failedJobsHistoryLimit?: number
  jobTemplate: JobTemplateSpec
  schedule: string
  startingDeadlineSeconds?: number
  successfulJobsHistoryLimit?: number
  suspend?: boolean
  timeZone?: string
}

/** `CronJobStatus` of `batch/v1`. */
export type CronJobStatus = {
  active?: ObjectReference[]
  lastScheduleTime?: Time
  lastSuccessfulTime?: Time
}

/** The kind `Job` of `batch/v1`. */
export type Job = {
  apiVersion: 'batch/v1'
  kind: 'Job'
  metadata: NamedObjectMeta
  spec?: JobSpec
  status?: JobStatus
}

/** `JobCondition` of `batch/v1`. */
export type JobCondition = {
  lastProbeTime?: Time
  lastTransitionTime?: Time
  message?: string
  reason?: string
  status: string
  type: string
}

/** `JobSpec` of `batch/v1`. */
export type JobSpec = {
  activeDeadlineSeconds?: number
  backoffLimit?: number
  backoffLimitPerIndex?: number
  completionMode?: 'Indexed' | 'NonIndexed'
  completions?: number
  managedBy?: string
  manualSelector?: boolean
  maxFailedIndexes?: number
  parallelism?: number
  podFailurePolicy?: PodFailurePolicy
  podReplacementPolicy?: 'Failed' | 'TerminatingOrFailed'
  selector?: LabelSelector
  successPolicy?: SuccessPolicy
  suspend?: boolean
  template: PodTemplateSpec
  ttlSecondsAfterFinished?: number
}

/** `JobStatus` of `batch/v1`. */
export type JobStatus = {
  active?: number
  completedIndexes?: string
  completionTime?: Time
  conditions?: JobCondition[]
  failed?: number
  failedIndexes?: string
  ready?: number
  startTime?: Time
  succeeded?: number
  terminating?: number
  uncountedTerminatedPods?: UncountedTerminatedPods
}

/** `JobTemplateSpec` of `batch/v1`. */
export type JobTemplateSpec = {
  metadata?: ObjectMeta
  spec?: JobSpec
}

/** `PodFailurePolicy` of `batch/v1`. */
export type PodFailurePolicy = {
  rules: PodFailurePolicyRule[]
}

/** `PodFailurePolicyOnExitCodesRequirement` of `batch/v1`. */
export type PodFailurePolicyOnExitCodesRequirement = {
  containerName?: string
  operator: 'In' | 'NotIn'
  values: number[]
}

/** `PodFailurePolicyOnPodConditionsPattern` of `batch/v1`. */
export type PodFailurePolicyOnPodConditionsPattern = {
  status?: string
  type: string
}

/** `PodFailurePolicyRule` of `batch/v1`. */
export type PodFailurePolicyRule = {
  action: 'Count' | 'FailIndex' | 'FailJob' | 'Ignore'
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[]
}

/** `SuccessPolicy` of `batch/v1`. */
export type SuccessPolicy = {
  rules: SuccessPolicyRule[]
}

/** `SuccessPolicyRule` of `batch/v1`. */
export type SuccessPolicyRule = {
  succeededCount?: number
  succeededIndexes?: string
}

/** `UncountedTerminatedPods` of `batch/v1`. */
export type UncountedTerminatedPods = {
  failed?: string[]
  succeeded?: string[]
}
