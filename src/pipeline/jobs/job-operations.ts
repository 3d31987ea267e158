import type { BuildOutputs, BuildPlan, SyncOutputs, SyncPlan } from '../build/build-plan.ts'
import type { ApplyOutputs, DriftOutputs, HealthOutputs, PlanOutputs } from '../deploy/deploy-outputs.ts'
import type { DeployPlan } from '../deploy/deploy-plan.ts'

/** The type of each operation's jobs, what a job is given, and what it leaves when it has finished. */
export interface JobOperations {
  readonly build: {
    readonly type: 'kubernetes-manifest-build'
    readonly plan: BuildPlan
    readonly outputs: BuildOutputs
  }
  readonly sync: { readonly type: 'oci-sync'; readonly plan: SyncPlan; readonly outputs: SyncOutputs }
  readonly 'create-apply-plan': OperationOf<PlanOutputs>
  readonly 'create-teardown-plan': OperationOf<PlanOutputs>
  readonly 'apply-plan': OperationOf<ApplyOutputs>
  readonly 'check-health': OperationOf<HealthOutputs>
  readonly 'detect-drift': OperationOf<DriftOutputs>
}

/** An operation of a job that deploys: its plan, and what it leaves. */
export interface OperationOf<Outputs> {
  readonly type: 'kubernetes-manifest-deploy'
  readonly plan: DeployPlan
  readonly outputs: Outputs
}

/** What one job does. */
export type JobOperation = keyof JobOperations

/** What a runner needs for a job: one type may have several operations. */
export type JobType = JobOperations[JobOperation]['type']

/** What a job of this operation is given. */
export type JobPlan<Operation extends JobOperation = JobOperation> = JobOperations[Operation]['plan']

/** What a job of this operation leaves. */
export type JobOutputs<Operation extends JobOperation = JobOperation> = JobOperations[Operation]['outputs']
