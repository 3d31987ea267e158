import {
  type Context,
  defined,
  LadingError,
  type Operation,
  operation,
  type OperationOptions,
} from '../../core/index.ts'
import type { Component } from '../config/component.ts'
import type { NewJob } from '../jobs/job.ts'
import { type Pipeline, runInPipeline } from '../pipeline.ts'
import type { DriftOutputs } from './deploy-outputs.ts'
import type { DeployPlan } from './deploy-plan.ts'
import { artifactPlan } from './deploy-request.ts'
import { driftGroup, type DriftWatch } from './schedule-drift.ts'

/** What drift is looked for, and what is done about it. */
export interface DriftRequest extends Pick<
  DeployPlan,
  'correct_drift' | 'remove_foreign_fields' | 'ignore_managers' | 'default_ignores'
> {
  /** Also compares the deployed artifact with this one, by tag or digest. */
  readonly artifact?: string | undefined
  readonly timeoutMs?: number | undefined
}

/** Compares the cluster with the deployed revision of a component, and undoes the differences if asked to. */
export function driftOfComponent(
  pipeline: Pipeline,
  component: Component,
  request: DriftRequest,
  ctx: Context,
  options: OperationOptions = {},
): Operation<DriftOutputs> {
  const plan = { ...pipeline.demands?.deploy, ...driftPlan(component, request) }
  const job: NewJob<'detect-drift'> = {
    type: 'kubernetes-manifest-deploy',
    operation: 'detect-drift',
    group: driftGroup(plan),
    plan,
    timeoutMs: component.deployTimeoutMs,
    maxRetries: component.maxAutoRetries,
  }
  return operation(
    'driftOfComponent',
    async function* () {
      return (yield* runInPipeline(pipeline, job, ctx)).outputs
    },
    options,
  )
}

/** The drift of a component on its own schedule; refuses a component that has none. */
export function driftWatch(component: Component, request: DriftRequest): DriftWatch {
  const { file, driftSchedule: schedule, deployTimeoutMs: timeoutMs, maxAutoRetries: maxRetries } = component
  if (schedule === undefined) {
    throw new LadingError('config.invalid', `${file} has no drift_schedule`, { file, field: 'drift_schedule' })
  }
  return { schedule, plan: driftPlan(component, request), timeoutMs, maxRetries }
}

function driftPlan({ name, namespace }: Component, { artifact, timeoutMs, ...correction }: DriftRequest): DeployPlan {
  return {
    component_id: name,
    component_name: name,
    kubernetes_manifest: { namespace, ...(artifact === undefined ? {} : artifactPlan(artifact)) },
    ...correction,
    ...defined({ timeout_ms: timeoutMs }),
  }
}
